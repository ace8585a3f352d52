// Package home says where people live: points on streets with the households that each stands for, over which the
// medians of geographies are taken, and how many people live around a point. In go staged.block and staged.home, or the
// streets alone where nobody counted; out come derived.home and densities.
package home

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/network"
	"quartier/schemas/calibration"
	"quartier/transform/issue"
	"quartier/transform/network/street"
)

// Bases of the weights of homes, as derived.home tells them.
const (
	Households = "households"
	Street     = "street"
)

// Home is a row of derived.home.
type Home struct {
	Basis  string
	Weight float64 // households, or metres of street
	At     orb.Point
	Place  network.Place
}

// Result is where the people of a region live.
type Result struct {
	Homes   []Home
	Density *Density          // nil where nobody counted
	Notes   map[string]string // rows of derived.note, text by topic
}

// Derive finds the homes of a region whose network has streets to walk on.
func Derive(ctx context.Context, staged *duck.DB, net *street.Network, c *calibration.Calibration) (*Result, []issue.Issue, error) {
	d := &deriver{net: net, c: c, issues: issue.NewCounter("home"), result: &Result{Notes: map[string]string{}}}
	points, err := readHomes(ctx, staged)
	if err != nil {
		return nil, nil, err
	}
	var samples []sample
	if err := eachBlock(ctx, staged, func(b *block) error {
		samples = append(samples, spread(b, c.Homes)...)
		d.settle(b, points[b.key])
		delete(points, b.key)
		return nil
	}); err != nil {
		return nil, nil, err
	}
	d.tellStrays(points)
	if len(samples) > 0 {
		d.result.Density = newDensity(samples, c.Homes)
	}
	d.settleStreets()
	d.remark()
	return d.result, d.issues.Issues(), nil
}

// deriver collects homes.
type deriver struct {
	net    *street.Network
	c      *calibration.Calibration
	issues *issue.Counter
	result *Result

	blocks, byDwellings, byPeople int
	byStreet                      int // homes
}

// settle makes the homes of a block: at the points that were worked out for it, else at a point inside.
func (d *deriver) settle(b *block, points []point) {
	d.blocks++
	weight := b.households
	switch {
	case weight != nil:
	case b.dwellings != nil:
		weight = b.dwellings
		d.byDwellings++
	case b.population != nil:
		weight = b.population
		d.byPeople++
	}
	if weight == nil {
		d.issues.Add(issue.Uncoded("block without counts"), b.key)
		return
	}
	if *weight == 0 {
		return
	}
	if len(points) == 0 {
		inside, ok := geo.InteriorPoint(b.outline)
		if !ok {
			d.issues.Add(issue.Uncoded("block without a point inside"), b.key)
			return
		}
		points = []point{{1, inside}}
	}
	total := 0.0
	for _, p := range points {
		total += p.weight
	}
	for _, p := range points {
		d.add(Households, float64(*weight)*p.weight/total, p.at, b.key)
	}
}

func (d *deriver) add(basis string, weight float64, at orb.Point, where string) {
	p, ok := coord.NewPoint(at[0], at[1])
	place, near := network.Place{}, false
	if ok {
		place, near = d.net.Snapper.Snap(p, d.c.Walking.SnapM)
	}
	if !near {
		d.issues.Add(issue.Uncoded(fmt.Sprintf("home farther than %v m from any street", d.c.Walking.SnapM)), where)
		return
	}
	d.result.Homes = append(d.result.Homes, Home{basis, weight, at, place})
}

// tellStrays counts the blocks that points are of, and that are not there.
func (d *deriver) tellStrays(points map[string][]point) {
	for key := range points {
		d.issues.Add(issue.Uncoded("homes of no block"), key)
	}
}

// settleStreets takes the middle of every stretch of street that people usually live on, weighted by its length, where
// nobody counted: everywhere, or farther from any block than densities look.
func (d *deriver) settleStreets() {
	if d.blocks > 0 && d.result.Density == nil {
		return // blocks are there, and nobody told their people
	}
	lived := map[string]bool{}
	for _, class := range d.c.Homes.StreetClasses {
		lived[class] = true
	}
	walk := d.net.Walk
	for e, edge := range walk.Edges {
		if !lived[d.net.Street(uint32(e)).Class] {
			continue
		}
		begin := uint32(0)
		if e > 0 {
			begin = walk.ShapeEnds[e-1]
		}
		at := middle(walk.Shape[begin:walk.ShapeEnds[e]])
		if d.result.Density != nil {
			if d.result.Density.Counted(at) {
				continue
			}
		}
		d.byStreet++
		d.result.Homes = append(d.result.Homes, Home{
			Basis: Street, Weight: edge.Length.Metres(), At: at, Place: network.Place{Edge: uint32(e), Along: edge.Length / 2},
		})
	}
}

// middle is the point half way along a line.
func middle(shape []coord.Point) orb.Point {
	var length float64
	at := func(i int) orb.Point {
		lng, lat := shape[i].Degrees()
		return orb.Point{lng, lat}
	}
	for i := 1; i < len(shape); i++ {
		length += geo.Distance(at(i-1), at(i))
	}
	left := length / 2
	for i := 1; i < len(shape); i++ {
		a, b := at(i-1), at(i)
		step := geo.Distance(a, b)
		if step >= left && step > 0 {
			share := left / step
			return orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
		}
		left -= step
	}
	return at(len(shape) - 1)
}

// remark notes what the weights are where they are not households.
func (d *deriver) remark() {
	switch {
	case d.blocks == 0:
		d.result.Notes["medians"] = "nobody's count of households: scores of geographies are medians over residential streets by length"
	case d.byStreet > 0:
		d.result.Notes["medians beyond blocks"] = "where no block is known scores of geographies are medians over residential streets by length"
	}
	if d.result.Density == nil {
		d.result.Notes["typologies"] = "nobody's count of people: there are no typologies"
	}
	if d.byDwellings > 0 {
		d.result.Notes["medians"] = fmt.Sprintf("households are not counted in %d of %d blocks: dwellings stand for them", d.byDwellings, d.blocks)
	}
	if d.byPeople > 0 {
		d.result.Notes["medians by people"] = fmt.Sprintf("neither households nor dwellings are counted in %d of %d blocks: people stand for them", d.byPeople, d.blocks)
	}
}

// Write fills derived.home.
func (r *Result) Write(ctx context.Context, derived *duck.DB) error {
	rows, err := derived.Append(ctx, "home")
	if err != nil {
		return fmt.Errorf("write homes: %w", err)
	}
	for i, h := range r.Homes {
		if err := rows.Row(int32(i), h.Basis, h.Weight, h.At[0], h.At[1], int32(h.Place.Edge), h.Place.Along.Metres()); err != nil {
			rows.Close()
			return fmt.Errorf("write homes: %w", err)
		}
	}
	return rows.Close()
}
