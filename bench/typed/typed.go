// Package typed has queries of names as people type them, made by rule from the names of geographies, and how trigrams in
// PostgreSQL find them. In: names. Out: queries and SQL.
package typed

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const columns = `geog_id, level, name_en, name_fr, country_code, state_codes, area_m2, west, south, east, north, centroid_lng, centroid_lat`

// The five best names by trigrams: of those similar enough, which an index of type GIN finds, the most similar; the nearest, in
// the order of an index of type GiST; and those of which a part is similar to the query.
const (
	similar = `SELECT ` + columns + `
		FROM outline WHERE folded % $1 ORDER BY similarity(folded, $1) DESC, population DESC NULLS LAST, geog_id LIMIT 5`
	nearest = `SELECT ` + columns + `
		FROM (SELECT *, nearest <-> $1 AS distance FROM outline ORDER BY nearest <-> $1 LIMIT 5) o ORDER BY distance, population DESC NULLS LAST, geog_id`
	part = `SELECT ` + columns + `
		FROM outline WHERE $1 <% folded ORDER BY word_similarity($1, folded) DESC, similarity(folded, $1) DESC, population DESC NULLS LAST, geog_id LIMIT 5`
)

// Columns is the number of columns of a Peer's rows. The third is the English name.
const Columns = 13

// Peer is a way to search names in PostgreSQL: a query of a name without accents in lower case, the statements that a connection
// begins with, and the ratio that is the target; 0: none.
type Peer struct {
	Name, SQL string
	Before    []string
	Target    float64
}

// Kind is a kind of queries: how the kth one is written for a name, and what it is compared with. The default threshold of
// similarity is 0.3; with 0.5 PostgreSQL reads fewer names, and misses some.
type Kind struct {
	Name  string
	Write func(name string, k int) string
	Peers []Peer
}

// Kinds are the kinds that are measured.
var Kinds = []Kind{
	{"name look-up, one typing error", Misspell, []Peer{
		{"pg_trgm GIN", similar, nil, 300},
		{"pg_trgm GIN, 0.5", similar, []string{`SET pg_trgm.similarity_threshold = 0.5`}, 0},
		{"pg_trgm GiST", nearest, nil, 0},
	}},
	{"name look-up, as people type", AsTyped, []Peer{{"pg_trgm GIN", similar, nil, 300}, {"pg_trgm GIN, parts", part, nil, 0}}},
}

// Query is a query with the name of the geography that is looked for.
type Query struct{ Text, Name string }

// Unaccented is what the extension unaccent and lower make of a name, which is what PostgreSQL compares.
func Unaccented(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(name)))
}

// AsTyped is a name as people type it, in the kth of eight ways: with a typing error, without accents, its first letters, its
// first two words, as it is, with an error and without accents, without its first word, with two errors.
func AsTyped(name string, k int) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' })
	switch k % 8 {
	case 0:
		return Misspell(name, k/8)
	case 1:
		return Unaccented(name)
	case 2:
		return string([]rune(name)[:6])
	case 3:
		return strings.Join(words[:min(2, len(words))], " ")
	case 5:
		return Unaccented(Misspell(name, k/8))
	case 6:
		return strings.Join(words[min(1, len(words)-1):], " ")
	case 7:
		return Misspell(Misspell(name, k/8), k/8+1)
	}
	return name
}

// Misspell applies the kth typing error: a letter deleted, doubled, replaced or transposed with the next.
func Misspell(name string, k int) string {
	letters := []rune(name)
	at := 1 + (k*7)%(len(letters)-2)
	switch k % 4 {
	case 0:
		return string(letters[:at]) + string(letters[at+1:])
	case 1:
		return string(letters[:at]) + string(letters[at]) + string(letters[at:])
	case 2:
		letters[at] = 'a' + rune((k*11)%26)
	case 3:
		letters[at], letters[at+1] = letters[at+1], letters[at]
	}
	return string(letters)
}
