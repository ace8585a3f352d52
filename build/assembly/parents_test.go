package assembly

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// linked are geographies with their parents. Outlines are those of the geographies, by key.
func linked(t rapid.TB, scratch string, outlines map[string]orb.MultiPolygon, list []Geography) map[string]*Geography {
	t.Helper()
	o, err := newOutlines(filepath.Join(scratch, "outlines.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	for i := range list {
		m := outlines[list[i].Key]
		list[i].Bound, list[i].AreaM2, list[i].Country = m.Bound(), geo.Area(m), "US"
		if _, err := o.Append(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&Assembly{Outlines: o}).link(context.Background(), list); err != nil {
		t.Fatal(err)
	}
	byKey := map[string]*Geography{}
	for i := range list {
		byKey[list[i].Key] = &list[i]
	}
	return byKey
}

// box is a rectangle in tenths of a degree, from the corner 80° W 40° N.
func box(west, south, east, north float64) orb.MultiPolygon {
	x, y := func(v float64) float64 { return -80 + v/10 }, func(v float64) float64 { return 40 + v/10 }
	return orb.MultiPolygon{{{{x(west), y(south)}, {x(east), y(south)}, {x(east), y(north)}, {x(west), y(north)}, {x(west), y(south)}}}}
}

// above is the hierarchy of a geography as text, the lowest level first.
func (g *Geography) above() string {
	var keys []string
	g.Above(func(_ schemas.Level, key string) error {
		keys = append(keys, key)
		return nil
	})
	return strings.Join(keys, " ")
}

func TestParents(t *testing.T) {
	outlines := map[string]orb.MultiPolygon{
		"us": box(0, 0, 20, 10), "de": box(0, 0, 10, 10), "md": box(10, 0, 20, 10), "metro": box(4, 0, 20, 10), "county": box(0, 0, 10, 10),
		"town": box(5, 5, 9, 9), "hamlet": box(1, 1, 2, 2), "west": box(5, 5, 7, 9), "zip": box(4, 4, 9.5, 9.5),
		"shore": box(8, 8, 9.3, 9.3), "halved": box(8, 5, 10.5, 9), "halves": box(9, 5, 12, 9), "bay": box(8, 9.4, 9, 14),
		"around": box(3, 3, 10, 10),
	}
	got := linked(t, t.TempDir(), outlines, []Geography{
		{Key: "us", Level: 70}, {Key: "de", Level: 60, States: "US_DE"}, {Key: "md", Level: 60, States: "US_MD"},
		{Key: "metro", Level: 40, States: "US_MD,US_DE"}, {Key: "county", Level: 37, States: "US_DE"}, {Key: "town", Level: 30, States: "US_DE"},
		{Key: "hamlet", Level: 30, States: "US_DE"}, {Key: "halves", Level: 30, States: "US_MD,US_DE"}, {Key: "west", Level: 10, States: "US_DE"},
		{Key: "zip", Level: 32, States: "US_DE"}, {Key: "shore", Level: 10, States: "US_DE"}, {Key: "halved", Level: 10, States: "US_DE,US_MD"},
		{Key: "bay", Level: 10, States: "US_DE"},
	})
	for key, want := range map[string]string{
		"us": "", "de": "us", "metro": "us", "county": "metro de us", "hamlet": "county de us",
		"town":   "county metro de us",      // in the box of zip, and its centre too
		"zip":    "county metro de us",      // its city is of a lower level
		"west":   "town county metro de us", // not by way of zip
		"shore":  "town county metro de us", // .59 of it is in the town and none elsewhere
		"halved": "county metro de us",      // .4 in the town, .6 in the other one: neither has .75
		"halves": "metro us",                // a third in the county and in de
		"bay":    "de us",                   // most of it is in no outline; the only state and the country are as published
	} {
		if got := got[key].above(); got != want {
			t.Errorf("%s is in %q, want %q", key, got, want)
		}
	}
	if g := got["zip"]; g.Parents[City] != "town" {
		t.Errorf("the city of the postal area is %q", g.Parents[City])
	}
}

// TestHierarchyByArea draws outlines of all levels and compares every parent with the exact overlap of outlines.
func TestHierarchyByArea(t *testing.T) {
	least := calibration.Standard().Containment
	run := 0
	dir := t.TempDir()
	scratch := func() string { // of one list of outlines
		run++
		path := filepath.Join(dir, fmt.Sprint(run))
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rapid.Check(t, func(t *rapid.T) {
		outlines, list := map[string]orb.MultiPolygon{}, []Geography{}
		for i := range rapid.IntRange(2, 14).Draw(t, "geographies") {
			level := rapid.SampledFrom(schemas.Levels).Draw(t, "level")
			key := fmt.Sprintf("%d:%d", level, i)
			if level == schemas.Country {
				key = "70" // at most one, which the code decides
			}
			if outlines[key] != nil {
				continue
			}
			g := Geography{Key: key, Level: level} // in no known state, so that area alone decides
			if level == schemas.State {
				g.States = key
			}
			list, outlines[key] = append(list, g), star(t, 1+float64(level)/12)
		}
		got := linked(t, scratch(), outlines, slices.Clone(list))
		for _, child := range list {
			last := child.Level
			got[child.Key].Above(func(level schemas.Level, key string) error {
				parent := got[key]
				if parent.Level != level || level <= last || level == schemas.PostalArea {
					t.Errorf("%s is in %s after level %d", child.Key, key, last)
				}
				last = level
				if share := exact(outlines[child.Key], outlines[key]); level != schemas.Country && share < least.Share-0.001 {
					t.Errorf("%s is in %s, which has %.4f of it", child.Key, key, share)
				}
				return nil
			})
		}
		slices.Reverse(list)
		for key, g := range linked(t, scratch(), outlines, list) {
			if g.above() != got[key].above() {
				t.Errorf("%s is in %q, in another order %q", key, got[key].above(), g.above())
			}
		}
	})
}

// star is a polygon of random radii around a random centre.
func star(t *rapid.T, size float64) orb.MultiPolygon {
	x, y := rapid.Float64Range(0, 6).Draw(t, "x"), rapid.Float64Range(0, 6).Draw(t, "y")
	var ring orb.Ring
	corners := rapid.IntRange(3, 9).Draw(t, "corners")
	for i := range corners {
		r := size * rapid.Float64Range(0.4, 1).Draw(t, "radius")
		a := 2 * math.Pi * float64(i) / float64(corners)
		ring = append(ring, orb.Point{-80 + (x+r*math.Cos(a))/10, 40 + (y+r*math.Sin(a))/10})
	}
	return orb.MultiPolygon{{append(ring, ring[0])}}
}

// exact is the share of an outline that another one contains, by an overlay.
func exact(child, parent orb.MultiPolygon) float64 {
	areas, err := coord.NewAreas(child)
	if err != nil {
		panic(err)
	}
	return areal.Polygons(parent).Share(coord.Join(areas))
}
