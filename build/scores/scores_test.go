package scores

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/internal/household"
	"quartier/schemas"
)

// naiveMedian computes the median by its definition: it sorts the values and adds up their weights.
func naiveMedian(list []homes.Home, s int) uint16 {
	list = slices.Clone(list)
	var total, known, sum uint64
	for _, h := range list {
		total += h.Weight
		if h.Values[s] != schemas.AbsentValue {
			known += h.Weight
		}
	}
	slices.SortFunc(list, func(a, b homes.Home) int { return cmp.Compare(a.Values[s], b.Values[s]) })
	if 2*known < total {
		return schemas.AbsentValue
	}
	for _, h := range list {
		if sum += h.Weight; 2*sum >= known && h.Values[s] != schemas.AbsentValue {
			return h.Values[s]
		}
	}
	return schemas.AbsentValue
}

func drawHomes(t *rapid.T) []homes.Home {
	value := rapid.OneOf(rapid.Uint16Range(0, 50000), rapid.Uint16Range(0, 3), rapid.Uint16Range(25590, 25610),
		rapid.Just(schemas.AbsentValue))
	coordinate := rapid.OneOf(rapid.Float64Range(-0.05, 0.05), rapid.SampledFrom([]float64{-0.03, -0.01, 0, 0.02, 0.03}))
	list := make([]homes.Home, rapid.IntRange(1, 40).Draw(t, "homes"))
	for i := range list {
		list[i] = homes.Home{
			Point:  orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")},
			Weight: rapid.OneOf(rapid.Uint64Range(1, 9), rapid.Uint64Range(1, 1e12)).Draw(t, "weight"),
			Street: rapid.Bool().Draw(t, "street"),
		}
		for s := range list[i].Values {
			list[i].Values[s] = value.Draw(t, "value")
		}
	}
	return list
}

func TestMediansMatchDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawHomes(t)
		m := &medians{index: homes.NewIndex(list)}
		for i := range list {
			m.found = append(m.found, int32(i))
		}
		got := median(&m.weights, m.index, m.found, 0)
		for s, v := range got.Values {
			if want := naiveMedian(list, s); v != want {
				t.Fatalf("score %d is %d, want %d", s, v, want)
			}
		}
	})
}

func TestNotesCountGeographiesByLevel(t *testing.T) {
	var geographies []assembly.Geography
	var all []household.Coverage
	add := func(level schemas.Level, c household.Coverage) {
		geographies, all = append(geographies, assembly.Geography{Level: level}), append(all, c)
	}
	add(schemas.County, household.Outside)
	add(schemas.Metro, household.Sufficient)
	add(schemas.Neighbourhood, household.Outside)
	add(schemas.County, household.Outside)
	add(schemas.County, household.TooFewStreets)
	got := notes(geographies, all)
	if len(got) != 2 || !strings.HasSuffix(got[0], "segments: 1 of level 37") ||
		!strings.HasSuffix(got[1], "release: 1 of level 10, 2 of level 37") {
		t.Errorf("%q", got)
	}
}
