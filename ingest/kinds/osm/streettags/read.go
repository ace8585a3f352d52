package streettags

import (
	"context"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/location"
	"quartier/ingest/source"
)

// Lay gives a row the key and the line of its way: the longest stretch of known nodes. cut says that the way has nodes
// that the file lacks; ok is false where no two known ones follow each other. The space of the row's line and nodes is
// used again.
func Lay(row *source.Street, w *element.Way, places *location.Store) (cut, ok bool) {
	var missing int
	row.Key = element.Ways.Key(w.ID)
	row.Line, row.Nodes, missing = places.Run(w.Refs, row.Line, row.Nodes)
	return missing > 0, len(row.Line) >= 2
}

// Read hands every street of a file to visit, in file order, and returns its first error as it is. A row is valid until
// visit returns. It goes through the file three times, for ways, nodes and ways, and holds 16 bytes for each node of a
// street. What is left out is told only by staging, which takes the same rows.
func Read(ctx context.Context, file element.File, visit func(*source.Street) error) error {
	rules, err := NewRules()
	if err != nil {
		return err
	}
	var places location.Store
	ways := element.Want{Kinds: element.Ways, Tags: true}
	err = file.Read(ctx, ways, func(b *element.Batch) error {
		for i := range b.Ways {
			if w := &b.Ways[i]; rules.Judge(w.Tags) == Street {
				places.Locate(w.Refs, w.Points)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	places.Seal()
	err = file.Read(ctx, element.Want{Kinds: element.Nodes}, func(b *element.Batch) error {
		for i := range b.Nodes {
			places.Put(b.Nodes[i].ID, b.Nodes[i].Point)
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
			if verdict, _ := rules.Row(&row, w.Tags, w.Closed()); verdict != Street {
				continue
			}
			if _, ok := Lay(&row, w, &places); !ok {
				continue
			}
			if err := visit(&row); err != nil {
				return err
			}
		}
		return nil
	})
}
