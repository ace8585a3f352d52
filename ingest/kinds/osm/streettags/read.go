package streettags

import (
	"context"

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

// Read passes every street of a file to visit, in file order, and returns its first error unchanged. A row is valid
// until visit returns. It reads the file three times, for ways, nodes and ways, and keeps 16 bytes for each node of a
// street. The rows are those that staging writes; ways that are skipped are not reported here.
func Read(ctx context.Context, file element.File, visit func(*source.Street) error) error {
	rules, err := NewRules()
	if err != nil {
		return err
	}
	var nodes location.Store
	ways := element.Want{Kinds: element.Ways, Tags: true}
	err = file.Read(ctx, ways, func(b *element.Batch) error {
		for i := range b.Ways {
			if w := &b.Ways[i]; rules.Classify(w.Tags) == Street {
				nodes.Locate(w.Refs, w.Points)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	nodes.Freeze()
	err = file.Read(ctx, element.Want{Kinds: element.Nodes}, func(b *element.Batch) error {
		for i := range b.Nodes {
			nodes.Put(b.Nodes[i].ID, b.Nodes[i].Point)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var row source.Street
	return file.Read(ctx, ways, func(b *element.Batch) error {
		for i := range b.Ways {
			w := &b.Ways[i]
			if status, _ := rules.Row(&row, w.Tags, w.Closed()); status != Street {
				continue
			}
			if _, ok := SetGeometry(&row, w, &nodes); !ok {
				continue
			}
			if err := visit(&row); err != nil {
				return err
			}
		}
		return nil
	})
}
