package access

import (
	"errors"
	"math"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/pack"
)

// tables are the network.Tables in sections.
type tables struct {
	A            []uint32      `pack:"street.edge.a"`
	B            []uint32      `pack:"street.edge.b"`
	Length       []uint32      `pack:"street.edge.length"`
	ShapeEnds    []uint32      `pack:"street.shape.end"`
	Shape        []coord.Point `pack:"street.shape"`
	EdgeBoxes    []coord.Point `pack:"street.box"`
	Barrier      []coord.Point `pack:"barrier.shape"`
	BarrierEnds  []uint32      `pack:"barrier.shape.end"`
	BarrierBoxes []coord.Point `pack:"barrier.box"`
}

// streets collects edges and barriers for their index.
type streets struct {
	graph    network.Graph
	vertices []coord.Point // of all barriers
	ends     []int         // of each barrier in vertices
}

func (s *streets) addEdge(e network.Edge, line []coord.Point) error {
	g := &s.graph
	if len(g.Shape)+len(line) > math.MaxUint32 {
		return errors.New("too many vertices for the format")
	}
	g.Edges = append(g.Edges, e)
	g.Shape = append(g.Shape, line...)
	g.ShapeEnds = append(g.ShapeEnds, uint32(len(g.Shape)))
	return nil
}

func (s *streets) addBarrier(line []coord.Point) {
	s.vertices = append(s.vertices, line...)
	s.ends = append(s.ends, len(s.vertices))
}

// write builds and writes the index.
func (s *streets) write(out *pack.Writer) {
	begin := 0
	barriers := make([][]coord.Point, len(s.ends))
	for i, end := range s.ends {
		barriers[i], begin = s.vertices[begin:end], end
	}
	t := network.NewSnapper(&s.graph, barriers).Tables()
	pack.Put(out, "street.edge.a", t.A)
	pack.Put(out, "street.edge.b", t.B)
	pack.Put(out, "street.edge.length", t.Length)
	pack.Put(out, "street.shape.end", t.ShapeEnds)
	pack.Put(out, "street.shape", t.Shape)
	pack.Put(out, "street.box", t.EdgeBoxes)
	pack.Put(out, "barrier.shape", t.Barrier)
	pack.Put(out, "barrier.shape.end", t.BarrierEnds)
	pack.Put(out, "barrier.box", t.BarrierBoxes)
}

// openStreets loads the index; nil if that fails.
func openStreets(l *pack.Loader) *network.Snapper {
	var t tables
	l.Fill(&t, "", nil)
	snapper, err := network.SnapperFrom(network.Tables(t))
	if err != nil {
		l.Fail("%v", err)
	}
	return snapper
}
