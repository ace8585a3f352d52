package scores

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/build/assembly"
	"quartier/schemas"
)

// naiveMedian computes the median by its definition: it sorts the values and adds up their weights.
func naiveMedian(homes []home, s int) uint16 {
	homes = slices.Clone(homes)
	var total, known, sum uint64
	for _, h := range homes {
		total += h.weight
		if h.values[s] != schemas.AbsentValue {
			known += h.weight
		}
	}
	slices.SortFunc(homes, func(a, b home) int { return cmp.Compare(a.values[s], b.values[s]) })
	if 2*known < total {
		return schemas.AbsentValue
	}
	for _, h := range homes {
		if sum += h.weight; 2*sum >= known && h.values[s] != schemas.AbsentValue {
			return h.values[s]
		}
	}
	return schemas.AbsentValue
}

func drawHomes(t *rapid.T) []home {
	value := rapid.OneOf(rapid.Uint16Range(0, 50000), rapid.Uint16Range(0, 3), rapid.Uint16Range(25590, 25610), rapid.Just(schemas.AbsentValue))
	coordinate := rapid.OneOf(rapid.Float64Range(-0.05, 0.05), rapid.SampledFrom([]float64{-0.03, -0.01, 0, 0.02, 0.03}))
	homes := make([]home, rapid.IntRange(1, 40).Draw(t, "homes"))
	for i := range homes {
		homes[i] = home{
			point:  orb.Point{coordinate.Draw(t, "lng"), coordinate.Draw(t, "lat")},
			weight: rapid.OneOf(rapid.Uint64Range(1, 9), rapid.Uint64Range(1, 1e12)).Draw(t, "weight"),
			street: rapid.Bool().Draw(t, "street"),
		}
		for s := range homes[i].values {
			homes[i].values[s] = value.Draw(t, "value")
		}
	}
	return homes
}

func TestMediansMatchDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		homes := drawHomes(t)
		m := &medians{index: indexHomes(homes)}
		for i := range homes {
			m.found = append(m.found, int32(i))
		}
		got := m.scores(0)
		for s, v := range got.Values {
			if want := naiveMedian(homes, s); v != want {
				t.Fatalf("score %d is %d, want %d", s, v, want)
			}
		}
	})
}

func TestHomesInABox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		homes := drawHomes(t)
		x := indexHomes(homes)
		edge := rapid.OneOf(rapid.Float64Range(-0.06, 0.06), rapid.SampledFrom([]float64{-0.03, -0.01, 0, 0.02, 0.03}))
		box := orb.MultiPoint{{edge.Draw(t, "west"), edge.Draw(t, "south")}, {edge.Draw(t, "east"), edge.Draw(t, "north")}}.Bound()
		var want []int32
		for i, h := range x.homes {
			if box.Contains(h.point) {
				want = append(want, int32(i))
			}
		}
		if got := x.within(nil, box); !slices.Equal(got, want) {
			t.Fatalf("in %v: %v, want %v", box, got, want)
		}
	})
}

func TestNotesCountGeographiesByLevel(t *testing.T) {
	var geographies []assembly.Geography
	var all []coverage
	add := func(level schemas.Level, c coverage) {
		geographies, all = append(geographies, assembly.Geography{Level: level}), append(all, c)
	}
	add(schemas.County, outside)
	add(schemas.Metro, sufficient)
	add(schemas.Neighbourhood, outside)
	add(schemas.County, outside)
	add(schemas.County, tooFewStreets)
	got := notes(geographies, all)
	if len(got) != 2 || !strings.HasSuffix(got[0], "segments: 1 of level 37") || !strings.HasSuffix(got[1], "release: 1 of level 10, 2 of level 37") {
		t.Errorf("%q", got)
	}
}
