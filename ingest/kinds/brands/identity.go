package brands

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// identify sets the brand_id of each item; a brand has the same one under all tags.
func identify(items []*item) {
	groups := map[string][]*item{}
	for _, it := range items {
		base := it.plainID()
		groups[base] = append(groups[base], it)
	}
	for base, group := range groups {
		owner := slices.MinFunc(group, rankBefore).wikidata()
		taken := map[string]bool{} // tags under which the plain id is in use
		for _, it := range group {
			if it.wikidata() == owner && owner != "" {
				it.brandID = base
				taken[it.key+"/"+it.value] = true
			}
		}
		for _, it := range group {
			tag := it.key + "/" + it.value
			switch {
			case it.brandID != "":
			case it.wikidata() != "":
				it.brandID = base + "_" + Fold(it.wikidata())
			case !taken[tag]:
				it.brandID, taken[tag] = base, true
			default:
				_, hash, _ := cutLast(it.ID, "-")
				it.brandID = base + "_" + Fold(hash)
			}
		}
	}
}

// rankBefore compares items with one plain id: those in Canada and the US first, then by Wikidata number, then by index
// id.
func rankBefore(a, b *item) int {
	rank := func(it *item) (foreign, number int) {
		if !it.places.overlap([]string{"ca", "us"}) {
			foreign = 1
		}
		number, err := strconv.Atoi(strings.TrimPrefix(it.wikidata(), "Q"))
		if err != nil {
			number = 1 << 62
		}
		return foreign, number
	}
	foreignA, numberA := rank(a)
	foreignB, numberB := rank(b)
	return cmp.Or(cmp.Compare(foreignA, foreignB), cmp.Compare(numberA, numberB), cmp.Compare(a.ID, b.ID))
}

// plainID returns the id of the item if no other brand has the same.
func (it *item) plainID() string {
	stem, _, _ := cutLast(it.ID, "-")
	for _, name := range []string{it.DisplayName, it.Tags["brand:en"], it.Tags["name:en"]} {
		if latin(name) && Fold(name) != "" {
			return Fold(name)
		}
	}
	return cmp.Or(Fold(stem), Fold(it.ID), "brand")
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// latin reports whether every letter of name has an ASCII fold.
func latin(name string) bool {
	for _, r := range norm.NFKD.String(name) {
		if unicode.IsLetter(r) && r > unicode.MaxASCII && letters[unicode.ToLower(r)] == "" {
			return false
		}
	}
	return true
}

// letters without a decomposition to ASCII.
var letters = map[rune]string{
	'æ': "ae", 'œ': "oe", 'ø': "o", 'ß': "ss", 'ð': "d", 'þ': "th", 'ł': "l", 'đ': "d", 'ħ': "h", 'ı': "i", 'ŋ': "n",
	'ə': "e",
}

// Fold converts a name to an id: ASCII, lower case, words joined by one underscore. Accents, apostrophes and letters of
// other scripts are removed, & becomes and: "Café A & W" is "cafe_a_and_w". It may be "".
func Fold(name string) string {
	var id strings.Builder
	gap := false
	put := func(s string) {
		if gap && id.Len() > 0 {
			id.WriteByte('_')
		}
		gap = false
		id.WriteString(s)
	}
	for _, r := range norm.NFKD.String(name) {
		r = unicode.ToLower(r)
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			put(string(r))
		case letters[r] != "":
			put(letters[r])
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’', r == '‘', r == 'ʼ':
		case r == '&':
			gap = true
			put("and")
			gap = true
		default:
			gap = true
		}
	}
	return id.String()
}
