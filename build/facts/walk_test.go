package facts

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/build/homes"
	"quartier/schemas"
)

// The median way is that of the home with the median score, if the score falls with the way: from the longest way down, that at
// which half of the weight of the homes is reached at which the class is known.
func TestMedianHome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := uint64(1) << schemas.MustChannel(targets[0].measure)
		n := rapid.IntRange(1, 30).Draw(t, "homes")
		list := make([]homes.Home, n)
		w := &world{ways: ways{metres: [][]uint16{make([]uint16, n)}}}
		c := &collector{world: w}
		for i := range list {
			list[i].Weight = rapid.Uint64Range(1, 5).Draw(t, "weight")
			list[i].Known = known * rapid.Uint64Range(0, 1).Draw(t, "known")
			w.ways.metres[0][i] = rapid.SampledFrom([]uint16{0, 1, 255, 256, 257, 4000, 30000, tooFar}).Draw(t, "way")
			c.found, c.weight = append(c.found, int32(i)), c.weight+list[i].Weight
		}
		w.homes = &homes.Index{Homes: list}
		got := c.medianHome(0)

		order, total := []int32{}, uint64(0)
		for i := range list {
			if list[i].Known != 0 {
				order, total = append(order, int32(i)), total+list[i].Weight
			}
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(w.ways.metres[0][b], w.ways.metres[0][a]) })
		want, sum := int32(-1), uint64(0)
		for _, i := range order {
			if sum += list[i].Weight; 2*sum >= total {
				want = i
				break
			}
		}
		switch {
		case total == 0 || 2*total < c.weight || w.ways.metres[0][want] == tooFar:
			if got != -1 {
				t.Fatalf("home %d, want none", got)
			}
		case got < 0 || w.ways.metres[0][got] != w.ways.metres[0][want]:
			t.Fatalf("home %d, want one as far as %d", got, want)
		}
	})
}

func TestMilitary(t *testing.T) {
	for name, want := range map[string]bool{
		"Dover Air Force Base": true, "CFB Trenton": true, "Canadian Forces Base Petawawa": true, "Naval Air Station Whidbey Island": true,
		"Base des Forces canadiennes Bagotville": true,
		"New Castle County Airport":              false, "Summit Airport": false, "Rehoboth Bay Seaplane Base": false, "Nassau Airport": false,
		"Aéroport de Québec": false,
	} {
		if got := military.MatchString(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
