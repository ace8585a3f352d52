package vector

import (
	"context"
	"io"
	"maps"
	"slices"

	"quartier/ingest/source"
)

// Check finds what is wrong with a file before it is read: its format, its reference system, columns that it does not have
// (of each list of wanted one is enough) and values of where that no feature has. Columns that the format does not list, and
// values, are compared in a small file only.
func Check(ctx context.Context, path string, o Options, wanted []source.List, where map[string]source.List) error {
	layer, err := Open(ctx, path, o)
	if err != nil {
		return err
	}
	defer layer.Close()
	return layer.check(ctx, wanted, where)
}

func (l *Layer) check(ctx context.Context, wanted []source.List, where map[string]source.List) error {
	var faults source.Faults
	if l.FieldsKnown {
		faults.Add(l.CheckFields(wanted...))
	}
	if !source.IsSmall(l.path) || l.FieldsKnown && len(where) == 0 {
		faults.Add(l.checkFirst(ctx))
		return faults.Err()
	}
	seen := map[string]map[string]bool{} // values by attribute
	for name := range where {
		seen[name] = map[string]bool{}
	}
	read := 0
	err := l.Read(ctx, func(f Feature) error {
		read++
		for name, values := range seen {
			values[f.Value(name)] = true
		}
		return nil
	})
	switch {
	case err != nil:
		faults.Add(err)
		return faults.Err()
	case read == 0:
		faults.Add(l.Bad("it has no features"))
	case !l.FieldsKnown:
		faults.Add(l.CheckFields(wanted...))
	}
	for _, name := range slices.Sorted(maps.Keys(where)) {
		if l.CheckFields(source.List{name}) == nil {
			delete(seen[name], "")
			faults.Add(source.CheckValues("where", "feature", name, where[name], seen[name]))
		}
	}
	return faults.Err()
}

// checkFirst reads and projects the first features.
func (l *Layer) checkFirst(ctx context.Context) error {
	p, err := newProjector(l)
	if err != nil {
		return err
	}
	defer p.close()
	batch, points, err := l.batch(ctx)
	if err != nil && err != io.EOF {
		return err
	}
	return p.project(batch, points)
}
