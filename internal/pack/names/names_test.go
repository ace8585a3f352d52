package names

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

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

// TestFoldTwice folds each character, and any bytes, twice.
func TestFoldTwice(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if folded := Fold("a" + string(r) + "é"); Fold(folded) != folded {
			t.Fatalf("%U: %q folds to %q", r, folded, Fold(folded))
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		name := string(rapid.SliceOf(rapid.SampledFrom([]byte("aZß\xc3\x9f\xf4\xff\xce\x80'.&l1"))).Draw(rt, "bytes"))
		for _, name := range []string{name, strings.Repeat(name, 64)} {
			if folded := Fold(name); Fold(folded) != folded || utf8.RuneCountInString(folded) > maxRunes {
				rt.Fatalf("%q folds to %q, and that to %q", name, folded, Fold(folded))
			}
		}
	})
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
		{"portland", "en", []Match{{0, Exact, 0, false, false}, {1, Exact, 0, false, false}, {8, Exact, 0, false, false},
			{7, Exact, 0, false, false}, {6, Words, 0, false, false}}},
		{"PORT", "en", []Match{{2, Exact, 0, false, false}, {0, Prefix, 0, false, false}, {1, Prefix, 0, false, false},
			{8, Prefix, 0, false, false}, {7, Prefix, 0, false, false}}},
		{"Protland", "fr", []Match{{0, Fuzzy, 1, false, false}, {1, Fuzzy, 1, false, false}, {8, Fuzzy, 1, false, false},
			{7, Fuzzy, 1, false, false}, {6, Fuzzy, 1, true, false}}},
		{"quebec", "fr", []Match{{4, Exact, 0, false, false}, {5, Exact, 0, false, true}}},
		{"quebec", "en", []Match{{5, Exact, 0, false, false}, {4, Exact, 0, false, true}}},
		{"ferry village", "fr", []Match{{6, Exact, 0, false, true}}},
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

// world are places whose names people type in many ways. Their ids are their indexes.
func world() []Entry {
	var all []Entry
	for _, p := range []struct {
		name, french string
		level        schemas.Level
		regions      string
		population   int64
		within       []uint32
		also         []string
	}{
		0:  {"Oregon", "Oregon", schemas.State, "US_OR", 4_000_000, nil, nil},
		1:  {"Multnomah", "Multnomah", schemas.County, "US_OR", 800_000, []uint32{0}, nil},
		2:  {"Portland", "Portland", schemas.Municipality, "US_OR", 650_000, []uint32{0, 1}, []string{"Stumptown"}},
		3:  {"St. Johns", "St. Johns", schemas.Neighbourhood, "US_OR", 12_000, []uint32{0, 1, 2}, nil},
		4:  {"Mount Tabor", "Mount Tabor", schemas.Neighbourhood, "US_OR", -1, []uint32{0, 1, 2}, nil},
		5:  {"Old Town/Chinatown", "Old Town/Chinatown", schemas.Neighbourhood, "US_OR", 4_000, []uint32{0, 1, 2}, nil},
		6:  {"Portland", "Portland", schemas.Municipality, "US_ME", 68_000, nil, nil},
		7:  {"King", "King", schemas.County, "US_WA", 2_200_000, nil, nil},
		8:  {"King", "King", schemas.Municipality, "US_NC", 7_000, nil, nil},
		9:  {"King City", "King City", schemas.Municipality, "US_OR", 5_000, []uint32{0}, nil},
		10: {"Ottawa", "Ottawa", schemas.Municipality, "CA_ON", 1_017_449, []uint32{12}, nil},
		11: {"Ottawa", "Ottawa", schemas.Municipality, "US_IL", 19_000, nil, nil},
		12: {"Ontario", "Ontario", schemas.State, "CA_ON", 14_000_000, nil, nil},
		13: {"The Glebe", "Le Glebe", schemas.Neighbourhood, "CA_ON", 12_000, []uint32{10, 12}, nil},
		14: {"Quebec", "Québec", schemas.State, "CA_QC", 8_500_000, nil, nil},
		15: {"Québec", "Québec", schemas.Municipality, "CA_QC", 549_000, []uint32{14}, []string{"Quebec City"}},
		16: {"Les Collines-de-l'Outaouais", "Les Collines-de-l'Outaouais", schemas.County, "CA_QC", 50_000, []uint32{14}, nil},
		17: {"Mill & Main", "Mill & Main", schemas.Neighbourhood, "US_OR", 900, []uint32{0, 2}, nil},
		18: {"Old Harbor", "Vieux-Port", schemas.Neighbourhood, "US_OR", 800, []uint32{0, 2}, nil},
		19: {"97201", "97201", schemas.PostalArea, "US_OR", 15_000, []uint32{0, 1}, nil},
		20: {"City of Industry", "City of Industry", schemas.Municipality, "US_CA", 200, nil, nil},
		21: {"North Bend", "North Bend", schemas.Municipality, "US_OR", 10_000, []uint32{0}, nil},
		22: {"Portland-Vancouver, OR-WA", "Portland-Vancouver, OR-WA", schemas.Metro, "US_OR,US_WA", 2_500_000, nil, nil},
		23: {"West", "West", schemas.Municipality, "US_VA", 100, nil, nil},
		24: {"West Virginia", "Virginie-Occidentale", schemas.State, "US_WV", 1_700_000, nil, nil},
	} {
		e := entry(uint32(len(all)), p.name, p.french, p.population)
		e.Level, e.Regions, e.Within, e.AltNames = p.level, strings.Split(p.regions, ","), p.within, p.also
		all = append(all, e)
	}
	return all
}

func TestNamesAsPeopleTypeThem(t *testing.T) {
	x := open(t, world())
	for query, want := range map[string][]int{
		"King County":                      {7, 8, 9}, // the county first, then what has the name
		"king":                             {7, 8, 9},
		"comté de King":                    {7, 8, 9},
		"Multnomah County":                 {1},
		"County of Multnomah":              {1},
		"multnomha county":                 {1},
		"Portland":                         {2, 6, 22},
		"Portland, Oregon":                 {2, 22},
		"Portland, OR":                     {2, 22},
		"Portland, Ore.":                   {2, 22},
		"Portland, Orgeon":                 {2, 22},
		"Portland Oregon":                  {2, 22},
		"portland or":                      {2, 22},
		"portland me usa":                  {6},
		"portland oregon united states":    {2, 22},
		"portland oreg":                    {2, 22},
		"glebe ottawa":                     {13},
		"glebe ottawa on canada":           {13},
		"st johns portland or":             {3},
		"saint jons portland":              {3},
		"downtown portland":                {2, 6},
		"portland downtown":                {2, 6},
		"portland or 97299":                {2},
		"bend north":                       {21},
		"Portland, Multnomah County":       {2},
		"Portland, ME":                     {6},
		"Portland, Maine, USA":             {6},
		"Portland, Atlantis":               nil,
		"Portland, XX":                     nil,
		"Portland, Canada":                 nil,
		"Portland,":                        {2, 6, 22},
		"portland metro area":              {22, 2, 6},
		"Portland-Vancouver, OR-WA":        {22},
		"Stumptown":                        {2},
		"Ottawa, Ontario":                  {10},
		"Ottawa, ON":                       {10},
		"Ottawa, on, canada":               {10},
		"City of Ottawa":                   {10, 11},
		"ville d'Ottawa":                   {10, 11},
		"Glebe":                            {13},
		"the glebe":                        {13},
		"Glebe, Ottawa":                    {13},
		"Glebe, Ottawa, Ontario":           {13},
		"Le Glebe, IL":                     nil,
		"Chinatown":                        {5},
		"old town":                         {5},
		"Saint Johns":                      {3},
		"St John's, Portland":              {3},
		"st johns neighborhood":            {3},
		"Mt Tabor":                         {4},
		"mt. tabor, portland, oregon, usa": {4},
		"tabor":                            {4},
		"Harbor":                           {18, 4},
		"habror":                           {18, 4},
		"Mill and Main":                    {17},
		"moulin et main":                   nil,
		"N. Bend":                          {21},
		"north bend oregon":                {21},
		"MRC des Collines de l'Outaouais":  {16},
		"collines outaouais":               {16},
		"Quebec City":                      {15, 14},
		"province of Quebec":               {14, 15},
		"97201":                            {19},
		"zip 97201":                        {19},
		"97202":                            nil, // a number has no typing errors
		"Industry":                         {20},
		"West Virginia":                    {24},
		"the":                              {13},
		"county":                           {4},
		"&":                                nil,
		",":                                nil,
	} {
		var r Result
		x.Search(&Query{Name: query, Language: "en", Limit: 5}, &r)
		var got []int
		for _, m := range r.Matches {
			got = append(got, m.Index)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, r.Matches, want)
		}
	}
}

// TestWordsBesides finds names of which the query has nearly all words before those of which it has few, or the beginning of one.
func TestWordsBesides(t *testing.T) {
	x := open(t, []Entry{
		entry(0, "Port Jericport Springs", "Port Jericport Springs", 9_000), entry(1, "Upper Port Jericport Springs", "", 8_000),
		entry(2, "Lake Jericporter", "Lake Jericporter", 7_000), entry(3, "Mt. Jericport", "Mt. Jericport", 10),
		entry(4, "Lake Jericport", "", 5),
	})
	for query, want := range map[string][]Match{
		"jericport": {{3, Words, 0, false, false}, {4, Words, 0, false, false}, {0, Words, 1, false, false}, {1, Words, 2, false, false},
			{2, Words, 3, false, false}},
		"jericpor": {{0, Words, 3, false, false}, {1, Words, 3, false, false}, {2, Words, 3, false, false}, {3, Words, 3, false, false},
			{4, Words, 3, false, false}},
		"jericport lake": {{4, Words, 0, false, false}, {2, Words, 3, false, false}},
	} {
		var r Result
		x.Search(&Query{Name: query, Language: "en", Limit: 5}, &r)
		if diff := gocmp.Diff(want, r.Matches); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", query, diff)
		}
	}
}

// TestEveryNameFindsItself looks up all names of a generated gazetteer, which are first among their equals.
func TestEveryNameFindsItself(t *testing.T) {
	entries := gazetteer(3000)
	x := open(t, entries)
	var r Result
	for i := range entries {
		e := &entries[i]
		for _, language := range []string{"en", "fr"} {
			x.Search(&Query{Name: e.Name.In(language), Language: language, Limit: 50}, &r)
			at := slices.IndexFunc(r.Matches, func(m Match) bool { return m.Index == i })
			if at < 0 || r.Matches[at].Class != Exact || r.Matches[at].Other {
				t.Fatalf("%q (%s) gives %v", e.Name.In(language), language, r.Matches)
			}
			for _, m := range r.Matches[:at] {
				if other := &entries[m.Index]; Fold(other.Name.In(language)) != Fold(e.Name.In(language)) || other.Population < e.Population {
					t.Fatalf("%q (%s) gives %q before", e.Name.In(language), language, other.Name.In(language))
				}
			}
		}
	}
}

// TestWorkIsBounded asks what makes the most work of a large gazetteer.
func TestWorkIsBounded(t *testing.T) {
	x := open(t, gazetteer(50_000))
	none := func(int) bool { return false }
	var r Result
	for _, name := range []string{
		"s", "a b c d e f g h i j k l", strings.Repeat("saint ", 40), strings.Repeat("a,", 100), strings.Repeat("é", 5000),
		"north south east west", "saint, saint, saint, saint, saint", strings.Repeat("&", 256),
	} {
		x.Search(&Query{Name: name, Limit: 50, Admit: none}, &r)
		if meanings := len(r.meanings); r.visits > maxVisits+1 && meanings == 1 || meanings > maxParts+maxSuffix {
			t.Errorf("%.20q compares %d names in %d meanings", name, r.visits, meanings)
		}
	}
	q := Query{Name: "Saint Mapleton, Oregon", Limit: 5}
	if n := testing.AllocsPerRun(100, func() { x.Search(&q, &r) }); n > 120 {
		t.Errorf("%v allocations", n)
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
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{"Saint-", "St. ", "Port", "ton", "ville", "é", "an", "r", "s", " ", "The ", "City of ",
		" County", " Oregon", ", ", "&", "d'", "ᐃ", "1"}), 1, 7).Draw(t, "syllables")
	return strings.Join(parts, "")
}

func TestSearchAgreesWithLookingAtEveryName(t *testing.T) {
	var r, all Result
	rapid.Check(t, func(rt *rapid.T) {
		var entries []Entry
		for i := range rapid.IntRange(1, 60).Draw(rt, "entries") {
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
			x.SearchAll(&q, &all)
			x.Search(&q, &r)
			if diff := gocmp.Diff(all.Matches, r.Matches, equalWhenEmpty); diff != "" {
				rt.Fatalf("%+v: (-want +got)\n%s", q, diff)
			}
		}
	})
}

var equalWhenEmpty = gocmp.Transformer("present", func(list []Match) string { return fmt.Sprint(list) })

func TestPatternAgreesWithTheDefinition(t *testing.T) {
	var p pattern
	rapid.Check(t, func(rt *rapid.T) {
		alphabet := rapid.SampledFrom([]rune("abejq059ᐃé"))
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
		longer := utf8.RuneCountInString(a) - utf8.RuneCountInString(b) // as many of the errors change one bit instead of two
		if bits := bitDistance(signature([]byte(a)), signature([]byte(b))); bits > 2*want-max(longer, -longer) {
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
	for _, name := range []string{"Saint-Jean", "L’Île", "ᐃᖃᓗᐃᑦ", "\xff", "ǅ", "İ", "\xf4Î", strings.Repeat("ß", 200),
		strings.Repeat("a", 254) + "æ"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		folded := Fold(name)
		if again := Fold(folded); again != folded {
			t.Errorf("%q folds to %q, and that to %q", name, folded, again)
		}
		if upper := Fold(strings.ToUpper(name)); ascii(name) && upper != folded {
			t.Errorf("%q folds to %q in capitals, else %q", name, upper, folded)
		}
	})
}

// FuzzQuery asks anything; Search and SearchAll agree.
func FuzzQuery(f *testing.F) {
	x := open(f, world())
	for _, name := range []string{"Portland, Oregon", "the glebe", "King Countyy", "ville d'", "St,St,St", "N. Bend & \xff", "Quebec City"} {
		f.Add(name, true, uint16(0))
	}
	var fast, slow Result
	f.Fuzz(func(t *testing.T, name string, french bool, levels uint16) {
		q := Query{Name: name, Levels: schemas.LevelSet(levels), Limit: 5}
		if french {
			q.Language = "fr"
		}
		x.Search(&q, &fast)
		x.SearchAll(&q, &slow)
		if !slices.Equal(fast.Matches, slow.Matches) {
			t.Errorf("%q: %v, want %v", name, fast.Matches, slow.Matches)
		}
	})
}

// FuzzIndex opens damaged indexes.
func FuzzIndex(f *testing.F) {
	packtest.Fuzz(f, fill(f, world()), func(file *pack.File) {
		x, err := Open(file)
		if err != nil {
			return
		}
		var r Result
		for _, name := range []string{"Portland, Oregon", "king county", "habror", "s"} {
			x.Search(&Query{Name: name, Limit: 5}, &r)
		}
	})
}

// TestWordBits compares the bits of a range of words with those of each of them.
func TestWordBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.IntRange(0, 300).Draw(t, "lo")
		hi := rapid.IntRange(lo, lo+130).Draw(t, "hi")
		var want uint64
		for number := lo; number < hi; number++ {
			want |= wordBit(uint32(number))
		}
		if got := wordBits(lo, hi); got != want {
			t.Fatalf("words %d to %d: %b, want %b", lo, hi, got, want)
		}
	})
}
