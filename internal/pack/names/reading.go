package names

import (
	"embed"
	"slices"
	"strconv"
	"strings"

	"quartier/schemas"
	"quartier/schemas/tsv"
)

// The rules of what people may write differently are rows, not code.
//
//go:embed vocabulary/*.tsv
var vocabulary embed.FS

func readVocabulary(file string, headings ...string) [][]string {
	text, err := vocabulary.ReadFile("vocabulary/" + file)
	if err != nil {
		panic(err)
	}
	return tsv.MustParse(file, string(text), headings...)
}

// equals maps each of several equal words to the first one.
var equals = func() map[string]string {
	all := map[string]string{}
	for _, row := range readVocabulary("equal.tsv", "words") {
		words := strings.Fields(row[0])
		for _, w := range words {
			all[w] = words[0]
		}
	}
	return all
}()

// articles may be missing in front of a name; connectors stand between a generic word and the name.
var (
	articles   = []string{"the", "le", "la", "les", "l"}
	connectors = []string{"of", "de", "du", "des", "d"}
)

// place is where a generic phrase is: vocabulary/generic.tsv says what each place means.
type place string

const (
	ofName  place = "of"
	inFront place = "front"
	atEnd   place = "end"
	asPart  place = "part"
)

// generic is a phrase that may be missing from a name.
type generic struct {
	words  []string
	at     place
	levels schemas.LevelSet
}

// generics are the phrases, longer ones first.
var generics = func() []generic {
	var all []generic
	for _, row := range readVocabulary("generic.tsv", "at", "words", "levels") {
		g := generic{at: place(row[0]), words: strings.Fields(row[1])}
		for _, number := range strings.Split(row[2], ",") {
			level, err := strconv.Atoi(number)
			if err != nil || !schemas.Level(level).Valid() {
				panic("generic.tsv: level " + number)
			}
			g.levels |= schemas.NewLevelSet(schemas.Level(level))
		}
		all = append(all, g)
	}
	slices.SortStableFunc(all, func(a, b generic) int { return len(b.words) - len(a.words) })
	return all
}()

// reading is a name or a query in the forms in which names are compared. For "The City of St. Johns County":
//
//	plain  thecityofstjohnscounty  all letters and digits
//	bare   saintjohnscounty        equal words alike, without the article and generic words in front
//	core   saintjohns              also without those at the end
type reading struct {
	plain, bare, core string
	words             []word           // of bare
	coreWords         []word           // of core
	levels            schemas.LevelSet // that the generic words name; 0: none
	certain           bool             // the words at the end are not part of a name, so that core may be the begin of one
}

// newReading reads the words of a name.
func newReading(words []word) reading {
	var r reading
	r.plain = join(words, func(w word) string { return w.raw })
	r.words = words
	for before := 0; before != len(r.words); {
		before = len(r.words)
		r.words = r.withoutFront(withoutArticle(r.words))
	}
	r.certain = true
	r.coreWords = r.withoutEnd(r.words)
	equal := func(w word) string { return w.equal }
	r.bare, r.core = join(r.words, equal), join(r.coreWords, equal)
	return r
}

func join(words []word, form func(word) string) string {
	var all strings.Builder
	length := 0
	for _, w := range words {
		length += len(form(w))
	}
	all.Grow(length)
	for _, w := range words {
		all.WriteString(form(w))
	}
	return all.String()
}

// withoutArticle removes a leading article, unless nothing is left.
func withoutArticle(words []word) []word {
	if len(words) > 1 && slices.Contains(articles, words[0].raw) {
		return words[1:]
	}
	return words
}

// withoutFront removes a generic phrase in front, with the connector and article after it, unless nothing is left.
func (r *reading) withoutFront(words []word) []word {
	for _, g := range generics {
		if g.at != ofName && g.at != inFront || !begins(words, g.words) {
			continue
		}
		rest := words[len(g.words):]
		if len(rest) > 1 && slices.Contains(connectors, rest[0].raw) {
			rest = rest[1:]
		} else if g.at == ofName {
			continue
		}
		if rest = withoutArticle(rest); len(rest) > 0 {
			r.levels |= g.levels
			return rest
		}
	}
	return words
}

// withoutEnd removes a generic phrase at the end, unless nothing is left.
func (r *reading) withoutEnd(words []word) []word {
	for _, g := range generics {
		n := len(words) - len(g.words)
		if g.at != atEnd && g.at != asPart || n < 1 || !begins(words[n:], g.words) {
			continue
		}
		r.levels |= g.levels
		r.certain = g.at == atEnd
		return words[:n]
	}
	return words
}

// begins reports whether words begin with a phrase.
func begins(words []word, phrase []string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, w := range phrase {
		if words[i].raw != w {
			return false
		}
	}
	return true
}

// forms are the different forms of the reading, plain first.
func (r *reading) forms() []string {
	list := []string{r.plain}
	for _, form := range []string{r.bare, r.core} {
		if form != "" && !slices.Contains(list, form) {
			list = append(list, form)
		}
	}
	return list
}
