package identity

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawHomes draws homes in a square of 1 km, many of them on the borders of boxes with whole coordinates in units of 100 m.
func drawHomes(t *rapid.T, least, most int) []household {
	coordinate := rapid.OneOf(rapid.Float64Range(0, 999), rapid.Map(rapid.IntRange(0, 9), func(i int) float64 { return float64(100 * i) }))
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) household {
		return household{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}
	}), least, most).Draw(t, "homes")
}

// cut divides the square of 1 km into strips at multiples of 100 m, named p0, p1 … from west to east.
func cut(t *rapid.T) boxes {
	at := rapid.SliceOfNDistinct(rapid.IntRange(1, 9), 1, 5, rapid.ID[int]).Draw(t, "cuts")
	slices.Sort(at)
	parts, west := boxes{}, 0.0
	for i, x := range append(at, 10) {
		parts[fmt.Sprintf("p%d", i)] = box{west, 0, float64(100 * x), 1000}
		west = float64(100 * x)
	}
	return parts
}

// TestSharesOfASplit divides an outline: the shares of its parts add up to 1, with those that are too small to be successors,
// both of area and of households, and the successor is the part with the most homes.
func TestSharesOfASplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := chain{homes: drawHomes(t, leastHouseholds, 200)}
		if _, err := c.next(boxes{"a": {0, 0, 1000, 1000}}); err != nil {
			t.Fatal(err)
		}
		parts := cut(t)
		ids, err := c.next(parts)
		if err != nil {
			t.Fatal(err)
		}
		name := map[string]string{}
		for _, v := range ids.Versions {
			name[v.ID] = v.Key
		}
		area, homes := 0.0, 0.0
		for _, b := range ids.Bridges {
			if b.Measure != ByHouseholds {
				t.Fatalf("%+v", b)
			}
			area, homes = area+b.AreaShare, homes+*b.HouseholdShare
			delete(parts, name[b.New])
		}
		most := 0.0
		all := c.measurer(nil)
		for _, part := range parts { // too small
			area += part.area() / 1e6
			share := all.count(part) / float64(len(c.homes))
			homes, most = homes+share, max(most, share)
		}
		if math.Abs(area-1) > 1e-9 || math.Abs(homes-1) > 1e-9 || most >= partShare {
			t.Fatalf("areas add up to %v, homes to %v; a part with %v is no successor", area, homes, most)
		}
		for _, b := range ids.Bridges {
			if chosen := ids.Superseded[0].ReplacedBy; b.New == chosen {
				most = *b.HouseholdShare
			}
		}
		for _, b := range ids.Bridges {
			if *b.HouseholdShare > most {
				t.Fatalf("%s has %v of the homes, the successor %v", name[b.New], *b.HouseholdShare, most)
			}
		}
	})
}

// TestMergeIsSymmetric merges two outlines, and the same with their keys exchanged: both have the same successor, and the
// bridge is the same but for the names.
func TestMergeIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		homes := drawHomes(t, 0, 100)
		border := float64(100 * rapid.IntRange(1, 9).Draw(t, "border"))
		merge := func(west, east string) (shares map[string]Bridge) {
			c := chain{homes: homes}
			if _, err := c.next(boxes{west: {0, 0, border, 1000}, east: {border, 0, 1000, 1000}}); err != nil {
				t.Fatal(err)
			}
			old := map[string]string{}
			for _, o := range c.past.Current {
				old[o.ID] = map[string]string{west: "west", east: "east"}[o.Key]
			}
			ids, err := c.next(boxes{"whole": {0, 0, 1000, 1000}})
			if err != nil {
				t.Fatal(err)
			}
			shares = map[string]Bridge{}
			for i, b := range ids.Bridges {
				if b.Kind != Merge || b.New != ids.Versions[0].ID || ids.Superseded[i].ReplacedBy != b.New {
					t.Fatalf("%+v", b)
				}
				side := old[b.Old]
				b.Old = ""
				shares[side] = b
			}
			return shares
		}
		for side, b := range merge("a", "b") {
			other := merge("b", "a")[side]
			counted := b.HouseholdShare != nil
			if counted != (other.HouseholdShare != nil) || counted && *b.HouseholdShare != *other.HouseholdShare {
				t.Fatalf("homes of %s: %v and %v", side, b.HouseholdShare, other.HouseholdShare)
			}
			if b.HouseholdShare, other.HouseholdShare = nil, nil; b != other {
				t.Fatalf("%s: %+v and %+v", side, b, other)
			}
		}
	})
}

// TestSequenceIsDeterministic assigns a sequence of random releases twice.
func TestSequenceIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var releases []boxes
		var last boxes
		for range rapid.IntRange(1, 5).Draw(t, "releases") {
			last = randomRelease(t, last)
			releases = append(releases, last)
		}
		homes := drawHomes(t, 0, 60)
		run := func() (all []string) {
			c := chain{homes: homes}
			for _, r := range releases {
				ids, err := c.next(r)
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range ids.Bridges {
					share := -1.0
					if b.HouseholdShare != nil {
						share = *b.HouseholdShare
					}
					all = append(all, fmt.Sprint(b.Release, b.Old, b.New, b.Kind, b.AreaShare, share, b.Measure))
				}
				all = append(all, fmt.Sprint(ids.Versions, ids.Superseded))
			}
			return all
		}
		if a, b := run(), run(); !slices.Equal(a, b) {
			t.Fatalf("%v\n%v", a, b)
		}
	})
}
