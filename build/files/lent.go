package files

import (
	"context"
	"fmt"

	"quartier/build/assembly"
	"quartier/build/released"
	"quartier/schemas/derived"
	"quartier/schemas/release"
)

// copyLent copies what neighbours lend to the region near the border.
func (s *streets) copyLent(ctx context.Context) error {
	if err := copyNumbered(ctx, s.tx, s.db, "lent_edge", "lent_edge", s.lentEdge); err != nil {
		return err
	}
	lent := s.next.lentEdges - s.first.lentEdges
	err := copyNumbered(ctx, s.tx, s.db, "lent_destination", "destination", func(d *derived.Destination) (release.Destination, error) {
		edge := int64(d.Edge)
		row, err := s.destination(d, edge < s.next.edges-s.first.edges && edge >= -lent, lent)
		s.next.lentDestinations++
		row.FID, row.Edge = s.next.lentDestinations, s.first.edges+edge+1
		if edge < 0 {
			row.Edge = edge - s.first.lentEdges
		}
		return row, err
	})
	if err != nil {
		return err
	}
	return s.services(ctx, "lent_service", s.first.lentDestinations, s.next.lentDestinations)
}

func (s *streets) lentEdge(e *derived.LentEdge) (row release.LentEdge, err error) {
	line, err := decodeLine(e.Geom)
	if err != nil {
		return row, err
	}
	nodes := s.next.nodes - s.first.nodes
	number := func(node int32) int64 {
		if node < 0 {
			return int64(node)
		}
		return s.first.nodes + int64(node) + 1
	}
	switch {
	case int64(e.A) >= nodes || int64(e.B) >= nodes:
		return row, fmt.Errorf("is from node %d to node %d of %d", e.A, e.B, nodes)
	case !(e.LengthM >= 0 && e.LengthM <= assembly.MaxEdgeM):
		return row, fmt.Errorf("is %v metres long", e.LengthM)
	}
	s.next.lentEdges++
	return release.LentEdge{FID: s.next.lentEdges, Region: s.region, A: number(e.A), B: number(e.B), LengthM: e.LengthM,
		SourceID: e.SourceID, SourceKey: e.SourceKey, Geometry: released.LineBlob(line)}, s.checkSource(e.SourceID)
}
