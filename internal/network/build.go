package network

import "quartier/internal/coord"

// Direction is the allowed direction of travel along a line.
type Direction uint8

// Directions.
const (
	Both Direction = iota
	Forward
	Backward
)

// Line is a street, the input of a Builder.
type Line struct {
	Points    []coord.Point
	Nodes     []int64 // ids, one for each point: lines meet where they share one; nil: where their points are equal
	Direction Direction
}

// Options of a Builder.
type Options struct {
	MaxEdgeM float64 // longer edges are cut into equal parts; 0: none is
	MinNodes int     // smaller components are dropped; if all are smaller the largest stays
}

// Report counts what a Builder dropped.
type Report struct {
	Lines             int
	DroppedComponents int
	DroppedNodes      int
	DroppedMetres     float64
	FirstDropped      uint32 // a line of the first dropped component
	NoLength          int    // dropped edges of zero length from a node to itself: a line of one point
}

// Builder makes a Graph. It keeps flat copies of its input, 16 bytes a vertex; Finish needs about 20 more.
type Builder struct {
	options    Options
	points     chunkedList[coord.Point]
	keys       chunkedList[int64] // of each vertex: the id of its node, or its position
	ends       []uint32
	directions []Direction
	placed     []bool // of each line: its keys are positions
	oneWay     bool   // some line is one-way
}

// NewBuilder makes an empty Builder.
func NewBuilder(o Options) *Builder { return &Builder{options: o} }

// Add adds a line; its slices are copied. Consecutive vertices with the same key become one. All lines together
// have fewer than 2^32 vertices.
func (b *Builder) Add(l Line) {
	begin := b.keys.count
	for i, p := range l.Points {
		key := int64(p.Lng)<<32 | int64(uint32(p.Lat))
		if l.Nodes != nil {
			key = l.Nodes[i]
		}
		if b.keys.count > begin && b.keys.at(uint32(b.keys.count-1)) == key {
			continue
		}
		b.points.add(p)
		b.keys.add(key)
	}
	b.ends = append(b.ends, uint32(b.keys.count))
	b.directions = append(b.directions, l.Direction)
	b.placed = append(b.placed, l.Nodes == nil)
	b.oneWay = b.oneWay || l.Direction != Both
}

// Finish returns the graph. Its nodes are where lines meet or end and along long edges; they are numbered along a Hilbert
// curve. Edges are ordered by their lower node, then the higher one, then the line. The Builder is empty afterwards.
func (b *Builder) Finish() (*Graph, Report) {
	report := Report{Lines: len(b.ends)}
	d := newGraphBuilder(b)
	d.cutLines(b, &report)
	minNodes, directions, oneWay := b.options.MinNodes, b.directions, b.oneWay
	*b = Builder{options: b.options}
	d.dropSmallComponents(minNodes, &report)
	return d.graph(directions, oneWay), report
}
