package smallareas

import (
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/internal/pack"
)

// ground is the pieces of the ground of states: what small areas cover of it and what they do not.
type ground struct {
	region   []uint8                 `pack:"region pieces"`
	covered  []uint8                 `pack:"covered pieces"`
	boxes    []coord.Point           `pack:"box 2 pieces"`
	m2       []float64               `pack:"m2 pieces"`
	outlines pack.Lists[coord.Point] `pack:"outline pieces"`
	rings    pack.Lists[uint32]      `pack:"ring pieces"`
	index    *coord.BoxIndex
}

func (g *ground) open(l *pack.Loader) {
	pieces := len(pack.Load[uint8](l, "ground.region", pack.Any))
	l.Fill(g, "ground.", map[string]int{"pieces": pieces})
	if l.Err() != nil {
		return
	}
	bounds := make([]orb.Bound, pieces)
	for i := range bounds {
		bounds[i] = orb.Bound{Min: g.boxes[2*i].Orb(), Max: g.boxes[2*i+1].Orb()}
	}
	g.index = coord.NewBoxIndex(bounds)
}

// Coverage is the share, 0 to 1, of the ground in a shape that small areas of a scope cover. It is 1 where no ground is
// known. Most shapes touch no ground but such that is covered: for these nothing is measured.
func (t *Table) Coverage(shape *areal.Shape, scope Scope) float64 {
	g, allowed := &t.ground, t.regions(scope)
	complete := true
	bound := shape.Bound()
	g.index.Search(bound, func(i int) bool {
		complete = g.counts(i, &allowed) || shape.Relate(boxAt(g.boxes, i)) == areal.Outside
		return complete
	})
	if complete {
		return 1
	}
	all, covered := t.Ground(shape, scope)
	if !(all > 0) {
		return 1
	}
	return covered / all
}

// Ground is the ground that is known in a shape, and how much of it small areas of a scope cover, in square metres.
func (t *Table) Ground(shape *areal.Shape, scope Scope) (all, covered float64) {
	g, allowed := &t.ground, t.regions(scope)
	var window areal.Window
	meter := pack.Meter{Stop: scope.Stop}
	g.index.Search(shape.Bound(), func(i int) bool {
		if meter.Spend(len(g.outlines.At(i))) {
			return false
		}
		m2 := g.m2[i] * g.share(i, shape, &window)
		if all += m2; g.counts(i, &allowed) {
			covered += m2
		}
		return true
	})
	return all, covered
}

// HasGround reports whether any ground that is known is in a shape.
func (t *Table) HasGround(shape *areal.Shape, stop func() bool) (found bool) {
	g := &t.ground
	var window areal.Window
	meter := pack.Meter{Stop: stop}
	g.index.Search(shape.Bound(), func(i int) bool {
		found = g.share(i, shape, &window) > 0
		return !found && !meter.Spend(len(g.outlines.At(i)))
	})
	return found
}

// KnowsGround reports whether ground of a region, such as "US_DE", is known.
func (t *Table) KnowsGround(region string) bool {
	return slices.ContainsFunc(t.ground.region, func(number uint8) bool { return int(number) < len(t.codes) && t.codes[number] == region })
}

// counts reports whether a piece is covered by small areas of the allowed regions.
func (g *ground) counts(i int, allowed *regionSet) bool {
	return g.covered[i] == 1 && allowed.has(g.region[i])
}

// share is the share of a piece in a shape.
func (g *ground) share(i int, shape *areal.Shape, window *areal.Window) float64 {
	bound := boxAt(g.boxes, i)
	switch shape.Relate(bound) {
	case areal.Outside:
		return 0
	case areal.Inside:
		return 1
	}
	window.Set(shape, bound)
	return window.Share(coord.Area{Points: g.outlines.At(i), Ends: g.rings.At(i)}, bound)
}

// groundWriter writes the pieces.
type groundWriter struct {
	region   pack.Section[uint8]           `pack:"region"`
	covered  pack.Section[uint8]           `pack:"covered"`
	boxes    pack.Section[coord.Point]     `pack:"box"`
	m2       pack.Section[float64]         `pack:"m2"`
	outlines pack.ListsWriter[coord.Point] `pack:"outline"`
	rings    pack.ListsWriter[uint32]      `pack:"ring"`
}

// AddGround adds ground of a region, which small areas of its country cover or do not.
func (w *Writer) AddGround(region string, covered bool, outline orb.MultiPolygon) error {
	number, err := w.number(region)
	if err != nil {
		return fmt.Errorf("ground: %w", err)
	}
	area, err := areal.Oriented(outline)
	if err != nil {
		return fmt.Errorf("ground of %s: %w", region, err)
	}
	if len(area.Points) == 0 {
		return nil // less than the precision of coordinates
	}
	g, flag := &w.ground, uint8(0)
	if covered {
		flag = 1
	}
	box := coord.BoxAround(area.Points)
	g.region.Append(number)
	g.covered.Append(flag)
	g.boxes.Append(box.Min, box.Max)
	g.m2.Append(geo.Area(outline))
	g.outlines.Append(area.Points)
	g.rings.Append(area.Ends)
	return w.out.Err()
}
