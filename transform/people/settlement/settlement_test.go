package settlement

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/internal/spatialite"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

// world is a region of streets, each with a key of its own.
type world struct {
	*regiontest.Region
	t       *testing.T
	streets int
}

func newWorld(t *testing.T) *world { return &world{Region: regiontest.New(t), t: t} }

// street stages a street of a source, whose points are given in metres.
func (w *world) street(source, class string, xy ...float64) {
	w.t.Helper()
	w.streets++
	regiontest.Stage(w.Region, "street", staged.Street{SourceID: source, SourceKey: fmt.Sprint("street:", w.streets), Class: class,
		Car: "both", Geom: regiontest.WKB(w.t, regiontest.Line(xy...))})
}

// around stages residential streets far around everything, so that all of it is within their hull.
func (w *world) around() {
	for _, at := range [][2]float64{{-9000, -9000}, {9000, -9000}, {9000, 9000}, {-9000, 9000}} {
		w.street("osm", "residential", at[0], at[1], at[0]+100, at[1]+50)
	}
}

func (w *world) read() *Evidence {
	w.t.Helper()
	e, err := Read(w.t.Context(), w.Staged, calibration.Standard().Demographics.Settlement)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// cut are the outlines of a division, after checking that they and the shares make up the area.
func cut(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, d *Division, area orb.MultiPolygon) []orb.MultiPolygon {
	t.Helper()
	kernel, err := spatialite.NewKernel()
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer kernel.Close()
	parts, err := d.Outlines(kernel, area)
	if err != nil {
		t.Fatalf("%v", err)
	}
	shares, sum, m2 := d.Shares(), 0.0, 0.0
	if len(parts) != len(shares) || len(parts) != d.Parts() {
		t.Fatalf("%d outlines, %d shares, %d parts", len(parts), len(shares), d.Parts())
	}
	for i, part := range parts {
		if !(shares[i] > 0) {
			t.Fatalf("part %d has the share %v", i, shares[i])
		}
		sum, m2 = sum+shares[i], m2+geo.Area(part)
	}
	if math.Abs(sum-1) > 1e-9 || math.Abs(m2/geo.Area(area)-1) > 1e-6 {
		t.Fatalf("the shares add up to %v, the parts have %v m² of %v", sum, m2, geo.Area(area))
	}
	return parts
}

// shareOf is the share of the people within a square, if the parts are settled evenly.
func shareOf(d *Division, parts []orb.MultiPolygon, square orb.MultiPolygon) (share float64) {
	within := geo.Prepare(square)
	for i, s := range d.Shares() {
		share += s * geo.Overlap(geo.Prepare(parts[i]), within, 200)
	}
	return share
}

func TestFronts(t *testing.T) {
	var got []string
	plane := geo.NewPlane(regiontest.Home)
	fronts(regiontest.Line(0, 0, 64, 0, 64, 32), 25, 10, func(at orb.Point, metres float64) {
		x, y := plane.XY(at)
		got = append(got, fmt.Sprintf("%.1f %.1f %.2f", x, y, metres))
	})
	want := []string{ // pieces of 24 m, the third one around the bend
		"12.0 10.0 12.00", "12.0 -10.0 12.00", "36.0 10.0 12.00", "36.0 -10.0 12.00", "60.0 10.0 12.00", "60.0 -10.0 12.00",
		"54.0 20.0 12.00", "74.0 20.0 12.00",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	fronts(regiontest.Line(0, 0, 0, 0), 25, 10, func(orb.Point, float64) { t.Error("a line of no length has houses") })
}

// A rural area of 4 by 4 km has a village in its southwest, and a lake in the northeast with a few roads around.
func TestVillageAndLake(t *testing.T) {
	area := regiontest.Square(0, 0, 4000, 4000)
	w := newWorld(t)
	w.around()
	for i := range 5 {
		at := 300 + 100*float64(i)
		w.street("osm", "residential", 300, at, 700, at)
	}
	w.street("osm", "primary", 0, 2000, 4000, 2000) // nobody lives along it
	w.street("osm", "residential", 2900, 2900, 3100, 3100)
	w.Feature("land", "water", regiontest.Square(2500, 2500, 3500, 3500))
	d := w.read().Divide(area, 500)
	if d == nil || d.Basis != Streets {
		t.Fatalf("division %+v", d)
	}
	parts := cut(t, d, area)
	village, lake := shareOf(d, parts, regiontest.Square(250, 250, 750, 750)), shareOf(d, parts, regiontest.Square(2500, 2500, 3500, 3500))
	regiontest.Near(t, "the village has the people but those that are spread evenly", village, 0.95, 0.02)
	regiontest.Near(t, "the lake has a sixteenth of those", lake, 0.05/16, 0.002)
}

func TestBases(t *testing.T) {
	area := regiontest.Square(0, 0, 1000, 1000)
	building := func(w *world, class string, m2, x, y float64) { w.Sized("building", class, 0, m2, regiontest.At(x, y)) }
	for _, c := range []struct {
		name   string
		stage  func(w *world)
		people float64
		west   float64 // share of the people in the western half; NaN: not divided
		basis  Basis
	}{
		{"no streets", func(w *world) {}, 100, unknown, 0},
		{"no streets here", func(w *world) { w.around() }, 100, unknown, 0},
		{"streets with houses", func(w *world) { w.around() }, 100, 0.975, Streets},
		{"nobody", func(w *world) { w.around() }, 0, unknown, 0},
		{"unknown people", func(w *world) { w.around() }, math.NaN(), 0.975, Streets},
		{"high-rises", func(w *world) { w.around() }, 200, unknown, Crowded}, // 400 m of street
		{"mapped in part", func(w *world) { w.street("osm", "residential", 0, 700, 50, 700) }, 100, unknown, 0},
		{"half as many houses", func(w *world) {
			w.around()
			w.street("osm", "tertiary", 600, 200, 1000, 200)
		}, 100, 0.05/2 + 0.95*2/3, Streets},
		{"on industrial land", func(w *world) {
			w.around()
			w.Feature("land", "industrial", regiontest.Square(0, 0, 400, 1000))
			w.street("osm", "unclassified", 600, 200, 1000, 200)
		}, 100, 0.025, Streets},
		{"hamlet among fields", func(w *world) {
			w.around()
			w.Feature("land", "farmland", regiontest.Square(-2000, -2000, 2000, 2000))
			w.Feature("land", "residential", regiontest.Square(0, 0, 400, 1000))
			w.street("osm", "unclassified", 600, 200, 1000, 200)
		}, 100, 0.025 + 0.95/1.1, Streets},
		{"the same street of two sources", func(w *world) {
			w.around()
			w.Source("statcan", 1, "roads", "2024-01-01")
			w.street("statcan", "residential", 2, 502, 402, 502)
			w.street("statcan", "residential", 600, 200, 1000, 200)
		}, 100, 0.025 + 0.95/2, Streets},
		{"buildings along the streets", func(w *world) {
			w.around()
			for x := 10.0; x < 400; x += 30 {
				building(w, "house", 100, x, 480)
				building(w, "house", 100, x, 520)
			}
			building(w, "apartments", 1300.0/3*2, 900, 500) // 28 houses and as many homes
			building(w, "garage", 400, 900, 500)
			building(w, "other", 20, 900, 500)
			building(w, "other", 4000, 900, 500)
		}, 1000, 0.5, Buildings},
		{"a few buildings are mapped", func(w *world) {
			w.around()
			building(w, "house", 100, 900, 500)
		}, 100, 0.975, Streets},
		{"buildings off the streets with room for all", func(w *world) {
			w.around()
			building(w, "house", 150, 900, 500)
			building(w, "house", 50, 200, 900)
		}, 5, 0.025 + 0.95/4, Buildings},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			if c.stage(w); c.name != "no streets" && c.name != "no streets here" {
				w.street("osm", "residential", 0, 500, 400, 500)
			}
			d := w.read().Divide(area, c.people)
			if math.IsNaN(c.west) {
				if c.basis == Crowded && d != nil && d.Basis == Crowded {
					cut(t, d, area)
				} else if d != nil {
					t.Fatalf("divided: %+v", d)
				}
				return
			}
			if d == nil || d.Basis != c.basis {
				t.Fatalf("division %+v", d)
			}
			regiontest.Near(t, "share of the west", shareOf(d, cut(t, d, area), regiontest.Square(0, 0, 500, 1000)), c.west, 0.012)
		})
	}
}

var unknown = math.NaN()

// Whatever is mapped, the parts of an area are its ground, and have all of its people.
func TestPartsMakeUpTheArea(t *testing.T) {
	c := calibration.Standard().Demographics.Settlement
	everywhere := geo.Prepare(regiontest.Square(-30_000, -30_000, 30_000, 30_000))
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Float64Range(50, 10_000).Draw(t, "size")
		area := orb.MultiPolygon{{{}}}
		for i, corners := 0, rapid.IntRange(3, 12).Draw(t, "corners"); i < corners; i++ { // a star
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
			r := size * rapid.Float64Range(0.1, 1).Draw(t, "radius")
			area[0][0] = append(area[0][0], regiontest.At(r*cos, r*sin))
		}
		area[0][0] = append(area[0][0], area[0][0][0])
		e := &Evidence{c: c, hull: everywhere}
		var found evidence
		for range rapid.IntRange(1, 200).Draw(t, "points") {
			p := regiontest.At(size*rapid.Float64Range(-1, 1).Draw(t, "x"), size*rapid.Float64Range(-1, 1).Draw(t, "y"))
			if geo.Contains(area, p) {
				weight := rapid.Float64Range(0.1, 100).Draw(t, "weight")
				found.points, found.sum = append(found.points, point{at: p, weight: weight}), found.sum+weight
			}
		}
		if found.sum == 0 {
			t.Skip("no evidence inside")
		}
		d := e.divide(geo.Prepare(area), found, Streets)
		if d == nil {
			t.Skip("one square")
		}
		if len(d.Cells) < 1 || len(d.Cells) > c.MostCells {
			t.Fatalf("%d cells", len(d.Cells))
		}
		cut(t, d, area)
	})
}
