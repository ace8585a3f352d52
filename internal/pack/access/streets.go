package access

import (
	"errors"
	"math"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/pack"
)

// Sections of the street index, the network.Tables.
const (
	sectionEdgeA        = "street.edge.a"
	sectionEdgeB        = "street.edge.b"
	sectionEdgeLength   = "street.edge.length"
	sectionShapeEnds    = "street.shape.end"
	sectionShape        = "street.shape"
	sectionEdgeBoxes    = "street.box"
	sectionBarrier      = "barrier.shape"
	sectionBarrierEnds  = "barrier.shape.end"
	sectionBarrierBoxes = "barrier.box"
)

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
	pack.Put(out, sectionEdgeA, t.A)
	pack.Put(out, sectionEdgeB, t.B)
	pack.Put(out, sectionEdgeLength, t.Length)
	pack.Put(out, sectionShapeEnds, t.ShapeEnds)
	pack.Put(out, sectionShape, t.Shape)
	pack.Put(out, sectionEdgeBoxes, t.EdgeBoxes)
	pack.Put(out, sectionBarrier, t.Barrier)
	pack.Put(out, sectionBarrierEnds, t.BarrierEnds)
	pack.Put(out, sectionBarrierBoxes, t.BarrierBoxes)
}

// openStreets loads the index; nil if that fails.
func openStreets(l *pack.Loader) *network.Snapper {
	t := network.Tables{
		A:            pack.Load[uint32](l, sectionEdgeA, pack.Any),
		B:            pack.Load[uint32](l, sectionEdgeB, pack.Any),
		Length:       pack.Load[uint32](l, sectionEdgeLength, pack.Any),
		ShapeEnds:    pack.Load[uint32](l, sectionShapeEnds, pack.Any),
		Shape:        pack.Load[coord.Point](l, sectionShape, pack.Any),
		EdgeBoxes:    pack.Load[coord.Point](l, sectionEdgeBoxes, pack.Any),
		Barrier:      pack.Load[coord.Point](l, sectionBarrier, pack.Any),
		BarrierEnds:  pack.Load[uint32](l, sectionBarrierEnds, pack.Any),
		BarrierBoxes: pack.Load[coord.Point](l, sectionBarrierBoxes, pack.Any),
	}
	snapper, err := network.SnapperFrom(t)
	if err != nil {
		l.Fail("%v", err)
	}
	return snapper
}
