package streets

import (
	"math"

	"quartier/internal/coord"
	"quartier/internal/network"
)

// Outliner draws what searches have reached. Its memory, about 6 bytes a cell, serves one drawing after another; one goroutine
// uses it at a time.
type Outliner struct {
	cells cells
	rings rings
	lines []reachedEdge
}

// reachedEdge is an edge with the costs at its ends, those of a search; network.Far: not reached.
type reachedEdge struct {
	edge     uint32
	atA, atB uint64
}

// Outlines are the outlines of what a search reaches within ascending limits of seconds, at most 254 of them, one list of
// polygons a limit: the reached parts of streets with a buffer of bufferM metres around, on a grid of cells of cellM metres,
// larger ones beyond 4,000,000 cells. The outlines of a limit contain those of the limits before. There are none where nothing is
// reached.
//
// The rings are valid: they neither cross nor touch themselves or others, and holes are inside. A point of a street is in the
// outline if it is reached; what is farther from all reached streets than bufferM and two cells is not.
func (q *Query) Outlines(o *Outliner, limits []uint32, bufferM, cellM float64) [][]Polygon {
	polygons := make([][]Polygon, len(limits))
	box, ok := o.collect(q)
	if !ok || len(limits) == 0 || len(limits) >= outside {
		return polygons
	}
	c := &o.cells
	o.rings.cells = c
	cellM = c.cover(box, max(cellM, 1), bufferM)
	costs := make([]uint64, len(limits))
	for i, limit := range limits {
		costs[i] = min(q.pace.Cost(limit), q.reach)
	}
	marks, radius := 1.0, max(bufferM/cellM, 0.5)
	if radius < 1.5 {
		marks = 2
	}
	q.draw(o, costs, marks)
	c.widen(radius)
	for i := range limits {
		polygons[i] = o.rings.trace(uint8(i))
	}
	return polygons
}

// collect lists the edges that the search has reached and their box; false if there are none.
func (o *Outliner) collect(q *Query) (box coord.Box, ok bool) {
	o.lines, box = o.lines[:0], coord.EmptyBox
	t := q.snapper.Tables()
	for _, node := range q.Reached() {
		for i := q.first[node]; i < q.first[node+1]; i++ {
			edge, other := q.edge[i], q.arcs[i].To
			if other < node && q.search.At(other) != network.Far && q.cost[0][edge] != Closed && q.cost[1][edge] != Closed {
				continue // found from the other node
			}
			o.lines = append(o.lines, reachedEdge{edge, q.startCost(t.A[edge], edge, 0), q.startCost(t.B[edge], edge, 1)})
			box = box.Union(coord.BoxAround(q.snapper.Line(edge)))
		}
	}
	for _, s := range q.seeds {
		if s.cost <= q.reach {
			box = box.Union(coord.BoxAround(q.snapper.Line(s.place.Edge)))
		}
	}
	return box, box != coord.EmptyBox
}

// startCost is the cost at an end of an edge from which the search goes along it; network.Far if it does not.
func (q *Query) startCost(node, edge uint32, way int) uint64 {
	if q.cost[way][edge] == Closed {
		return uint64(network.Far)
	}
	return uint64(q.search.At(node))
}

// draw marks the cells of all that is reached, one mark a cell along streets where the buffer closes the gaps between, else two.
func (q *Query) draw(o *Outliner, limits []uint64, marks float64) {
	c := &o.cells
	for _, l := range o.lines {
		forth, back := q.cost[0][l.edge], q.cost[1][l.edge]
		least, most := min(l.atA, l.atB), uint64(network.Far)
		if l.atA != uint64(network.Far) {
			most = l.atA + uint64(forth)
		}
		if l.atB != uint64(network.Far) {
			most = min(most, l.atB+uint64(back))
		}
		if band := bandOf(least, limits); band == bandOf(most, limits) { // as of most edges
			c.sample(q.snapper.Line(l.edge), marks, func(float64) uint8 { return band })
			continue
		}
		c.sample(q.snapper.Line(l.edge), marks, func(share float64) uint8 {
			cost := uint64(network.Far)
			if l.atA != uint64(network.Far) {
				cost = l.atA + uint64(share*float64(forth))
			}
			if l.atB != uint64(network.Far) {
				cost = min(cost, l.atB+uint64((1-share)*float64(back)))
			}
			return bandOf(cost, limits)
		})
	}
	for _, s := range q.seeds {
		if s.cost > q.reach {
			continue
		}
		length := float64(max(1, q.snapper.Edge(s.place.Edge).Length))
		c.sample(q.snapper.Line(s.place.Edge), marks, func(share float64) uint8 {
			on := network.Place{Edge: s.place.Edge, Along: network.Distance(math.Round(share * length))}
			return bandOf(s.cost+q.along(s.place, on), limits)
		})
		at := q.snapper.Point(s.place)
		c.mark(at.Lng, at.Lat, bandOf(s.cost, limits))
	}
}

// bandOf is the index of the first limit that a cost keeps; outside if there is none.
func bandOf(cost uint64, limits []uint64) uint8 {
	for band, limit := range limits {
		if cost <= limit {
			return uint8(band)
		}
	}
	return outside
}

// sample marks the cells along a line with the band at each share of its length, some marks a cell.
func (c *cells) sample(line []coord.Point, marks float64, band func(share float64) uint8) {
	whole, done := 0.0, 0.0
	for i := 1; i < len(line); i++ {
		whole += c.span(line[i-1], line[i])
	}
	whole = max(whole, 1e-9)
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		span := c.span(a, b)
		parts := max(1, int(math.Ceil(marks*span)))
		for k := 0; k <= parts; k++ {
			part := float64(k) / float64(parts)
			c.mark(a.Lng+int32(part*float64(b.Lng-a.Lng)), a.Lat+int32(part*float64(b.Lat-a.Lat)), band(min((done+part*span)/whole, 1)))
		}
		done += span
	}
}

// span is the length of a segment in cells.
func (c *cells) span(a, b coord.Point) float64 {
	return math.Hypot(float64(b.Lng-a.Lng)/float64(c.wide), float64(b.Lat-a.Lat)/float64(c.high))
}
