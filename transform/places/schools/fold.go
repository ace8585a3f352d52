package schools

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"quartier/schemas/tsv"
	"quartier/transform/places/normalize"
)

//go:embed words.tsv
var wordsTSV string

// vocabulary is words.tsv: words that are dropped, and words that count as others.
var vocabulary = sync.OnceValue(func() (v struct {
	drop  map[string]bool
	equal map[string]string
}) {
	v.drop, v.equal = map[string]bool{}, map[string]string{}
	for _, row := range tsv.MustParse("words.tsv", wordsTSV) {
		if row[0] == "drop" {
			v.drop[row[1]] = true
		} else {
			v.equal[row[1]] = row[2]
		}
	}
	return v
})

// cutRunes is the number of characters after which the Open Database of Educational Facilities cuts names.
const cutRunes = 40

// name is a name prepared for comparison.
type name struct {
	plain  string // normalised, with all words
	folded string // without the words that many schools have in common
	cut    bool   // the end is missing
}

var (
	elided = regexp.MustCompile(`(?i)\b[dl]['’]`)
	abbrev = regexp.MustCompile(`(\pL{2,})\.(\pL)`)
	aside  = regexp.MustCompile(`\([^()]*\)`)
)

// newName folds a name. "École élémentaire publique St-Luc" and "St. Luc P.S." are both "saint luc". What stands in
// parentheses is left out, unless it is all that there is: "Olympic Hills (interim at Cedar Park)" is "olympic hills". A name of
// generic words alone keeps them.
func newName(text string) name {
	n := name{cut: len([]rune(text)) == cutRunes}
	text = abbrev.ReplaceAllString(elided.ReplaceAllString(text, " "), "$1. $2")
	n.plain = normalize.Name(text)
	words := fold(aside.ReplaceAllString(text, " "))
	if len(words) == 0 {
		words = fold(text)
	}
	if len(words) == 0 {
		words = strings.Fields(n.plain)
	}
	n.folded = strings.Join(words, " ")
	return n
}

// fold returns the words of a name that distinguish it from others; grades such as K-8 do not.
func fold(text string) (words []string) {
	v := vocabulary()
	for w := range strings.FieldsSeq(normalize.Name(gradesInName.ReplaceAllString(text, " "))) {
		if as, ok := v.equal[w]; ok {
			w = as
		}
		if !v.drop[w] {
			words = append(words, w)
		}
	}
	return words
}

// Distinctive are the words of a name of a school without those that many schools have in common.
func Distinctive(text string) []string { return fold(text) }

// namesOf are the names of texts that are not empty.
func namesOf(texts ...string) (list []name) {
	for _, text := range texts {
		if text = normalize.Space(text); text != "" {
			if n := newName(text); n.folded != "" {
				list = append(list, n)
			}
		}
	}
	return list
}

// equalNames reports whether some name of one is folded to the same as some of the other.
func equalNames(a, b []name) bool {
	keys := keysOf(b)
	return slices.ContainsFunc(keysOf(a), func(key string) bool { return slices.Contains(keys, key) })
}

// keys are equal for equal names: the folded words without spaces, as published and in alphabetical order, because English and
// French order them differently: "Capitale Academy", "Académie de la Capitale".
func (n name) keys() [2]string {
	words := strings.Fields(n.folded)
	key := strings.Join(words, "")
	slices.Sort(words)
	return [2]string{key, strings.Join(words, "")}
}

// keysOf are the keys of some names, each once.
func keysOf(names []name) (all []string) {
	for _, n := range names {
		for _, key := range n.keys() {
			if !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
	}
	return all
}

// similarity of the most similar of two schools' names, folded and with all words, 0–1; 0 where one has none.
func similarity(a, b []name) (folded, plain float64) {
	for _, x := range a {
		for _, y := range b {
			folded, plain = max(folded, x.similarity(y)), max(plain, normalize.Similarity(x.plain, y.plain))
		}
	}
	return folded, plain
}

// similarity of two folded names; of one that is cut, with as much of the other.
func (n name) similarity(other name) float64 {
	s := normalize.Similarity(n.folded, other.folded)
	for _, pair := range [2][2]name{{n, other}, {other, n}} {
		if short, long := pair[0], pair[1]; short.cut && len(short.folded) < len(long.folded) {
			s = max(s, normalize.Similarity(short.folded, strings.TrimSpace(long.folded[:len(short.folded)])))
		}
	}
	return s
}
