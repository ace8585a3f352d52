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
	refs, parts, missing := s.parts(f)
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

// parts are the lines of an outline that are in the file, as nodes and as points, and how many lines and nodes are not.
func (s *stager) parts(f *object) (refs [][]int64, parts []orb.LineString, missing int) {
	refs = f.refs
	if f.ways != nil {
		refs, missing = s.lines.of(f.ways)
	}
	for _, way := range refs {
		line, unknown := s.nodes.Line(way)
		missing += unknown
		parts = append(parts, line)
	}
	return refs, parts, missing
}

// area is the outline of a place or a feature. Of one that leaves the extract it is what the lines in the file enclose where
// straight lines join their ends: a park at the edge is a park, and only its far side is not known.
func (s *stager) area(f *object) (orb.MultiPolygon, reason.Reason) {
	outline, why := s.outline(f)
	if why.Code != beyondExtract.Code {
		return outline, why
	}
	_, parts, _ := s.parts(f)
	outline, err := polygon.AssembleCut(parts)
	if err != nil {
		return nil, why
	}
	s.out.Issue(outlineCut, where(f.kind, f.id, f.tags["name"]))
	return outline, reason.Reason{}
}
