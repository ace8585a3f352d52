package names

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

// fill writes entries to a pack.
func fill(t testing.TB, entries []Entry) *pack.File {
	t.Helper()
	var w Writer
	for i := range entries {
		if err := w.Add(&entries[i]); err != nil {
			t.Fatal(err)
		}
	}
	return packtest.Open(t, w.Finish)
}

// open writes entries to a pack and opens the index.
func open(t testing.TB, entries []Entry) *Index {
	t.Helper()
	x, err := Open(fill(t, entries))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func entry(index uint32, en, fr string, population int64) Entry {
	return Entry{
		Index: index, ID: fmt.Sprintf("g30_%03d", index), Level: schemas.Municipality, Regions: []string{"CA_QC"},
		Name: schemas.Text{EN: en, FR: fr}, Population: population,
	}
}

func TestFold(t *testing.T) {
	for name, want := range map[string]string{
		"Saint-Jean-sur-Richelieu":  "saintjeansurrichelieu",
		"saint  jean sur richelieu": "saintjeansurrichelieu",
		"L’Île-d'Orléans":           "liledorleans",
		"Coeur d'Alene":             "coeurdalene",
		"Cœur d’Alène":              "coeurdalene",
		"TROIS-RIVIÈRES":            "troisrivieres",
		"Straße":                    "strasse",
		"e\u0301te\u0301":           "ete",
		"St. John's (97201)":        "stjohns97201",
		"ᐃᖃᓗᐃᑦ":                     "ᐃᖃᓗᐃᑦ",
		"Ｆｕｌｌ":                      "full",
		" -.' ":                     "",
		"\xff\xfe":                  "",
	} {
		if got := Fold(name); got != want {
			t.Errorf("Fold(%q) = %q, want %q", name, got, want)
		}
	}
	if n := len(Fold(strings.Repeat("é", 1e6))); n != maxRunes {
		t.Errorf("a long name folds to %d bytes", n)
	}
}

func TestSearchRanks(t *testing.T) {
	entries := []Entry{
		entry(0, "Portland", "Portland", 650_000),
		entry(1, "Portland", "Portland", 68_000),
		entry(2, "Port", "Port", 10),
		entry(3, "Porland", "Porland", 9_000_000),
		entry(4, "Quebec City", "Québec", 550_000),
		entry(5, "Québec", "La Province", 100),
		entry(6, "South Portland", "South Portland", 25_000),
		entry(7, "Portland", "Portland", -1),
		entry(8, "Portland", "Portland", 68_000),
	}
	entries[6].AltNames = []string{"Ferry Village"}
	x := open(t, entries)
	for _, c := range []struct {
		name, language string
		want           []Match
	}{
		{"portland", "en", []Match{{0, Exact, 0, false}, {1, Exact, 0, false}, {8, Exact, 0, false}, {7, Exact, 0, false}, {3, Fuzzy, 1, false}}},
		{"PORT", "en", []Match{{2, Exact, 0, false}, {0, Prefix, 0, false}, {1, Prefix, 0, false}, {8, Prefix, 0, false}, {7, Prefix, 0, false}}},
		{"Protland", "fr", []Match{{0, Fuzzy, 1, false}, {1, Fuzzy, 1, false}, {8, Fuzzy, 1, false}, {7, Fuzzy, 1, false}, {3, Fuzzy, 2, false}}},
		{"quebec", "fr", []Match{{4, Exact, 0, false}, {5, Exact, 0, true}}},
		{"quebec", "en", []Match{{5, Exact, 0, false}, {4, Exact, 0, true}}},
		{"ferry village", "fr", []Match{{6, Exact, 0, false}}},
		{"-", "en", nil},
		{"xyzzy", "en", nil},
	} {
		var r Result
		x.Search(&Query{Name: c.name, Language: c.language, Limit: 5}, &r)
		if diff := gocmp.Diff(c.want, r.Matches); diff != "" {
			t.Errorf("%s (%s): (-want +got)\n%s", c.name, c.language, diff)
		}
	}
}

func TestFiltersComeBeforeTheLimit(t *testing.T) {
	a, b, c := entry(0, "Springfield", "Springfield", 3), entry(1, "Springfield", "Springfield", 2), entry(2, "Springfield", "Springfield", 1)
	b.Level, b.Regions = schemas.County, []string{"US_OR", "US_WA"}
	c.Regions = []string{"US"}
	x := open(t, []Entry{a, b, c})
	for name, check := range map[string]struct {
		q    Query
		want []int
	}{
		"all":                {Query{}, []int{0}},
		"level":              {Query{Levels: schemas.NewLevelSet(schemas.County)}, []int{1}},
		"location":           {Query{Locations: []string{"US_WA"}}, []int{1}},
		"location, admitted": {Query{Locations: []string{"US_WA"}, Admit: func(int) bool { return false }}, nil},
		"admitted":           {Query{Admit: func(index int) bool { return index != 1 }, Limit: 5}, []int{0, 2}},
		"none admitted":      {Query{Admit: func(int) bool { return false }, Limit: 5}, nil},
	} {
		check.q.Name, check.q.Limit = "springfeild", max(check.q.Limit, 1)
		var r Result
		x.Search(&check.q, &r)
		var got []int
		for _, m := range r.Matches {
			got = append(got, m.Index)
		}
		if !slices.Equal(got, check.want) {
			t.Errorf("%s: %v, want %v", name, got, check.want)
		}
	}
}

// mutate adds typing errors.
func mutate(t *rapid.T, name string, errors int) string {
	runes := []rune(name)
	for range errors {
		at := rapid.IntRange(0, len(runes)).Draw(t, "at")
		r := rapid.SampledFrom([]rune("abcnorstéœ7ᐃ")).Draw(t, "rune")
		switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
		case kind == 0:
			runes = slices.Insert(runes, at, r)
		case kind == 1 && at < len(runes):
			runes = slices.Delete(runes, at, at+1)
		case kind == 2 && at < len(runes):
			runes[at] = r
		case kind == 3 && at+1 < len(runes):
			runes[at], runes[at+1] = runes[at+1], runes[at]
		}
	}
	return string(runes)
}

// drawName draws a name from few syllables, so that many names are similar.
func drawName(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{"Saint-", "Port", "ton", "ville", "é", "an", "r", "s", " ", "ᐃ", "1"}), 1, 7).Draw(t, "syllables")
	return strings.Join(parts, "")
}

// rankAll is the ranking of the package comment.
func rankAll(entries []Entry, q *Query) []Match {
	type ranked struct {
		Match
		e *Entry
	}
	var all []ranked
	folded := Fold(q.Name)
	if folded == "" {
		return nil
	}
	order := func(a, b ranked) int {
		other := func(m Match) int { return map[bool]int{true: 1}[m.Other] }
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Errors, b.Errors), cmp.Compare(other(a.Match), other(b.Match)),
			cmp.Compare(b.e.Population, a.e.Population), cmp.Compare(a.e.ID, b.e.ID))
	}
	for i := range entries {
		e := &entries[i]
		if !q.Levels.Has(e.Level) || len(q.Locations) > 0 && !slices.Contains(q.Locations, e.Regions[0]) {
			continue
		}
		var mine []ranked
		consider := func(name string, other bool) {
			text := Fold(name)
			m := Match{Index: int(e.Index), Other: other}
			switch errors := distance([]rune(folded), []rune(text)); {
			case text == "":
				return
			case text == folded:
			case strings.HasPrefix(text, folded):
				m.Class = Prefix
			case errors <= Tolerance(len([]rune(folded))):
				m.Class, m.Errors = Fuzzy, errors
			default:
				return
			}
			mine = append(mine, ranked{m, e})
		}
		consider(e.Name.EN, q.Language == "fr")
		consider(e.Name.FR, q.Language != "fr")
		for _, name := range e.AltNames {
			consider(name, false)
		}
		if len(mine) > 0 {
			all = append(all, slices.MinFunc(mine, order))
		}
	}
	slices.SortFunc(all, order)
	var matches []Match
	for _, m := range all[:min(len(all), q.Limit)] {
		matches = append(matches, m.Match)
	}
	return matches
}

func TestSearchAgreesWithLookingAtEveryName(t *testing.T) {
	var r Result
	rapid.Check(t, func(rt *rapid.T) {
		var entries []Entry
		for i := range rapid.IntRange(1, 120).Draw(rt, "entries") {
			e := entry(uint32(i), drawName(rt), drawName(rt), int64(rapid.IntRange(-1, 3).Draw(rt, "population")))
			e.Level = schemas.Levels[i%3]
			e.Regions = []string{[]string{"CA_QC", "US_OR"}[i%2]}
			if i%7 == 0 {
				e.AltNames = []string{drawName(rt)}
			}
			entries = append(entries, e)
		}
		x := open(t, entries)
		for range 10 {
			q := Query{
				Name:     mutate(rt, rapid.SampledFrom(entries).Draw(rt, "entry").Name.EN, rapid.IntRange(0, 3).Draw(rt, "errors")),
				Language: rapid.SampledFrom([]string{"en", "fr"}).Draw(rt, "language"),
				Limit:    rapid.SampledFrom([]int{1, 5, 50}).Draw(rt, "limit"),
				Levels:   schemas.LevelSet(rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(rt, "levels")),
			}
			if rapid.Bool().Draw(rt, "local") {
				q.Locations = []string{"US_OR"}
			}
			want := rankAll(entries, &q)
			x.Search(&q, &r)
			if diff := gocmp.Diff(want, r.Matches[:len(r.Matches):len(r.Matches)], equalWhenEmpty); diff != "" {
				rt.Fatalf("%+v: (-want +got)\n%s", q, diff)
			}
			x.SearchAll(&q, &r)
			if diff := gocmp.Diff(want, r.Matches, equalWhenEmpty); diff != "" {
				rt.Fatalf("SearchAll %+v: (-want +got)\n%s", q, diff)
			}
		}
	})
}

var equalWhenEmpty = gocmp.Transformer("present", func(list []Match) string { return fmt.Sprint(list) })

func TestPatternAgreesWithTheDefinition(t *testing.T) {
	var p pattern
	rapid.Check(t, func(rt *rapid.T) {
		alphabet := rapid.SampledFrom([]rune("abcᐃé"))
		a := rapid.StringOfN(alphabet, 0, 80, -1).Draw(rt, "a")
		b := mutate(rt, a, rapid.IntRange(0, 6).Draw(rt, "errors"))
		if rapid.Bool().Draw(rt, "unrelated") {
			b = rapid.StringOfN(alphabet, 0, 80, -1).Draw(rt, "b")
		}
		p.set([]byte(a))
		want := distance([]rune(a), []rune(b))
		if got := p.distance([]byte(b)); got != want {
			rt.Fatalf("%d errors, want %d", got, want)
		}
		if bits := bitDistance(signature([]byte(a)), signature([]byte(b))); bits > 2*want {
			rt.Fatalf("%d errors, but %d bits differ", want, bits)
		}
	})
}

func TestDamageNeverPanics(t *testing.T) {
	entries := gazetteer(2000)
	queries := append(typos(entries, 200), "s", "Saint")
	packtest.Damage(t, fill(t, entries), 150, func(f *pack.File) bool {
		x, err := Open(f)
		if err != nil {
			return false
		}
		var r Result
		for i, name := range queries {
			x.Search(&Query{Name: name, Limit: 50, Locations: []string{"US_OR"}, Levels: schemas.LevelSet(i % 3)}, &r)
		}
		return true
	})
}

func FuzzFold(f *testing.F) {
	for _, name := range []string{"Saint-Jean", "L’Île", "ᐃᖃᓗᐃᑦ", "\xff", "ǅ", "İ"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		folded := Fold(name)
		if again := Fold(folded); again != folded && len(folded) < maxRunes {
			t.Errorf("%q folds to %q, and that to %q", name, folded, again)
		}
		if upper := Fold(strings.ToUpper(name)); ascii(name) && upper != folded {
			t.Errorf("%q folds to %q in capitals, else %q", name, upper, folded)
		}
	})
}
