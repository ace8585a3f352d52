package osm

import (
	"errors"

	"github.com/paulmach/orb"

	"quartier/ingest/osm/area"
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
	void   = trouble{source.Rejected, "the outline encloses nothing"}
)

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
		return nil, &leaves
	}
	geometry, err := area.Assemble(parts)
	var ends *area.OpenError
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
