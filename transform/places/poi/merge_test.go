package poi

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/sorter"
)

// at is a POI some metres east of a point in Dover.
func at(source, key, name, category string, metres float64) POI {
	p := POI{Source: source, Key: key, Name: name, Point: orb.Point{-75.52 + metres/86500, 39.15}, categories: mustSet(category)}
	if source != "osm" {
		p.priority = 1
	}
	p.name = newNameKey(name)
	return p
}

// placesOf are the places of POIs, not yet merged.
func placesOf(t testing.TB, list []*POI) *places {
	sorted, bytes := sorter.New("", 1<<20, compareRows), 0
	defer sorted.Close()
	for _, p := range list {
		bytes += len(p.name)
		if err := sorted.Add(p.encode(nil)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := newPlaces("", sorted, len(list), bytes, func(*POI) {})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// merge merges POIs, and returns those that are kept.
func merge(t testing.TB, list []*POI) ([]*POI, []Merge) {
	s := placesOf(t, list)
	defer s.Close()
	s.merge()
	d := derivation{Result: &Result{places: s}}
	if err := d.look(); err != nil {
		t.Fatal(err)
	}
	return d.POIs, d.Merges
}

func TestMergeAcrossSources(t *testing.T) {
	phone := func(p POI) POI { p.Phone = "+1 302-655-0100"; return p }
	area := func(p POI, m2 float64) POI { p.area = m2; return p }
	brand := func(p POI) POI { p.brands = []Brand{{ID: "b"}}; return p }
	for _, c := range []struct {
		name, reason string
		a, b         POI
	}{
		{"same name", "same name nearby", at("osm", "a", "Joe's Cafe", "cafes", 0), at("x", "b", "Joes Café", "cafes", 120)},
		{"same name too far", "", at("osm", "a", "Joe's Cafe", "cafes", 0), at("x", "b", "Joes Café", "cafes", 160)},
		{"same name, large place", "same name nearby", area(at("osm", "a", "Big Park", "parks", 0), 1e6), at("x", "b", "Big Park", "parks", 700)},
		{"large place second", "same name nearby", at("osm", "a", "Big Park", "parks", 0), area(at("x", "b", "Big Park", "parks", 700), 1e6)},
		{"longer name", "similar name nearby", at("osm", "a", "Starbucks", "cafes", 0), at("x", "b", "Starbucks Coffee", "cafes", 60)},
		{"longer name too far", "", at("osm", "a", "Starbucks", "cafes", 0), at("x", "b", "Starbucks Coffee", "cafes", 100)},
		{"telephone", "similar name and same telephone", phone(at("osm", "a", "Joe's Fine Coffee", "cafes", 0)),
			phone(at("x", "b", "Joe's Coffee Bar", "cafes", 100))},
		{"brand", "same brand at the same spot", brand(at("osm", "a", "CVS", "pharmacies", 0)),
			brand(at("x", "b", "Minute Clinic", "pharmacies", 40))},
		{"a related category", "same name nearby", at("osm", "a", "Joe's Cafe", "cafes", 0), at("x", "b", "Joe's Cafe", "restaurants", 5)},
		{"nothing alike", "", at("osm", "a", "Joe's Cafe", "cafes", 0), at("x", "b", "Blue Moon", "cafes", 0)},
		{"no shared category", "", at("osm", "a", "Joe's", "cafes", 0), at("x", "b", "Joe's", "banks", 0)},
		{"only a sum is shared", "", at("osm", "a", "Joe's", "shops_and_services", 0), at("x", "b", "Joe's", "shops_and_services", 0)},
		{"two bus stops", "", at("osm", "a", "Main St", "bus_stops", 0), at("x", "b", "Main St", "bus_stops", 5)},
		{"two branches with numbers", "", at("osm", "a", "School of Rock 1", "entertainment", 0),
			at("x", "b", "School of Rock 2", "entertainment", 20)},
	} {
		kept, merges := merge(t, []*POI{&c.b, &c.a})
		reason := ""
		if len(merges) == 1 {
			reason = merges[0].Reason
			if merges[0].KeptKey != "a" || merges[0].MergedKey != "b" || len(kept) != 1 {
				t.Errorf("%s: kept %d, %+v", c.name, len(kept), merges)
			}
		}
		if reason != c.reason {
			t.Errorf("%s: %q, want %q", c.name, reason, c.reason)
		}
	}
}

func TestMergeWithinASource(t *testing.T) {
	mall := at("osm", "osm:way:2", "Joe's", "non_food_shops", 0)
	mall.Tags = []string{"shopping_centre"}
	for _, c := range []struct {
		name, reason string
		a, b         POI
	}{
		{"node and area", "node and area of the same thing", at("osm", "osm:node:1", "Joe's", "cafes", 0),
			at("osm", "osm:way:2", "Joe's", "cafes", 60)},
		{"node and area far apart", "", at("osm", "osm:node:1", "Joe's", "cafes", 0), at("osm", "osm:way:2", "Joe's", "cafes", 90)},
		{"another number", "", at("osm", "osm:node:1", "Pho Bo Ga La Rideau", "cafes", 0),
			at("osm", "osm:way:2", "Pho Bo Ga 1 La Rideau", "cafes", 5)},
		{"two nodes", "", at("osm", "osm:node:1", "Starbucks", "cafes", 0), at("osm", "osm:node:2", "Starbucks", "cafes", 30)},
		{"duplicate at one spot", "same name at the same spot", at("osm", "osm:node:1", "Starbucks", "cafes", 0),
			at("osm", "osm:node:2", "Starbucks", "cafes", 5)},
		{"pieces of a park", "parts of one park", at("osm", "osm:way:1", "Big Park", "parks", 0),
			at("osm", "osm:way:2", "Big Park", "parks", 100)},
		{"a shop and its mall", "", at("osm", "osm:node:1", "Joe's", "non_food_shops", 0), mall},
	} {
		_, merges := merge(t, []*POI{&c.a, &c.b})
		reason := ""
		if len(merges) > 0 {
			reason = merges[0].Reason
		}
		if reason != c.reason {
			t.Errorf("%s: %q, want %q", c.name, reason, c.reason)
		}
	}
}

func TestMergedAttributes(t *testing.T) {
	a, b := at("osm", "a", "Joe's", "cafes", 0), at("x", "b", "Joe's", "cafes", 10)
	a.Phone, a.Tags = "mine", []string{"vegan"}
	b.Phone, b.URL, b.Address, b.Suite, b.Tags = "theirs", "http://b.com", "12 Main", "4", []string{"organic"}
	b.OpeningHours = "24/7"
	a.Wheelchair, b.Wheelchair = "no", "yes"
	b.categories |= mustSet("restaurants")
	kept, _ := merge(t, []*POI{&a, &b})
	p := kept[0]
	got := fmt.Sprint([]string{p.Phone, p.URL, p.OpeningHours, p.Wheelchair, p.Address, p.Suite, p.categories.ids()}, p.Tags)
	if want := "[mine http://b.com 24/7 no 12 Main 4 cafes,restaurants] [organic vegan]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// town draws POIs so near and similar that many are merged.
func town(t *rapid.T) []*POI {
	names := rapid.SampledFrom([]string{"Starbucks", "Starbucks Coffee", "Joe's", "Joe's Bar", "Main Street", "Big Park"})
	categories := rapid.SampledFrom([]string{"cafes", "restaurants", "parks", "bus_stops"})
	var list []*POI
	for i := range rapid.IntRange(0, 25).Draw(t, "n") {
		source := rapid.SampledFrom([]string{"osm", "x", "y"}).Draw(t, "source")
		kind := rapid.SampledFrom([]string{"node", "way"}).Draw(t, "kind")
		p := at(source, fmt.Sprintf("osm:%s:%d", kind, i), names.Draw(t, "name"), categories.Draw(t, "category"),
			rapid.Float64Range(0, 600).Draw(t, "metres"))
		p.area = rapid.SampledFrom([]float64{0, 100, 1e5}).Draw(t, "area")
		list = append(list, &p)
	}
	return list
}

// copied is a copy of a list that merging may modify.
func copied(list []*POI) []*POI {
	copies := make([]*POI, len(list))
	for i, p := range list {
		clone := *p
		copies[i] = &clone
	}
	return copies
}

func summary(kept []*POI, merges []Merge) string {
	s := fmt.Sprint(merges)
	for _, p := range kept {
		s += "\n" + p.Key + " " + p.categories.ids()
	}
	return s
}

func TestMergeDoesNotDependOnTheOrder(all *testing.T) {
	rapid.Check(all, func(t *rapid.T) {
		list := town(t)
		want := summary(merge(all, copied(list)))
		shuffled := copied(list)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)).Shuffle(len(shuffled),
			func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := summary(merge(all, shuffled)); got != want {
			t.Errorf("%s\nthen %s", want, got)
		}
	})
}

func TestDistantPOIsAreIndependent(all *testing.T) {
	rapid.Check(all, func(t *rapid.T) {
		list := town(t)
		want := summary(merge(all, copied(list)))
		far := at("x", "zzz", "Starbucks", "cafes", 5000)
		kept, merges := merge(all, append(copied(list), &far))
		if last := kept[len(kept)-1]; last.Key != "zzz" {
			t.Fatalf("the distant POI is missing: %s", last.Key)
		}
		if got := summary(kept[:len(kept)-1], merges); got != want {
			t.Errorf("%s\nthen %s", want, got)
		}
	})
}

func TestMergeMatchesAllPairs(all *testing.T) {
	rapid.Check(all, func(t *rapid.T) {
		list := town(t)
		_, got := merge(all, copied(list))
		s := placesOf(all, list)
		defer s.Close()
		order := make([]int32, len(s.list))
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(s.record(a).priority, s.record(b).priority) })
		var kept []int32
		var want []Merge
		for _, j := range order {
			var best *merged
			for _, i := range kept {
				if m, same := s.compare(i, j); same && (best == nil || closer(m, *best)) {
					best = &m
				}
			}
			if best == nil {
				kept = append(kept, j)
			} else {
				want = append(want, Merge{KeptKey: s.record(best.kept).Key, MergedKey: s.record(j).Key, DistanceM: best.metres,
					NameSimilarity: best.similarity, Reason: best.reason})
			}
		}
		slices.SortFunc(want, func(a, b Merge) int { return cmp.Compare(a.MergedKey, b.MergedKey) })
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("grid %v, all pairs %v", got, want)
		}
	})
}
