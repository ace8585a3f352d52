package smallareas

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
)

// openGround opens a table of ground alone: Oregon is 4 by 4 hundredths of a degree, of which small areas cover the western
// half; Washington, north of it, is covered, and so is British Columbia, north of that.
func openGround(t testing.TB) *Table {
	t.Helper()
	f := packtest.Open(t, func(out *pack.Writer) error {
		w := NewWriter(out)
		for _, g := range []struct {
			region  string
			covered bool
			outline orb.MultiPolygon
		}{
			{"US_OR", true, square(0, 0, 2, 4)}, {"US_OR", false, square(2, 0, 2, 4)}, {"US_WA", true, square(0, 4, 4, 2)},
			{"CA_BC", true, square(0, 6, 4, 2)}, {"US_OR", true, nil},
		} {
			must(t, w.AddGround(g.region, g.covered, g.outline))
		}
		return w.Finish()
	})
	table, err := Open(f)
	must(t, err)
	return table
}

func TestCoverage(t *testing.T) {
	table := openGround(t)
	us := Scope{Country: "US"}
	for _, tt := range []struct {
		name  string
		shape orb.MultiPolygon
		scope Scope
		want  float64
	}{
		{"in covered ground", square(0.5, 0.5, 1, 1), us, 1},
		{"half of it is covered", square(1, 1, 2, 2), us, 0.5},
		{"not covered", square(2.5, 1, 1, 1), us, 0},
		{"across a state, all of it covered", square(0.5, 3, 1, 2), us, 1},
		{"over the edge of the ground: the sea is no ground", square(-3, 1, 4, 1), us, 1},
		{"over the edge of the ground, three quarters covered", square(1.5, -1, 1, 2), us, 0.5},
		{"no ground at all", square(20, 20, 1, 1), us, 1},
		{"the other country is not counted", square(1, 5, 1, 2), us, 0.5},
		{"of the other country", square(1, 5.5, 1, 2), Scope{Country: "CA"}, 0.75},
		{"a state that is not in the agreement", square(0.5, 3, 1, 2), Scope{Country: "US", Regions: []string{"US_WA"}}, 0.5},
		{"nor its country", square(0.5, 3, 1, 2), Scope{Country: "US", Regions: []string{"CA"}}, 0},
	} {
		if got := table.Coverage(areal.Polygons(tt.shape), tt.scope); math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	for at, want := range map[float64]bool{0.5: true, 2.5: true, 3.5: true, 4.5: false, 20: false} {
		if got := table.HasGround(areal.Polygons(square(at, 1, 1, 1)), nil); got != want {
			t.Errorf("ground at %v: %v", at, got)
		}
	}
	_, none := openHamlet(t)
	if got := none.Coverage(areal.Disc(0, 0, 1000), us); got != 1 {
		t.Errorf("a release without states: %v", got)
	}
	inside := areal.Disc(0.01, 0.01, 300)
	if n := testing.AllocsPerRun(20, func() { table.Coverage(inside, us) }); n != 0 {
		t.Errorf("%v allocations where all ground is covered", n)
	}
}

// TestCoverageAgreesWithPoints compares the coverage of discs with random points in them.
func TestCoverageAgreesWithPoints(t *testing.T) {
	table := openGround(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		x, y, radius := 4*random.Float64()/100, 6*random.Float64()/100, 300+1500*random.Float64()
		all, covered := 0.0, 0.0
		for range 20_000 {
			angle, far := 2*math.Pi*random.Float64(), radius*math.Sqrt(random.Float64())
			lng, lat := 100*(x+far*math.Cos(angle)/111_320), 100*(y+far*math.Sin(angle)/110_574)
			if lng < 0 || lng > 4 || lat < 0 || lat > 8 {
				continue
			}
			all++
			if lat < 6 && (lng < 2 || lat > 4) {
				covered++
			}
		}
		if got := table.Coverage(areal.Disc(x, y, radius), Scope{Country: "US"}); math.Abs(got-covered/all) > 0.02 {
			t.Errorf("%v m around %v %v: %v, of the points %v", radius, x, y, got, covered/all)
		}
	}
}
