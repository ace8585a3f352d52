package geographies

import (
	"encoding/binary"
	"math"
	"slices"

	"quartier/internal/coord"
)

// edge is one edge of an outline.
type edge struct{ a, b coord.Point }

// interval is a range of latitudes, from included, to excluded.
type interval struct{ from, to int64 }

// part is what decides whether the points of a cell are in an area: the edges that separate points of the cell, and the
// latitudes at which a ray crosses an odd number of the edges that pass east of the cell.
type part struct {
	area  int32
	edges []edge
	east  []interval
}

// cell is a square of the tree: the points from west to east and south to north, both included.
type cell struct{ west, south, east, north int64 }

// A cell with few edges is not split. Some edges are allowed for each area, because neighbours share their borders, but
// only for as many areas as meet along a border of nested levels: a cell with many small outlines is split, however few
// edges each has. Cells of less than about 30 metres are not split.
const (
	fewEdges     = 8
	fewPerArea   = 4
	fewAreas     = 8
	smallestCell = 1 << 12
)

// locatorBuilder builds a locator.
type locatorBuilder struct {
	nodes   []uint32
	cells   []int32
	covered map[string]uint32 // positions of cells without parts, so that equal ones are stored once
}

// buildLocator builds the locator of areas, which are numbered from 0; areas without points contain nothing.
func buildLocator(areas []coord.Area) (nodes []uint32, cells []int32) {
	g := &locatorBuilder{covered: map[string]uint32{}}
	root := cell{math.MinInt32, math.MinInt32, math.MaxInt32, math.MaxInt32}
	var parts []part
	for i, a := range areas {
		p := part{area: int32(i)}
		for r := range a.Ends {
			ring := a.Ring(r)
			for k := 1; k < len(ring); k++ {
				p.edges = append(p.edges, edge{ring[k-1], ring[k]})
			}
		}
		if len(p.edges) > 0 {
			parts = append(parts, p)
		}
	}
	g.nodes = make([]uint32, perNode)
	g.split(0, root, nil, parts)
	return g.nodes, g.cells
}

// split fills the children of a node.
func (g *locatorBuilder) split(node int, c cell, covers []int32, parts []part) {
	size := (c.east - c.west + 1) >> childShift
	for child := range perNode {
		x, y := int64(child&childMask), int64(child>>childShift)
		west, south := c.west+x*size, c.south+y*size
		g.place(node*perNode+child, cell{west, south, west + size - 1, south + size - 1}, covers, parts)
	}
}

// place makes a child a cell or a node.
func (g *locatorBuilder) place(child int, c cell, covers []int32, parts []part) {
	covers = slices.Clone(covers)
	var remain []part
	weight := 0
	for i := range parts {
		p := parts[i].within(c)
		switch {
		case len(p.edges) > 0 || len(p.east) > 1:
		case len(p.east) == 0:
			continue
		case p.east[0] == interval{c.south, c.north + 1}:
			covers = append(covers, p.area)
			continue
		}
		remain = append(remain, p)
		weight += len(p.edges) + len(p.east)
	}
	if weight > fewEdges+fewPerArea*min(len(remain), fewAreas) && c.east-c.west >= smallestCell {
		node := len(g.nodes) / perNode
		g.nodes = append(g.nodes, make([]uint32, perNode)...)
		g.nodes[child] = uint32(node)
		g.split(node, c, covers, remain)
		return
	}
	slices.Sort(covers)
	g.nodes[child] = cellBit | g.store(c, covers, remain)
}

// store adds a cell and returns its position.
func (g *locatorBuilder) store(c cell, covers []int32, parts []part) uint32 {
	var key string
	if len(parts) == 0 {
		bytes := make([]byte, 0, 4*len(covers))
		for _, area := range covers {
			bytes = binary.LittleEndian.AppendUint32(bytes, uint32(area))
		}
		key = string(bytes)
		if at, ok := g.covered[key]; ok {
			return at
		}
		g.covered[key] = uint32(len(g.cells))
	}
	at := uint32(len(g.cells))
	g.cells = append(g.cells, int32(len(covers)), int32(len(parts)))
	g.cells = append(g.cells, covers...)
	east := int32(min(c.east+1, math.MaxInt32))
	for _, p := range parts {
		g.cells = append(g.cells, p.area, int32(len(p.edges)+len(p.east)))
		for _, e := range p.edges {
			g.cells = append(g.cells, e.a.Lng, e.a.Lat, e.b.Lng, e.b.Lat)
		}
		for _, i := range p.east { // a vertical edge east of the cell is equivalent
			g.cells = append(g.cells, east, int32(i.from), east, int32(min(i.to, math.MaxInt32)))
		}
	}
	return at
}

// within reduces the part to what is relevant in a smaller cell.
func (p *part) within(c cell) part {
	out := part{area: p.area}
	var toggles []int64
	toggle := func(i interval) {
		from, to := max(i.from, c.south), min(i.to, c.north+1)
		if from < to {
			toggles = append(toggles, from, to)
		}
	}
	for _, i := range p.east {
		toggle(i)
	}
	for _, e := range p.edges {
		switch e.relativeTo(c) {
		case separates:
			out.edges = append(out.edges, e)
		case passesEast:
			toggle(e.latitudes())
		}
	}
	out.east = odd(toggles)
	return out
}

// odd converts the ends of overlapping intervals to the intervals that an odd number of them covers.
func odd(ends []int64) []interval {
	slices.Sort(ends)
	kept := ends[:0]
	for _, end := range ends {
		if n := len(kept); n > 0 && kept[n-1] == end {
			kept = kept[:n-1]
		} else {
			kept = append(kept, end)
		}
	}
	var intervals []interval
	for i := 0; i+1 < len(kept); i += 2 {
		intervals = append(intervals, interval{kept[i], kept[i+1]})
	}
	return intervals
}

// latitudes are the latitudes at which a ray can cross the edge.
func (e edge) latitudes() interval {
	return interval{int64(min(e.a.Lat, e.b.Lat)), int64(max(e.a.Lat, e.b.Lat))}
}

// position is the position of an edge relative to a cell.
type position int

const (
	irrelevant position = iota // no ray from a point of the cell crosses it
	passesEast                 // every ray from a point of the cell at its latitudes crosses it
	separates                  // some rays cross it, some do not
)

// relativeTo is decided at the corners of the part of the cell at the edge's latitudes: if all corners of a rectangle are on
// one side of a line, so is the rectangle.
func (e edge) relativeTo(c cell) position {
	lat := e.latitudes()
	south, north := max(lat.from, c.south), min(lat.to-1, c.north)
	if south > north || int64(max(e.a.Lng, e.b.Lng)) <= c.west {
		return irrelevant
	}
	if int64(min(e.a.Lng, e.b.Lng)) > c.east {
		return passesEast
	}
	crossed := 0
	for _, lng := range [2]int64{c.west, c.east} {
		for _, lat := range [2]int64{south, north} {
			if coord.Crosses(e.a, e.b, coord.Point{Lng: int32(lng), Lat: int32(lat)}) {
				crossed++
			}
		}
	}
	switch crossed {
	case 0:
		return irrelevant
	case 4:
		return passesEast
	}
	return separates
}
