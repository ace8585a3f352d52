package osm

import (
	"errors"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/kinds/osm/polygon"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// missingNodesReason returns why nodes of ways are missing.
func (s *stager) missingNodesReason(ways ...[]int64) reason.Reason {
	if slices.ContainsFunc(ways, s.nodes.HasInvalidLocation) {
		return source.CoordinateOutOfRange
	}
	return beyondExtract
}

// outline assembles the outline of an object, or returns why it cannot. An outline is not assembled if a part of it is
// not in the file, even if the rest is closed: an island would be taken for its county.
func (s *stager) outline(f *object) (orb.MultiPolygon, reason.Reason) {
	refs, missing := f.refs, 0
	if f.ways != nil {
		refs, missing = s.lines.of(f.ways)
	}
	var parts []orb.LineString
	for _, way := range refs {
		line, unknown := s.nodes.Line(way)
		missing += unknown
		parts = append(parts, line)
	}
	if missing > 0 {
		return nil, s.missingNodesReason(refs...)
	}
	geometry, err := polygon.Assemble(parts)
	if _, open := errors.AsType[*polygon.OpenError](err); open {
		return nil, polygon.OpenOutline
	} else if err != nil {
		return nil, source.ZeroArea
	}
	return geometry, reason.Reason{}
}
