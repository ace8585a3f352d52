package network

import (
	"math"
	"slices"

	"quartier/internal/coord"
)

// graphBuilder is a graph under construction: nodes in any order, edges in the order of the lines.
type graphBuilder struct {
	nodes  []coord.Point
	nodeAt []uint32 // of each vertex of the lines
	edges  []Edge
	ends   []uint32 // of each edge, in shape
	shape  []coord.Point
	along  []float64 // metres to each vertex of the current edge
	metric localMetric
}

func newGraphBuilder(b *Builder) *graphBuilder {
	d := &graphBuilder{}
	d.nodeAt, d.nodes = junctions(b)
	b.keys = chunkedList[int64]{}
	return d
}

// cutLines makes the edges of all lines, from node to node. A line through nodes 1 and 2 that goes on to its end 3, with
// 150 m and 80 m between them and MaxEdgeM 100, becomes the edges 1–4 and 4–2 of 75 m and 2–3 of 80 m.
func (d *graphBuilder) cutLines(b *Builder, report *Report) {
	d.makeRoom(b)
	var stretch []coord.Point
	begin := uint32(0)
	for line, end := range b.ends {
		if end-begin == 1 {
			report.NoLength++
		}
		for first := begin; first+1 < end; {
			last := first + 1
			for d.nodeAt[last] == none {
				last++
			}
			stretch = b.points.slice(stretch[:0], first, last+1)
			if !d.cut(d.nodeAt[first], d.nodeAt[last], stretch, uint32(line), b.options.MaxEdgeM) {
				report.NoLength++
			}
			first = last
		}
		begin = end
	}
	d.nodeAt = nil
}

// makeRoom allocates for the most edges that there can be: an edge of n times the maximum length is cut into at most
// n + 1 parts.
func (d *graphBuilder) makeRoom(b *Builder) {
	cuts, edges := 0, 0
	begin := uint32(0)
	for _, end := range b.ends {
		metres := 0.0
		for v := begin + 1; v < end; v++ {
			metres += d.metric.metres(b.points.at(v-1), b.points.at(v))
			if d.nodeAt[v] != none {
				edges++
				if b.options.MaxEdgeM > 0 {
					cuts += int(metres / b.options.MaxEdgeM)
				}
				metres = 0
			}
		}
		begin = end
	}
	d.nodes = slices.Grow(d.nodes, cuts)
	d.edges, d.ends = make([]Edge, 0, edges+cuts), make([]uint32, 0, edges+cuts)
	d.shape = make([]coord.Point, 0, b.points.count+edges+2*cuts)
}

// cut makes edges of the stretch of a line between two nodes; false if it has zero length and leads back to its node.
func (d *graphBuilder) cut(from, to uint32, stretch []coord.Point, line uint32, maxM float64) bool {
	d.along = append(d.along[:0], 0)
	for i := 1; i < len(stretch); i++ {
		d.along = append(d.along, d.along[i-1]+d.metric.metres(stretch[i-1], stretch[i]))
	}
	length := d.along[len(stretch)-1]
	if length == 0 && from == to {
		return false
	}
	parts := 1
	if maxM > 0 {
		parts = max(1, int(math.Ceil(length/maxM-1e-9)))
	}
	at, done := 0, Distance(0) // the last vertex passed, the length of the parts so far
	a, begin := from, stretch[0]
	for part := 1; part <= parts; part++ {
		cutAt, b, end := length*float64(part)/float64(parts), to, stretch[len(stretch)-1]
		d.shape = append(d.shape, begin)
		for at+1 < len(stretch)-1 && (part == parts || d.along[at+1] < cutAt) {
			at++
			if p := stretch[at]; p != d.shape[len(d.shape)-1] {
				d.shape = append(d.shape, p)
			}
		}
		if part < parts {
			end = between(stretch[at], stretch[at+1], (cutAt-d.along[at])/(d.along[at+1]-d.along[at]))
			b = uint32(len(d.nodes))
			d.nodes = append(d.nodes, end)
		}
		d.shape = append(d.shape, end)
		d.ends = append(d.ends, uint32(len(d.shape)))
		until := Metres(cutAt)
		d.edges = append(d.edges, Edge{A: a, B: b, Length: max(1, until-done), Line: line})
		a, begin, done = b, end, until
	}
	return true
}

// between is the point at a share of the straight line from a to b.
func between(a, b coord.Point, share float64) coord.Point {
	return coord.Point{
		Lng: a.Lng + int32(math.Round(share*float64(int64(b.Lng)-int64(a.Lng)))),
		Lat: a.Lat + int32(math.Round(share*float64(int64(b.Lat)-int64(a.Lat)))),
	}
}

// dropSmallComponents drops the components of fewer than minNodes nodes.
func (d *graphBuilder) dropSmallComponents(minNodes int, report *Report) {
	c := newComponents(len(d.nodes))
	for _, e := range d.edges {
		c.join(e.A, e.B)
	}
	largest := uint32(none)
	for n := range c.parent {
		if root := c.root(uint32(n)); largest == none || c.size[root] > c.size[largest] {
			largest = root
		}
	}
	allSmall := largest != none && int(c.size[largest]) < minNodes
	stays := func(root uint32) bool { return int(c.size[root]) >= minNodes || allSmall && root == largest }
	d.report(c, stays, report)
	edges, ends, shape, begin := d.edges[:0], d.ends[:0], d.shape[:0], uint32(0)
	for i, e := range d.edges {
		end := d.ends[i]
		if stays(c.root(e.A)) {
			shape = append(shape, d.shape[begin:end]...)
			edges, ends = append(edges, e), append(ends, uint32(len(shape)))
		}
		begin = end
	}
	d.edges, d.ends, d.shape = edges, ends, shape
}

func (d *graphBuilder) report(c *components, stays func(uint32) bool, report *Report) {
	for _, e := range d.edges {
		root := c.root(e.A)
		if stays(root) {
			continue
		}
		report.DroppedMetres += e.Length.Metres()
		if !c.seen[root] {
			c.seen[root] = true
			if report.DroppedComponents == 0 {
				report.FirstDropped = e.Line
			}
			report.DroppedComponents++
			report.DroppedNodes += int(c.size[root])
		}
	}
}

// components are the connected components of a network, a union-find structure.
type components struct {
	parent, size []uint32
	seen         []bool
}

func newComponents(nodes int) *components {
	c := &components{make([]uint32, nodes), make([]uint32, nodes), make([]bool, nodes)}
	for i := range c.parent {
		c.parent[i], c.size[i] = uint32(i), 1
	}
	return c
}

func (c *components) root(n uint32) uint32 {
	for c.parent[n] != n {
		c.parent[n] = c.parent[c.parent[n]]
		n = c.parent[n]
	}
	return n
}

func (c *components) join(a, b uint32) {
	a, b = c.root(a), c.root(b)
	if a == b {
		return
	}
	if c.size[a] < c.size[b] {
		a, b = b, a
	}
	c.parent[b] = a
	c.size[a] += c.size[b]
}
