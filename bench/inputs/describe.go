package inputs

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"quartier/bench/city"
	"quartier/bench/fail"
	"quartier/build/estimates"
	"quartier/internal/geo"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/schemas/demographics"
)

// nested are the sides in blocks of the geographies of each level; those of a level cover the city.
var nested = []int{4, 6, 12, 24, 50, 100, 250, 500}

// Describe writes the small areas of a city to a pack, aggregates the tables of its geographies and prints their
// number and the seconds taken.
func Describe(args []string) {
	side := fail.Must(strconv.Atoi(args[0]))
	c := city.City{Side: side}
	packCity(c, args[1])
	defer os.Remove(args[1])
	file := fail.Must(pack.Open(args[1]))
	defer file.Close()
	areas := fail.Must(smallareas.Open(file))
	type place struct{ x, y, side int }
	var places []place
	for _, s := range nested {
		for y := 0; y+s <= side; y += s {
			for x := 0; x+s <= side; x += s {
				places = append(places, place{x, y, s})
			}
		}
	}
	begun, described := time.Now(), 0
	fail.Check(estimates.Compute(context.Background(), areas, len(places),
		func(i int) (estimates.Request, error) {
			p := places[i]
			return estimates.Request{Country: "US", Outline: c.Outline(p.x, p.y, p.side, p.side)}, nil
		},
		func(_ int, d *estimates.Result) error {
			if d.Values != nil {
				described++
			}
			return nil
		}))
	if described != len(places) {
		fail.Errorf("%d of %d geographies are described", described, len(places))
	}
	fmt.Println(described, time.Since(begun).Seconds())
}

// packCity writes the block groups of the city along a Hilbert curve, with arbitrary figures.
func packCity(c city.City, path string) {
	out := fail.Must(pack.Create(path))
	defer out.Abort()
	w := smallareas.NewWriter(out)
	type group struct{ x, y int }
	var groups []group
	for y := 0; y < c.Side; y += city.GroupSide {
		for x := 0; x < c.Side; x += city.GroupSide {
			groups = append(groups, group{x, y})
		}
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Compare(geo.Hilbert(c.Corner(a.x, a.y)), geo.Hilbert(c.Corner(b.x, b.y)))
	})
	r := rand.New(rand.NewPCG(5, 5))
	for _, g := range groups {
		var parts []smallareas.Part
		for y := g.y; y < min(g.y+city.GroupSide, c.Side); y++ {
			for x := g.x; x < min(g.x+city.GroupSide, c.Side); x++ {
				weight := float64(1 + r.IntN(100))
				parts = append(parts, smallareas.Part{Outline: c.Outline(x, y, 1, 1),
					Weights: [demographics.Universes]float64{weight, weight / 2, weight / 2}})
			}
		}
		var values []smallareas.Value
		for i := range demographics.Cells {
			if cell := &demographics.Cells[i]; cell.Has("US") && cell.Role != demographics.Scalar {
				values = append(values, smallareas.Value{Cell: i,
					Figure: margin.Figure{Estimate: float64(100 + r.IntN(100)), MOE: float64(12 + r.IntN(30))}})
			}
		}
		fail.Check(w.AddArea("US_NE", smallareas.Sigma{Within: 0.3}, values, parts))
	}
	fail.Check(w.Finish())
	fail.Check(out.Close())
}
