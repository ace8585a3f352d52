package network

import "quartier/internal/pack"

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
	Points    []pack.Point
	Nodes     []int64 // one for each point: lines meet where they share one; nil: where points lie together
	Direction Direction
}

// Options of a Builder.
type Options struct {
	MaxEdgeM   float64 // longer edges are cut evenly; 0: none is
	LeastNodes int     // smaller components are left out, unless all are smaller: then the largest stays
}

// Report says what became of the lines.
type Report struct {
	Lines        int
	Islands      int // components left out
	IslandNodes  int
	IslandMetres float64
	FirstIsland  uint32 // a line of the first one left out
	NoLength     int    // edges without length, left out
}

// Builder makes a Graph.
type Builder struct{}

// NewBuilder makes an empty Builder.
func NewBuilder(o Options) *Builder { panic("not written yet") }

// Add takes a line. Its slices are not kept.
func (b *Builder) Add(l Line) { panic("not written yet") }

// Finish makes the graph: nodes where lines meet or end, and along long edges; numbered along a Hilbert curve.
func (b *Builder) Finish() (*Graph, Report) { panic("not written yet") }
