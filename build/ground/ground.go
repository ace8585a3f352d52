// Package ground divides the ground of the states of a release into what small areas cover and what they do not. Input:
// outlines of states, water and the parts of small areas. Output: pieces, each in one tile of a grid, so that a shape meets
// few of them. A state far from all small areas is divided into large tiles, and the border of what is covered into small
// ones.
package ground

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/parallel"
	"quartier/internal/spatialite"
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

// Divide calls emit with all pieces of the ground, in an order that depends on the input only. The tiles of one state are
// divided on all processors; memory is that of one state's outline and pieces. State and Part are called by one goroutine
// at a time.
func Divide(ctx context.Context, in Input, emit func(Piece) error) error {
	dividers := make([]*divider, runtime.GOMAXPROCS(0))
	parts, water := indexOf(in.Parts), coord.NewBoxIndex(boundsOf(in.Water))
	var reading sync.Mutex
	for i := range dividers {
		kernel, err := spatialite.NewKernel()
		if err != nil {
			return err
		}
		defer kernel.Close()
		dividers[i] = &divider{Input: in, kernel: kernel, reading: &reading, parts: parts, water: water}
	}
	for i, state := range in.States {
		if err := divideState(ctx, dividers, i, emit); err != nil {
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

func boundsOf(list []orb.MultiPolygon) []orb.Bound {
	boxes := make([]orb.Bound, len(list))
	for i, m := range list {
		boxes[i] = m.Bound()
	}
	return boxes
}

// divideState divides a state by the grid, and its tiles in parallel.
func divideState(ctx context.Context, dividers []*divider, state int, emit func(Piece) error) error {
	first := dividers[0]
	outline, err := first.State(state)
	if err != nil {
		return err
	}
	if outline, _, err = first.kernel.MakeValid(outline); err != nil {
		return err
	}
	tiles, err := first.grid(ctx, outline)
	if err != nil {
		return err
	}
	pieces := make([][]Piece, len(tiles))
	var started atomic.Int32
	next := func() *divider { return dividers[started.Add(1)-1] }
	err = parallel.EachWith(ctx, len(tiles), next, func(d *divider, i int) error {
		d.region, d.pieces = d.States[state].RegionCode, nil
		err := d.divideTile(&tiles[i])
		pieces[i] = d.pieces
		return err
	})
	for i := 0; i < len(pieces) && err == nil; i++ {
		for _, p := range pieces[i] {
			err = cmp.Or(err, emit(p))
		}
	}
	return err
}

// divider divides one tile after another.
type divider struct {
	Input
	kernel       *spatialite.Kernel
	reading      *sync.Mutex // of parts
	parts, water *coord.BoxIndex
	region       string
	pieces       []Piece // of the tile
}

// divideTile divides a tile.
func (d *divider) divideTile(t *tile) error {
	box := t.ground.Bound()
	parts := d.partsIn(box)
	water := search(d.water, box)
	switch {
	case len(parts) == 0 && len(water) == 0:
		d.put(false, t.ground)
		return nil
	case t.side <= smallestTile:
		return d.divide(t.ground, parts, water)
	}
	for _, corner := range t.quarters() {
		quarter, err := d.cut(t.ground, corner, t.side/2)
		if err == nil && len(quarter.ground) > 0 {
			err = d.divideTile(&quarter)
		}
		if err != nil {
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
		outline, err := d.part(i)
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
		d.put(true, ground)
		return nil
	case inside < negligible*m2:
		d.put(false, ground)
		return nil
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
		d.put(true, ground)
		return nil
	case rest > (1-negligible)*m2:
		d.put(false, ground)
		return nil
	}
	if ground, err = d.kernel.Intersection(ground, covered); err != nil {
		return err
	}
	d.put(true, ground)
	d.put(false, left)
	return nil
}

func (d *divider) put(covered bool, outline orb.MultiPolygon) {
	d.pieces = append(d.pieces, Piece{d.region, covered, outline})
}

// part reads the outline of a part.
func (d *divider) part(i int) (orb.MultiPolygon, error) {
	d.reading.Lock()
	defer d.reading.Unlock()
	return d.Part(i)
}
