package access

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform/network/destination"
)

// few is a set of n places of a class.
func few(class string, n int) *destination.Set {
	set := &destination.Set{}
	for i := range n {
		set.List = append(set.List, destination.Destination{Class: class, Key: class + string(rune('A'+i%26)) + strings.Repeat("x", i/26)})
	}
	return set
}

func TestVerdicts(t *testing.T) {
	survey := destination.Content{Source: "map", Places: 12_000, Kinds: 38}
	for _, c := range []struct {
		what     string
		class    string
		places   int
		people   int64
		contents []destination.Content
		want     schemas.ClassVerdict
	}{
		{"57 schools of a whole state", "primary_school", 57, 950_000, []destination.Content{survey}, schemas.ClassFew},
		{"its capital's high schools alone", "high_school", 4, 950_000, []destination.Content{survey}, schemas.ClassFew},
		{"a state's schools, all of them public ones", "primary_school", 230, 950_000, nil, schemas.ClassUsual},
		{"3 schools of a small town", "primary_school", 3, 8_000, nil, schemas.ClassUsual},
		{"one school of a small town: others may have been left out", "primary_school", 1, 8_000, nil, schemas.ClassFew},
		{"one school of a village", "primary_school", 1, 2_000, nil, schemas.ClassUsual},
		{"no school for 8,000 people, of a map that lists few places", "primary_school", 0, 8_000,
			[]destination.Content{{Source: "map", Places: 9, Kinds: 9}}, schemas.ClassUnlisted},
		{"no school for 200 people of a map of everything", "primary_school", 0, 200, []destination.Content{survey}, schemas.ClassUnlisted},
		{"the only café of Pikesville", "cafe", 1, 49_444, []destination.Content{survey}, schemas.ClassFew},
		{"a cut around it", "cafe", 1, 25_000, []destination.Content{survey}, schemas.ClassFew},
		{"more than a quarter of the usual number", "cafe", 4, 49_444, []destination.Content{survey}, schemas.ClassUsual},
		{"less than a quarter of the usual number", "cafe", 3, 49_444, []destination.Content{survey}, schemas.ClassFew},
		{"two, as many as chance gives a quarter of the usual number", "cafe", 2, 20_000, []destination.Content{survey}, schemas.ClassFew},
		{"all of Ottawa's banks", "bank", 1, 1_017_000, []destination.Content{survey}, schemas.ClassFew},
		{"just more than a quarter of many", "restaurant", 4_600, 10_000_000, []destination.Content{survey}, schemas.ClassUsual},
		{"a village without a department store", "department_store", 0, 500, []destination.Content{{Source: "map", Places: 24, Kinds: 13}},
			schemas.ClassUnlisted},
		{"the same village, known by a list of restaurants", "department_store", 0, 500,
			[]destination.Content{{Source: "food", Places: 24, Kinds: 4}}, schemas.ClassUnlisted},
		{"no department store in a city", "department_store", 0, 500_000, []destination.Content{survey}, schemas.ClassUnlisted},
		{"a city's list of restaurants", "restaurant", 2_068, 1_017_000, []destination.Content{{Source: "food", Places: 4_513, Kinds: 9}},
			schemas.ClassUsual},
		{"shops of a list of supermarkets", "shop", 900, 1_017_000, []destination.Content{{Source: "food", Places: 4_513, Kinds: 9}},
			schemas.ClassPartial},
		{"shops of a map of everything", "shop", 1_500, 1_017_000, []destination.Content{survey}, schemas.ClassUsual},
		{"a casino of a list of casinos", "casino", 1, 300_000, nil, schemas.ClassUsual},
		{"two parks of a map of streets", "park", 2, 41_000, []destination.Content{{Source: "streets", Places: 6, Kinds: 4}}, schemas.ClassFew},
		{"two parks of a map of everything", "park", 2, 41_000, []destination.Content{survey}, schemas.ClassFew},
		{"a small hamlet with a café", "cafe", 1, 200, nil, schemas.ClassUsual},
		{"36 bus stops of a state", "bus_stop", 36, 950_000, nil, schemas.ClassFew},
		{"nobody lives there", "cafe", 1, 0, nil, schemas.ClassUsual},
	} {
		set := few(c.class, c.places)
		set.Contents = c.contents
		k := NewKnown(set, Population{c.people, true, 0}, &calibration.Standard().Known)
		i := slices.IndexFunc(k.Classes, func(r schemas.RegionClass) bool { return r.Class == c.class })
		if got := k.Classes[i]; got.Verdict != c.want || got.Places != int64(c.places) || k.Has(c.class) != c.want.Known() {
			t.Errorf("%s: %+v, want %s", c.what, got, c.want)
		}
	}
}

// What the region file says of a class is believed, and so is a timetable of the stops that it serves.
func TestDeclared(t *testing.T) {
	set := few("daycare", 1)
	set.Complete, set.Lacks = []string{"daycare"}, []string{"park", "daycare"}
	set.List = append(set.List, destination.Destination{Class: "bus_stop", Key: "stop 1"}, destination.Destination{
		Class: "stop", Key: "stop 1", Services: []destination.Service{{Route: "7", Mode: "bus", TripsWeek: 300, Basis: schemas.TimetableBasis}}})
	k := NewKnown(set, Population{People: 950_000}, &calibration.Standard().Known)
	got := map[string]schemas.ClassVerdict{}
	for _, c := range k.Classes {
		got[c.Class] = c.Verdict
	}
	for class, want := range map[string]schemas.ClassVerdict{"daycare": schemas.ClassComplete, "park": schemas.ClassLacking,
		"bus_stop": schemas.ClassTimetable, "train_station": schemas.ClassUnlisted} {
		if got[class] != want {
			t.Errorf("%s: %s, want %s", class, got[class], want)
		}
	}
}

// One place more never makes a class unknown, and more people never make one known.
func TestMonotone(t *testing.T) {
	c := calibration.Known{LeastRate: 0.25, Chance: 0.3, Usual: map[string]float64{}}
	j := &judge{set: &destination.Set{}, c: &c}
	rapid.Check(t, func(t *rapid.T) {
		n, thousands := rapid.IntRange(0, 5000).Draw(t, "n"), rapid.Float64Range(0, 5000).Draw(t, "thousands")
		c.Usual["cafe"] = rapid.Float64Range(0.001, 3).Draw(t, "usual")
		before := j.believable(n, "cafe", thousands)
		if before && !j.believable(n+1, "cafe", thousands) {
			t.Fatalf("%d places are believable, and one more is not", n)
		}
		if !before && j.believable(n, "cafe", 1.5*thousands) {
			t.Fatalf("%d places are believable for more people only", n)
		}
	})
}

// atLeast is compared with products of plain floats, and with the normal distribution for large numbers.
func TestAtLeast(t *testing.T) {
	for _, mean := range []float64{0.01, 0.6, 3, 20} {
		term, fewer := math.Exp(-mean), 0.0
		for n := range 40 {
			if got := atLeast(n, mean); math.Abs(got-(1-fewer)) > 1e-12 {
				t.Errorf("at least %d of %v: %v, want %v", n, mean, got, 1-fewer)
			}
			fewer += term
			term *= mean / float64(n+1)
		}
	}
	for _, n := range []int{3900, 4000, 4100} {
		normal := 0.5 * math.Erfc((float64(n)-0.5-4000)/math.Sqrt(2*4000))
		if got := atLeast(n, 4000); math.Abs(got-normal) > 0.01 {
			t.Errorf("at least %d of 4000: %v, want about %v", n, got, normal)
		}
	}
	if atLeast(0, 0) != 1 || atLeast(1, 0) != 0 {
		t.Error("none is expected where nobody lives, and none proves nothing")
	}
}

// A class that consists of others is known when they are, by their usual number.
func TestComposedOfOthers(t *testing.T) {
	parts := map[string]int{"grocery": 40, "convenience": 80, "pharmacy": 30, "bank": 60}
	for _, c := range []struct {
		without string
		want    schemas.ClassVerdict
	}{{"", schemas.ClassUsual}, {"pharmacy", schemas.ClassUsual}, {"bank", schemas.ClassPartial}} {
		set := &destination.Set{}
		for _, class := range []string{"grocery", "convenience", "bank", "pharmacy"} { // in the order of a Set
			if class != c.without {
				set.List = append(set.List, few(class, parts[class]).List...)
			}
		}
		k := NewKnown(set, Population{100_000, true, 0}, &calibration.Standard().Known)
		if got := verdictOn(k, "common_need"); got != c.want {
			t.Errorf("without %q: %s, want %s", c.without, got, c.want)
		}
	}
}

// Places of the same source around a region count with the people there, and those of another source do not.
func TestAroundTheRegion(t *testing.T) {
	for _, c := range []struct {
		what   string
		lent   string
		around int64
		want   schemas.ClassVerdict
		places int64 // lent
		people int64 // of the same ground
	}{
		{"the same source has many beyond the border", "north/osm", 10_000, schemas.ClassUsual, 6, 10_000},
		{"and so many people that it has few", "north/osm", 200_000, schemas.ClassFew, 6, 200_000},
		{"another source has many", "north/list", 10_000, schemas.ClassFew, 0, 0},
	} {
		set := few("cafe", 7)
		for i := range set.List {
			set.List[i].Source = c.lent
		}
		set.List[0].Source = "osm"
		if c.lent == "north/osm" {
			set.Extracted = map[string]bool{"osm": true, "north/osm": true}
		}
		k := NewKnown(set, Population{30_000, true, c.around}, &calibration.Standard().Known)
		i := slices.Index(schemas.RatedClasses, "cafe")
		if got := k.Classes[i]; got.Verdict != c.want || got.Places != 1 || got.People != 30_000 || got.LentPlaces != c.places ||
			got.LentPeople != c.people {
			t.Errorf("%s: %+v, want %s with %d places and %d people beyond the border", c.what, got, c.want, c.places, c.people)
		}
	}
}

func verdictOn(k *Known, class string) schemas.ClassVerdict {
	return k.Classes[slices.Index(schemas.RatedClasses, class)].Verdict
}

// Every class on which there are verdicts has a usual rate, and no other.
func TestUsualRates(t *testing.T) {
	usual := calibration.Standard().Known.Usual
	for _, class := range schemas.RatedClasses {
		if !(usual[class] > 0) {
			t.Errorf("%s has no usual rate", class)
		}
	}
	if len(usual) != len(schemas.RatedClasses) {
		t.Errorf("%d rates of %d classes", len(usual), len(schemas.RatedClasses))
	}
}

// Stops that a list of some of the lines alone has are known near it, and those of another source everywhere.
func TestStopsOfSomeLines(t *testing.T) {
	for _, c := range []struct {
		what    string
		partial bool
		other   bool // a complete list has another stop, elsewhere
		lacks   []string
		want    schemas.ClassVerdict
		far     float64 // proximity 1,500 m from the stop; NaN: absent
	}{
		{"a complete timetable", false, false, nil, schemas.ClassTimetable, 1},
		{"a partial timetable", true, false, nil, schemas.ClassSome, math.NaN()},
		{"both", true, true, nil, schemas.ClassTimetable, 1},
		{"the class is declared to be unknown", true, false, []string{"bus_stop"}, schemas.ClassLacking, math.NaN()},
	} {
		w := newTown(t)
		w.road("residential", "both", [2]float64{0, 0}, [2]float64{700, 0}, [2]float64{1500, 0}, [2]float64{9000, 0})
		w.build()
		stop := func(source, key string, x float64) {
			for _, class := range []string{"bus_stop", "stop"} {
				d := w.place(class, key, x, 0)
				d.Source = source
				if class == "stop" {
					serve(d, "7", "bus", false, 0, 300)
				}
			}
		}
		stop("feed", "A", 0)
		if c.other {
			stop("all", "B", 9000)
		}
		w.set.Lists = map[string]destination.List{"feed": {Timed: true, Partial: c.partial}, "all": {Timed: true}}
		w.set.SomeLines, w.set.Lacks = c.partial, c.lacks
		r := w.measure()
		i := slices.IndexFunc(r.Classes, func(k schemas.RegionClass) bool { return k.Class == "bus_stop" })
		if got := r.Classes[i].Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		if near := r.at("nearest_bus_stop_proximity", 700, 0); near > 0 != (c.lacks == nil) {
			t.Errorf("%s: %v near the stop", c.what, near)
		}
		if far := r.at("nearest_bus_stop_proximity", 1500, 0); math.IsNaN(far) != math.IsNaN(c.far) || far == 0 {
			t.Errorf("%s: %v far from the stop", c.what, far)
		}
	}
}
