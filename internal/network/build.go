package network

import "quartier/internal/coord"

// Direction is the way that one may go along a line.
type Direction uint8

// Directions.
const (
	Both Direction = iota
	Forward
	Backward
)

// Line is a street as it goes into a Builder.
type Line struct {
	Points    []coord.Point
	Nodes     []int64 // one for each point: lines meet where they share one; nil: where points lie together
	Direction Direction
}

// Options of a Builder.
type Options struct {
	MaxEdgeM float64 // longer edges are cut evenly; 0: none is
	MinNodes int     // smaller components are left out, unless all are smaller: then the largest stays
}

// Report says what became of the lines.
type Report struct {
	Lines             int
	DroppedComponents int // components left out
	DroppedNodes      int
	DroppedMetres     float64
	FirstDropped      uint32 // a line of the first one left out
	NoLength          int    // edges without length that lead nowhere, left out: a single point, or a ring of one
}

// Builder makes a Graph. It keeps flat copies of what it was given, 16 bytes a vertex; Finish needs about 20 more.
type Builder struct {
	options    Options
	points     pile[coord.Point]
	keys       pile[int64] // of each vertex: the id of its node, or where it lies
	ends       []uint32
	directions []Direction
	placed     []bool // of each line: its keys are where its vertices lie
	oneWay     bool   // some line is
}

// NewBuilder makes an empty Builder.
func NewBuilder(o Options) *Builder { return &Builder{options: o} }

// Add takes a line. Its slices are not kept. A vertex that repeats the one before it is one with it. All lines together
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

// Finish makes the graph: nodes where lines meet or end, and along long edges; numbered along a Hilbert curve. Edges
// are ordered by their lower node, then the higher one, then the line. The Builder is empty afterwards.
func (b *Builder) Finish() (*Graph, Report) {
	report := Report{Lines: len(b.ends)}
	d := newDraft(b)
	d.cutLines(b, &report)
	least, directions, oneWay := b.options.MinNodes, b.directions, b.oneWay
	*b = Builder{options: b.options}
	d.leaveIslands(least, &report)
	return d.graph(directions, oneWay), report
}
