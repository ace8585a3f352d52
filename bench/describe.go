package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"quartier/build/estimates"
	"quartier/internal/geo"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/schemas/demographics"
)

// describedSides are the sides of the cities in blocks: 250,000 and 1,000,000 blocks in all.
var describedSides = []int{500, 1000}

// nested are the sides in blocks of the geographies of each level; those of a level cover the city.
var nested = []int{4, 6, 12, 24, 50, 100, 250, 500}

// measureDescribe measures the aggregation of tables for nested geographies, and how it scales with the number of blocks.
func (b *bench) measureDescribe(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var first []float64
	for _, side := range describedSides {
		var rates []float64
		var count, peak int64
		for range b.rounds {
			out, _, bytes, err := runToEnd(ctx, self, "describe", strconv.Itoa(side), filepath.Join(b.dir, "describe.pack"))
			if err != nil {
				return err
			}
			var seconds float64
			if _, err := fmt.Sscan(out, &count, &seconds); err != nil {
				return err
			}
			rates, peak = append(rates, float64(count)/seconds), max(peak, bytes)
		}
		if first == nil {
			first = rates
		}
		b.record(result{fmt.Sprintf("describing %d geographies over %d blocks", count, side*side), "a quarter of it", runtime.GOMAXPROCS(0), "geographies/s", ratios(rates, first), 0, false},
			fmt.Sprintf("%.1f s, %.0f geographies/s, peak memory %d MB with the writing of the blocks", float64(count)/spreadOf(rates).Median, spreadOf(rates).Median, peak>>20))
	}
	return nil
}

// describeCity writes the small areas of a city to a pack, aggregates the tables of its geographies and prints their
// number and the seconds taken.
func describeCity(args []string) error {
	if len(args) != 2 {
		return errors.New("describe SIDE FILE")
	}
	side, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	c := city{side}
	if err := c.pack(args[1]); err != nil {
		return err
	}
	defer os.Remove(args[1])
	file, err := pack.Open(args[1])
	if err != nil {
		return err
	}
	defer file.Close()
	areas, err := smallareas.Open(file)
	if err != nil {
		return err
	}
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
	err = estimates.Compute(context.Background(), areas, len(places),
		func(i int) (estimates.Request, error) {
			p := places[i]
			return estimates.Request{Country: "US", Outline: c.outline(p.x, p.y, p.side, p.side)}, nil
		},
		func(_ int, d *estimates.Result) error {
			if d.Values != nil {
				described++
			}
			return nil
		})
	if err != nil {
		return err
	}
	if described != len(places) {
		return fmt.Errorf("%d of %d geographies are described", described, len(places))
	}
	fmt.Println(described, time.Since(begun).Seconds())
	return nil
}

// pack writes the block groups of the city along a Hilbert curve, with arbitrary figures.
func (c city) pack(path string) error {
	out, err := pack.Create(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	w := smallareas.NewWriter(out)
	type group struct{ x, y int }
	var groups []group
	for y := 0; y < c.side; y += groupSide {
		for x := 0; x < c.side; x += groupSide {
			groups = append(groups, group{x, y})
		}
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Compare(geo.Hilbert(c.corner(a.x, a.y)), geo.Hilbert(c.corner(b.x, b.y)))
	})
	r := rand.New(rand.NewPCG(5, 5))
	for _, g := range groups {
		var parts []smallareas.Part
		for y := g.y; y < min(g.y+groupSide, c.side); y++ {
			for x := g.x; x < min(g.x+groupSide, c.side); x++ {
				weight := float64(1 + r.IntN(100))
				parts = append(parts, smallareas.Part{Outline: c.outline(x, y, 1, 1), Weights: [demographics.Universes]float64{weight, weight / 2, weight / 2}})
			}
		}
		var values []smallareas.Value
		for i := range demographics.Cells {
			if cell := &demographics.Cells[i]; cell.Has("US") && cell.Role != demographics.Scalar {
				values = append(values, smallareas.Value{Cell: i, Figure: margin.Figure{Estimate: float64(100 + r.IntN(100)), MOE: float64(12 + r.IntN(30))}})
			}
		}
		if err := w.AddArea("US_NE", values, parts); err != nil {
			return err
		}
	}
	if err := w.Finish(); err != nil {
		return err
	}
	return out.Close()
}
