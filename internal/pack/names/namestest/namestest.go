// Package namestest is for tests of name look-ups: it writes queries as people type them, by rule from real names, and
// counts how many of them find their place.
package namestest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"quartier/internal/pack/names"
	"quartier/schemas"
)

// Place is a geography that can be looked up.
type Place struct {
	ID     string
	Level  schemas.Level
	Name   schemas.Text
	States []string // "CA_QC" …
}

// Query is a name as typed.
type Query struct {
	Rule     string
	Text     string
	Language string
	Want     int // index of the place
}

// rule writes a query for a place; false where it does not apply. k varies what is written.
type rule struct {
	name  string
	write func(p *Place, k int) (text, language string, ok bool)
}

// rules are how people type names.
var rules = []rule{
	{"article dropped or added", article},
	{"generic word added", generic},
	{"abbreviated or written out", abbreviated},
	{"with its state", withState},
	{"one typing error", typingError},
	{"accents missing", accentsMissing},
	{"partial words", partial},
	{"in the other language", otherLanguage},
}

// Queries writes n queries, as equally many of each rule as there are names for it, from places spread over the list.
func Queries(places []Place, n int) []Query {
	byRule := make([][]Query, len(rules))
	for i, r := range rules {
		for k := range places {
			at := (k*7919 + 31*i) % len(places) // 7919 is prime: every place once, unless the list is a multiple
			if text, language, ok := r.write(&places[at], k); ok {
				byRule[i] = append(byRule[i], Query{r.name, text, language, at})
			}
		}
	}
	var all []Query
	for k := 0; len(all) < n; k++ {
		before := len(all)
		for _, queries := range byRule {
			if k < len(queries) && len(all) < n {
				all = append(all, queries[k])
			}
		}
		if len(all) == before {
			break
		}
	}
	return all
}

func plainText(p *Place) bool {
	return p.Level != schemas.PostalArea && !strings.Contains(p.Name.EN, ",")
}

func article(p *Place, k int) (string, string, bool) {
	for _, a := range []string{"The ", "La ", "Le ", "Les ", "L'"} {
		if rest, ok := strings.CutPrefix(p.Name.EN, a); ok {
			return rest, "en", true
		}
	}
	return "The " + p.Name.EN, "en", p.Level == schemas.Neighbourhood || k%8 == 0 && plainText(p)
}

// added are the generic words of a level.
var added = map[schemas.Level][]string{
	schemas.Neighbourhood:     {"%s neighborhood", "%s neighbourhood", "quartier %s"},
	schemas.Borough:           {"%s borough", "arrondissement de %s"},
	schemas.Municipality:      {"City of %s", "%s city", "Town of %s", "ville de %s"},
	schemas.CountySubdivision: {"%s township"},
	schemas.County:            {"%s County", "county of %s", "comté de %s"},
	schemas.Region:            {"%s region"},
	schemas.Metro:             {"%s metro area"},
	schemas.State:             {"state of %s", "province of %s"},
}

func generic(p *Place, k int) (string, string, bool) {
	forms := added[p.Level]
	if len(forms) == 0 || !plainText(p) {
		return "", "", false
	}
	return fmt.Sprintf(forms[k%len(forms)], p.Name.EN), "en", true
}

// shortened are pairs of a word and what is written instead.
var shortened = [][2]string{
	{"Saint", "St."}, {"Sainte", "Ste"}, {"Mount", "Mt"}, {"Fort", "Ft"}, {"North", "N"}, {"South", "S."}, {"East", "E"},
	{"West", "W."}, {"Heights", "Hts"}, {"Point", "Pt"}, {"and", "&"}, {"Center", "Centre"},
}

func abbreviated(p *Place, _ int) (string, string, bool) {
	words := strings.FieldsFunc(p.Name.EN, func(r rune) bool { return r == ' ' || r == '-' })
	for i, w := range words {
		for _, pair := range shortened {
			for from := range pair {
				if strings.TrimSuffix(w, ".") == strings.TrimSuffix(pair[from], ".") {
					words[i] = pair[1-from]
					return strings.Join(words, " "), "en", true
				}
			}
		}
	}
	return "", "", false
}

func withState(p *Place, k int) (string, string, bool) {
	if len(p.States) == 0 || p.Level >= schemas.State || !plainText(p) {
		return "", "", false
	}
	country, code, _ := strings.Cut(p.States[0], "_")
	state, ok := schemas.StateName(country, code)
	return p.Name.EN + ", " + []string{state.EN, code, strings.ToLower(state.EN), state.FR}[k%4], "en", ok
}

// typingError deletes, doubles, replaces or transposes a letter.
func typingError(p *Place, k int) (string, string, bool) {
	letters := []rune(p.Name.EN)
	if len(letters) < 5 || p.Level == schemas.PostalArea {
		return "", "", false
	}
	at := 1 + (k*7)%(len(letters)-2)
	switch k % 4 {
	case 0:
		return string(letters[:at]) + string(letters[at+1:]), "en", true
	case 1:
		return string(letters[:at]) + string(letters[at]) + string(letters[at:]), "en", true
	case 2:
		letters[at] = 'a' + rune((k*11)%26)
	case 3:
		letters[at], letters[at+1] = letters[at+1], letters[at]
	}
	return string(letters), "en", true
}

func accentsMissing(p *Place, k int) (string, string, bool) {
	for n := range 2 {
		name, language := p.Name.EN, "en"
		if (k+n)%2 == 0 {
			name, language = p.Name.FR, "fr"
		}
		plain := strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(name))
		if plain != norm.NFC.String(name) {
			return strings.ToLower(plain), language, true
		}
	}
	return "", "", false
}

// partial keeps four letters or more of each word, and leaves out the first of several words.
func partial(p *Place, k int) (string, string, bool) {
	words := strings.Fields(p.Name.EN)
	if len(words) > 1 && k%2 == 0 {
		words = words[1:]
	}
	cut := false
	for i, w := range words {
		letters := []rune(w)
		if n := max(4, len(letters)*2/3); n < len(letters) && !strings.ContainsRune("-'’.", letters[n-1]) {
			words[i], cut = string(letters[:n]), true
		}
	}
	return strings.Join(words, " "), "en", cut && plainText(p)
}

func otherLanguage(p *Place, k int) (string, string, bool) {
	if p.Name.EN == p.Name.FR {
		return "", "", false
	}
	if k%2 == 0 {
		return p.Name.EN, "fr", true
	}
	return p.Name.FR, "en", true
}

// Counts are how many queries of a rule found their place first, and among the first five.
type Counts struct {
	Rule              string
	Asked, Top1, Top5 int
}

// Measure asks the queries. search returns the ids of at most five places, best first. A place is the wanted one if the
// query does not distinguish them: it has the same name, the state and the level that the query gives, or for partial words a
// name in which every word of the query begins a word. missed is called with the queries whose first answer is another.
func Measure(places []Place, queries []Query, search func(q Query) []string, missed func(q Query, got []string)) []Counts {
	index := make(map[string]int, len(places))
	for i, p := range places {
		index[p.ID] = i
	}
	all := make([]Counts, len(rules)+1)
	for i, q := range queries {
		n := slices.IndexFunc(rules, func(r rule) bool { return r.name == q.Rule })
		got := search(queries[i])
		at := slices.IndexFunc(got, func(id string) bool { return q.means(places, index[id]) })
		for _, c := range []*Counts{&all[n], &all[len(rules)]} {
			c.Asked++
			if at == 0 {
				c.Top1++
			}
			if at >= 0 {
				c.Top5++
			}
		}
		if at != 0 {
			missed(q, got)
		}
	}
	for i, r := range rules {
		all[i].Rule = r.name
	}
	all[len(rules)].Rule = "all"
	return all
}

// means reports whether the query means place i as well as the wanted one.
func (q *Query) means(places []Place, i int) bool {
	p, want := &places[i], &places[q.Want]
	if i == q.Want {
		return true
	}
	switch q.Rule {
	case "with its state":
		return sameName(p, want) && len(p.States) > 0 && slices.Contains(p.States, want.States[0])
	case "generic word added":
		return sameName(p, want) && p.Level == want.Level
	case "partial words":
		return fits(q.Text, p.Name.EN) || fits(q.Text, p.Name.FR)
	}
	return sameName(p, want)
}

func sameName(a, b *Place) bool {
	for _, name := range []string{b.Name.EN, b.Name.FR} {
		if f := names.Fold(name); f == names.Fold(a.Name.EN) || f == names.Fold(a.Name.FR) {
			return true
		}
	}
	return false
}

// fits reports whether every word of a query begins a word of a name, or the query begins the name.
func fits(query, name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -–/", r) })
	for _, asked := range strings.Fields(query) {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(names.Fold(w), names.Fold(asked)) }) {
			return strings.HasPrefix(names.Fold(name), names.Fold(query))
		}
	}
	return true
}

// Check asks n queries, logs the table and fails below the shares of top-1 and top-5 that are wanted.
func Check(t *testing.T, places []Place, n int, top1, top5 float64, search func(q Query) []string) {
	t.Helper()
	var misses []string
	name := map[string]string{}
	for _, p := range places {
		name[p.ID] = p.Name.EN + " " + strings.Join(p.States, "/")
	}
	counts := Measure(places, Queries(places, n), search, func(q Query, got []string) {
		for i := range got {
			got[i] = name[got[i]]
		}
		misses = append(misses, fmt.Sprintf("%s: %q (%s) gives %q, not %s", q.Rule, q.Text, q.Language, got, name[places[q.Want].ID]))
	})
	for _, c := range counts {
		if c.Asked > 0 {
			t.Logf("%-28s %4d  top-1 %.3f  top-5 %.3f", c.Rule, c.Asked, float64(c.Top1)/float64(c.Asked), float64(c.Top5)/float64(c.Asked))
		}
	}
	for _, m := range misses {
		t.Log(m)
	}
	all := counts[len(counts)-1]
	if got1, got5 := float64(all.Top1)/float64(all.Asked), float64(all.Top5)/float64(all.Asked); all.Asked < n || got1 < top1 || got5 < top5 {
		t.Errorf("of %d queries %.3f find their place first and %.3f among five, want %d queries, %v and %v", all.Asked, got1, got5, n,
			top1, top5)
	}
}
