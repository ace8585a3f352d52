package featuretags

import (
	"slices"
	"strings"
	"testing"

	"quartier/ingest/formats/element"
	"quartier/schemas"
)

// tagged returns the tags of a comma-separated list of "key=value".
func tagged(list string) element.Tags {
	var table element.Table
	for _, pair := range strings.Split(list, ", ") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			table.Add(key, value)
		}
	}
	return table.TagsFrom(0)
}

func rules(tb testing.TB, kinds ...string) Rules {
	r, err := NewRules(kinds)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// text returns matches as "kind class, kind class (reason)".
func text(matches []Match) string {
	var texts []string
	for _, c := range matches {
		one := strings.TrimSpace(c.Kind + " " + c.Class)
		if !c.Reason.OK() {
			one += " (" + c.Reason.String() + ")"
		}
		texts = append(texts, one)
	}
	return strings.Join(texts, ", ")
}

func TestClassify(t *testing.T) {
	r := rules(t)
	for _, c := range []struct {
		kind       element.Kinds
		tags, want string
	}{
		{element.Ways, "railway=rail", "rail branch"},
		{element.Ways, "railway=rail, usage=main", "rail main"},
		{element.Ways, "railway=rail, usage=main, service=siding", "rail yard"},
		{element.Ways, "railway=rail, usage=industrial", "rail industrial"},
		{element.Ways, "railway=rail, usage=tourism", "rail branch"},
		{element.Ways, "railway=rail, service=spur", "rail industrial"},
		{element.Ways, "railway=rail, service=yard", "rail yard"},
		{element.Ways, "railway=rail, electrified=contact_line", "rail main"},
		{element.Ways, "railway=rail, electrified=no", "rail branch"},
		{element.Ways, "railway=narrow_gauge", "rail branch"},
		{element.Ways, "railway=light_rail", "rail light_rail"},
		{element.Ways, "railway=monorail", "rail light_rail"},
		{element.Ways, "railway=subway, electrified=rail", "rail subway"},
		{element.Ways, "railway=subway, service=yard", "rail yard"},
		{element.Ways, "railway=tram", "rail tram"},
		{element.Ways, "railway=subway, tunnel=yes", "rail subway (underground)"},
		{element.Ways, "railway=rail, disused=yes", "rail branch (not_in_use)"},
		{element.Ways, "railway=disused", ""},
		{element.Ways, "railway=abandoned", ""},
		{element.Nodes, "railway=rail", ""},

		{element.Ways, "waterway=river", "water river"},
		{element.Ways, "waterway=canal, tunnel=culvert", "water canal (underground)"},
		{element.Ways, "waterway=stream", ""},
		{element.Ways, "natural=coastline", "water shore"},
		{element.Ways, "natural=water", "water shore, land water"},
		{element.Ways, "natural=water, water=river", "water shore, land water"},
		{element.Ways, "waterway=riverbank", "water shore, land water"},
		{element.Relations, "natural=water", "water shore, land water"},
		{element.Relations, "waterway=river", "water river"},
		{element.Ways, "landuse=reservoir", "water shore, land water"},
		{element.Ways, "landuse=basin", "land water"},

		{element.Ways, "landuse=forest", "land forest"},
		{element.Ways, "natural=wood, landuse=grass", "land forest"},
		{element.Ways, "landuse=grass, natural=wood", "land forest"},
		{element.Ways, "leisure=park, landuse=grass", "land park, park"},
		{element.Ways, "leisure=nature_reserve, natural=wetland", "land wetland, park"},
		{element.Ways, "leisure=golf_course", "land sport"},
		{element.Ways, "leisure=pitch, sport=soccer", "land sport"},
		{element.Ways, "amenity=school", "land institution"},
		{element.Ways, "amenity=hospital", "land institution"},
		{element.Ways, "amenity=parking", "land parking"},
		{element.Nodes, "amenity=parking", ""},
		{element.Ways, "landuse=military", "land institution"},
		{element.Ways, "landuse=farm", "land farmland"},
		{element.Ways, "landuse=no_such", ""},
		{element.Relations, "leisure=park, access=private", "land park, park (private_access: park)"},
		{element.Ways, "leisure=playground", "land park, park"},

		{element.Nodes, "natural=tree", "tree"},
		{element.Ways, "natural=tree", ""},
		{element.Ways, "natural=tree_row", "tree_row"},

		{element.Nodes, "heritage=2", "heritage"},
		{element.Ways, "ref:nrhp=7100", "heritage"},
		{element.Ways, "historic=building, building=yes", "heritage, building other"},
		{element.Ways, "historic=house, heritage=no", ""},
		{element.Nodes, "historic=memorial", ""},
		{element.Nodes, "historic=milestone", ""},

		{element.Ways, "building=yes", "building other"},
		{element.Ways, "building=detached", "building detached"},
		{element.Ways, "building=terrace", "building house"},
		{element.Ways, "building=apartments", "building apartments"},
		{element.Ways, "building=residential", "building residential"},
		{element.Ways, "building=supermarket", "building retail"},
		{element.Ways, "building=office", "building commercial"},
		{element.Ways, "building=warehouse", "building industrial"},
		{element.Ways, "building=garages", "building garage"},
		{element.Ways, "building=no", ""},
		{element.Ways, "building=construction", ""},
		{element.Nodes, "building=yes", ""},
		{element.Relations, "building=house", "building house"},
		{element.Ways, "building=yes, abandoned=yes", "building other (not_in_use)"},

		{element.Ways, "aeroway=runway", "runway"},
		{element.Ways, "aeroway=aerodrome", "land airport, aerodrome general"},
		{element.Nodes, "aeroway=aerodrome", "aerodrome general"},
		{element.Nodes, "aeroway=aerodrome, iata=YOW, name=Ottawa Macdonald–Cartier International Airport", "aerodrome international"},
		{element.Nodes, "aeroway=aerodrome, iata=YOW, aerodrome:type=international", "aerodrome international"},
		{element.Nodes, "aeroway=aerodrome, iata=ILG, type=public", "aerodrome regional"},
		{element.Nodes, "aeroway=aerodrome, type=private, iata=XYZ", "aerodrome general"},
		{element.Nodes, "aeroway=aerodrome, access=private, iata=XYZ", "aerodrome general"},
		{element.Nodes, "aeroway=aerodrome, military=airfield", "aerodrome regional"},
		{element.Nodes, "aeroway=aerodrome, name=Dover Air Force Base", "aerodrome regional"},
		{element.Nodes, "aeroway=aerodrome, name=DelDOT Helistop", "aerodrome heliport"},
		{element.Nodes, "aeroway=heliport", "aerodrome heliport"},
		{element.Nodes, "aeroway=helipad", ""},

		{element.Nodes, "highway=motorway_junction", "junction motorway"},
		{element.Nodes, "railway=level_crossing", "junction level_crossing"},
		{element.Nodes, "highway=traffic_signals", "junction signals"},
		{element.Nodes, "railway=level_crossing, highway=traffic_signals", "junction signals"},

		{element.Nodes, "barrier=gate", "gate"},
		{element.Nodes, "barrier=kissing_gate", "gate"},
		{element.Nodes, "barrier=lift_gate, access=private", "gate (private_access: gate)"},
		{element.Nodes, "barrier=gate, access=private, foot=yes", "gate"},
		{element.Nodes, "barrier=gate, foot=no", "gate (private_access: gate)"},
		{element.Nodes, "barrier=bollard", ""},
		{element.Nodes, "entrance=main", "gate"},
		{element.Nodes, "entrance=emergency", ""},
		{element.Nodes, "entrance=yes, barrier=gate", "gate"},
		{element.Ways, "barrier=gate", ""},

		{element.Ways, "shop=mall", "land retail, mall"},
		{element.Nodes, "shop=mall", ""},
		{element.Ways, "name=railway=rail", ""},
		{element.Ways, "railway=", ""},
	} {
		if got := text(r.Classify(c.kind, tagged(c.tags), nil)); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.kind, c.tags, got, c.want)
		}
	}
}

func TestRulesOfSomeKinds(t *testing.T) {
	r := rules(t, "land", "tree")
	if got := text(r.Classify(element.Ways, tagged("leisure=park, building=yes"), nil)); got != "land park" {
		t.Errorf("a park: %s", got)
	}
	if none, err := NewRules([]string{}); err != nil || len(none) != 0 {
		t.Errorf("of no kind: %d keys, %v", len(none), err)
	}
}

// TestEveryClassHasARule checks the table against the vocabulary.
func TestEveryClassHasARule(t *testing.T) {
	// by refinement
	made := map[string]bool{"rail yard": true, "rail industrial": true, "aerodrome international": true, "aerodrome regional": true}
	for _, values := range rules(t) {
		for _, list := range values {
			for _, r := range list {
				made[strings.TrimSpace(schemas.FeatureKinds[r.kind].ID+" "+r.class)] = true
			}
		}
	}
	for _, kind := range schemas.FeatureKinds {
		if _, known := shapeOf[kind.ID]; !known {
			t.Errorf("%s has no shape", kind.ID)
		}
		classes := kind.Classes
		if classes == nil {
			classes = []string{""}
		}
		for _, class := range classes {
			if !made[strings.TrimSpace(kind.ID+" "+class)] {
				t.Errorf("no rule has the kind %s and class %q", kind.ID, class)
			}
		}
	}
}

func TestParseYear(t *testing.T) {
	for text, want := range map[string]int{
		"1893": 1893, "1890-05-01": 1890, "~1905": 1905, "abt 1809": 1809, "1920s": 1920, "before 1910": 1910,
		"1914..1918": 1914, "1860-1870": 1860, "1954-12-07": 1954, "5/1/1890": 1890, "c1905": 1905, "C. 1850": 1850,
		"C19": 1800, "mid C18": 1733, "late C19": 1866, "early C20": 1900, "C5": 0, "C99": 0,
		"": 0, "old": 0, "12": 0, "0000": 0, "1066": 0, "18931": 0, "2999": 0, "éé1893": 1893,
	} {
		if got := ParseYear(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := Year(tagged("year_of_construction=1950, start_date=1893")); got != 1893 {
		t.Errorf("of two dates: %d", got)
	}
	if got := Year(tagged("start_date=unknown, building:year=1911")); got != 1911 {
		t.Errorf("next to an invalid date: %d", got)
	}
}

// FuzzYear checks that the year of any text is in range.
func FuzzYear(f *testing.F) {
	f.Add("late C19")
	f.Add("~1905..1907")
	f.Fuzz(func(t *testing.T, text string) {
		if year := ParseYear(text); year != 0 && (year < firstYear || year > lastYear) {
			t.Errorf("%q: %d", text, year)
		}
	})
}

// FuzzClassify checks that matches can be staged and have different kinds.
func FuzzClassify(f *testing.F) {
	f.Add("leisure=park, natural=water, aeroway=aerodrome", uint8(1))
	r := rules(f)
	f.Fuzz(func(t *testing.T, list string, n uint8) {
		kind := []element.Kinds{element.Nodes, element.Ways, element.Relations}[n%3]
		var seen []string
		for _, c := range r.Classify(kind, tagged(list), nil) {
			i := slices.IndexFunc(schemas.FeatureKinds, func(k schemas.FeatureKind) bool { return k.ID == c.Kind })
			if i < 0 || slices.Contains(seen, c.Kind) || c.Shape != Shore && !hasClass(schemas.FeatureKinds[i], c.Class) || c.Class == excluded {
				t.Errorf("%s %q: %+v", kind, list, c)
			}
			seen = append(seen, c.Kind)
		}
	})
}
