package previous

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/build/homes"
	"quartier/build/identity"
	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas"
)

// The geographies of the benchmark are cells of a grid, with sides of several vertices.
const (
	wide, high = 400, 250
	cell       = 0.01 // degrees
	vertices   = 16   // of a side
	people     = 1_000_000
)

// tile returns the outline of a cell whose western and eastern sides are moved by a share of its width.
func tile(i int, west, east float64) orb.MultiPolygon {
	x, y := -100+cell*float64(i%wide), 40+cell*float64(i/wide)
	corners := []orb.Point{{x + west*cell, y}, {x + cell + east*cell, y}, {x + cell + east*cell, y + cell}, {x + west*cell, y + cell},
		{x + west*cell, y}}
	var ring orb.Ring
	for c, a := range corners[:4] {
		for v := range vertices {
			at := float64(v) / vertices
			ring = append(ring, orb.Point{a[0] + at*(corners[c+1][0]-a[0]), a[1] + at*(corners[c+1][1]-a[1])})
		}
	}
	return orb.MultiPolygon{{append(ring, ring[0])}}
}

// grid returns a release of cells. In a changed one, one cell of 200 cedes a fifth of its width to its eastern neighbour,
// so that 1 % of the outlines change.
func grid(changed bool) (outlines []identity.Outline, shapes []orb.MultiPolygon) {
	for i := range wide * high {
		west, east := 0.0, 0.0
		if column := i % wide % 200; changed && i%wide < wide-1 && column < 2 {
			west, east = -0.2*float64(column), -0.2*float64(1-column)
		}
		m := tile(i, west, east)
		outlines = append(outlines, identity.Outline{
			Version: identity.Version{Key: fmt.Sprintf("grid:%06d", i)}, Level: schemas.Neighbourhood,
			Bound: m.Bound(), AreaM2: geo.Area(m), Geometry: sha256.Sum256(released.MultiPolygonBlob(m)),
		})
		shapes = append(shapes, m)
	}
	return outlines, shapes
}

// BenchmarkAssign assigns the ids of 100,000 geographies, 1 % of which changed, by area alone and with a million homes.
//
//	go test ./build/previous -run '^$' -bench Assign
func BenchmarkAssign(b *testing.B) {
	spatialitetest.Need(b)
	old, before := grid(false)
	first, err := identity.Assign(context.Background(), "r1", identity.History{}, old, nil)
	if err != nil {
		b.Fatal(err)
	}
	byID := map[string]orb.MultiPolygon{}
	for i, v := range first.Versions {
		old[i].Version, byID[v.ID] = v, before[i]
	}
	next, after := grid(true)
	random := rand.New(rand.NewPCG(1, 2))
	lived := make([]homes.Home, people)
	for i := range lived {
		lived[i] = homes.Home{Point: orb.Point{-100 + wide*cell*random.Float64(), 40 + high*cell*random.Float64()}, Weight: homes.WeightUnit}
	}
	hull := geo.Prepare(orb.MultiPolygon{{orb.Bound{Min: orb.Point{-101, 39}, Max: orb.Point{-95, 43}}.ToRing()}})
	for name, l := range map[string]Lived{"area": {}, "households": {homes.NewIndex(lived), assembly.Hulls{hull}}} {
		b.Run(name, func(b *testing.B) {
			var start, end runtime.MemStats
			runtime.ReadMemStats(&start)
			var a *identity.Assignment
			for b.Loop() {
				m, err := newMeasurer(l, func(id string) (orb.MultiPolygon, error) { return byID[id], nil },
					func(i int) (orb.MultiPolygon, error) { return after[i], nil })
				if err == nil {
					a, err = identity.Assign(context.Background(), "r2", identity.History{Current: old}, next, m)
				}
				if err != nil {
					b.Fatal(err)
				}
				m.close()
			}
			runtime.ReadMemStats(&end)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(wide*high), "ns/geography")
			b.ReportMetric(float64(len(a.Superseded)), "superseded")
			b.ReportMetric(float64(end.TotalAlloc-start.TotalAlloc)/float64(b.N)/(1<<20), "MB/op")
		})
	}
}
