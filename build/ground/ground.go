// Package ground divides the ground of the states of a release into what small areas cover and what they do not. Input:
// outlines of states, water and the parts of small areas. Output: pieces, each in one tile of a grid, so that a shape meets
// few of them. A state far from all small areas is divided into large tiles, and the border of what is covered into small
// ones.
package ground

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/spatialite"
)

// Sides of tiles in degrees: of the grid, and of the smallest ones.
const (
	largestTile  = 1.0
	smallestTile = 1.0 / 16
)

// negligible is the share of a piece below which what is covered or not is a difference of two publishers' borders.
const negligible = 1e-4

// Area is an outline in a region: a state, or a part of a small area.
type Area struct {
	RegionCode string // 'US_DE'
	Bound      orb.Bound
}

// Input is what the ground is divided by.
type Input struct {
	States []Area // their outlines may consist of several rows
	Parts  []Area
	Water  []orb.MultiPolygon

	State func(i int) (orb.MultiPolygon, error) // outline of a state
	Part  func(i int) (orb.MultiPolygon, error) // outline of a part
}

// Piece is ground of one region in one tile.
type Piece struct {
	RegionCode string
	Covered    bool // by small areas of its country
	Outline    orb.MultiPolygon
}

// Divide calls emit with all pieces of the ground, in an order that depends on the input only.
func Divide(ctx context.Context, in Input, emit func(Piece) error) error {
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return err
	}
	defer kernel.Close()
	d := &divider{Input: in, kernel: kernel, emit: emit, parts: indexOf(in.Parts)}
	boxes := make([]orb.Bound, len(in.Water))
	for i, m := range in.Water {
		boxes[i] = m.Bound()
	}
	d.water = coord.NewBoxIndex(boxes)
	for i, state := range in.States {
		outline, err := in.State(i)
		if err == nil {
			d.region = state.RegionCode
			err = d.state(ctx, outline)
		}
		if err != nil {
			return fmt.Errorf("ground of %s: %w", state.RegionCode, err)
		}
	}
	return nil
}

func indexOf(areas []Area) *coord.BoxIndex {
	boxes := make([]orb.Bound, len(areas))
	for i, a := range areas {
		boxes[i] = a.Bound
	}
	return coord.NewBoxIndex(boxes)
}

// divider divides one state after another.
type divider struct {
	Input
	kernel       *spatialite.Kernel
	emit         func(Piece) error
	parts, water *coord.BoxIndex
	region       string
}

// state divides the outline of a state by the grid.
func (d *divider) state(ctx context.Context, outline orb.MultiPolygon) error {
	bound := outline.Bound()
	first := func(v float64) float64 { return math.Floor(v/largestTile) * largestTile }
	for lng := first(bound.Min[0]); lng < bound.Max[0]; lng += largestTile {
		for lat := first(bound.Min[1]); lat < bound.Max[1]; lat += largestTile {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := d.tile(outline, orb.Point{lng, lat}, largestTile); err != nil {
				return err
			}
		}
	}
	return nil
}

// tile divides what is in a tile, given by its south-western corner, of the ground around it.
func (d *divider) tile(around orb.MultiPolygon, corner orb.Point, side float64) error {
	box := orb.Bound{Min: corner, Max: orb.Point{corner[0] + side, corner[1] + side}}
	ground, err := d.kernel.Intersection(around, orb.MultiPolygon{box.ToPolygon()})
	if err != nil || len(ground) == 0 {
		return err
	}
	parts := d.partsIn(box)
	water := search(d.water, box)
	switch {
	case len(parts) == 0 && len(water) == 0:
		return d.put(false, ground)
	case side <= smallestTile:
		return d.divide(ground, parts, water)
	}
	half := side / 2
	for _, at := range [][2]float64{{0, 0}, {half, 0}, {0, half}, {half, half}} {
		if err := d.tile(ground, orb.Point{corner[0] + at[0], corner[1] + at[1]}, half); err != nil {
			return err
		}
	}
	return nil
}

// partsIn are the parts of small areas of the state's country whose boxes meet a box.
func (d *divider) partsIn(box orb.Bound) (list []int) {
	for _, i := range search(d.parts, box) {
		if d.Parts[i].RegionCode[:2] == d.region[:2] {
			list = append(list, i)
		}
	}
	return list
}

func search(index *coord.BoxIndex, box orb.Bound) (list []int) {
	index.Search(box, func(i int) bool {
		list = append(list, i)
		return true
	})
	return list
}

// divide divides the ground of a tile without its water by parts of small areas.
func (d *divider) divide(ground orb.MultiPolygon, parts, water []int) error {
	var lakes, outlines orb.MultiPolygon
	for _, i := range water {
		lakes = append(lakes, d.Water[i]...)
	}
	if len(lakes) > 0 {
		lakes, err := d.kernel.Union(lakes)
		if err == nil {
			ground, err = d.kernel.Difference(ground, lakes)
		}
		if err != nil || len(ground) == 0 {
			return err
		}
	}
	inside, m2 := 0.0, geo.Area(ground)
	shape := areal.Polygons(ground)
	for _, i := range parts {
		outline, err := d.Part(i)
		if err != nil {
			return err
		}
		oriented, err := areal.Oriented(outline)
		if err != nil {
			return err
		}
		if share := shape.Share(oriented); share > 0 {
			inside += share * geo.Area(outline)
			outlines = append(outlines, outline...)
		}
	}
	switch {
	case math.Abs(inside-m2) < negligible*m2:
		return d.put(true, ground)
	case inside < negligible*m2:
		return d.put(false, ground)
	}
	return d.overlay(ground, outlines, m2)
}

// overlay divides ground by parts that cover some of it.
func (d *divider) overlay(ground, parts orb.MultiPolygon, m2 float64) error {
	covered, err := d.kernel.Union(parts)
	if err != nil {
		return err
	}
	left, err := d.kernel.Difference(ground, covered)
	if err != nil {
		return err
	}
	rest := geo.Area(left)
	switch {
	case rest < negligible*m2:
		return d.put(true, ground)
	case rest > (1-negligible)*m2:
		return d.put(false, ground)
	}
	if ground, err = d.kernel.Intersection(ground, covered); err == nil {
		err = d.put(true, ground)
	}
	if err != nil {
		return err
	}
	return d.put(false, left)
}

func (d *divider) put(covered bool, outline orb.MultiPolygon) error {
	return d.emit(Piece{d.region, covered, outline})
}
