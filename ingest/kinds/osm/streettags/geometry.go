package streettags

import (
	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/location"
	"quartier/ingest/source"
)

// SetGeometry sets the key of a row and its line: the longest run of nodes that are in the file. clipped reports whether
// nodes are missing; ok is false if no two consecutive nodes are in the file. The memory of the row's line and nodes is
// reused.
func SetGeometry(row *source.Street, w *element.Way, nodes *location.Store) (clipped, ok bool) {
	var missing int
	row.Key = element.Ways.Key(w.ID)
	row.Line, row.Nodes, missing = nodes.LongestKnownRun(w.Refs, row.Line, row.Nodes)
	return missing > 0, len(row.Line) >= 2
}
