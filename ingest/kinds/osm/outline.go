package osm

import (
	"errors"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/kinds/osm/polygon"
	"quartier/ingest/source"
)

// trouble is why an object has no outline.
type trouble struct {
	severity source.Severity
	reason   string
}

var (
	leaves = trouble{source.Skipped, "the outline leaves the extract"}
	open   = trouble{source.Rejected, "the outline is open"}
	astray = trouble{source.Rejected, offWorld}
	void   = trouble{source.Rejected, "the outline encloses nothing"}
)

// offWorld is what is wrong with a node that has no place on Earth.
const offWorld = "coordinate outside ±180, ±90"

// gap tells why nodes of ways are missing.
func (s *stager) gap(ways ...[]int64) *trouble {
	if slices.ContainsFunc(ways, s.nodes.Misplaced) {
		return &astray
	}
	return &leaves
}

// outline assembles an object. An outline of which a part is not in the file is not assembled from the rest, even if
// that closes: an island would stand for its county.
func (s *stager) outline(f *object) (orb.MultiPolygon, *trouble) {
	refs, missing := f.refs, 0
	if f.ways != nil {
		refs, missing = s.lines.of(f.ways)
	}
	var parts []orb.LineString
	for _, way := range refs {
		line, lost := s.nodes.Line(way)
		missing += lost
		parts = append(parts, line)
	}
	if missing > 0 {
		return nil, s.gap(refs...)
	}
	geometry, err := polygon.Assemble(parts)
	var ends *polygon.OpenError
	switch {
	case errors.As(err, &ends):
		return nil, &open
	case err != nil:
		return nil, &void
	}
	return geometry, nil
}

// present counts the outline's ways that are in the file.
func (s *stager) present(f *object) int {
	refs, _ := s.lines.of(f.ways)
	return len(refs)
}
