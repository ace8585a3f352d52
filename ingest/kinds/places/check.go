package places

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/source"
)

// inspect checks columns, and in a small file values of only and of category_of.
func inspect(ctx context.Context, in source.Input, m *mapping) error {
	s, err := newStager(m.options.CRS, m, source.Discard{})
	faults := source.Faults(source.Flatten(err))
	s.close()
	file, buffered, err := open(in.Path)
	if err != nil {
		faults.Add(err)
		return faults.Err()
	}
	defer file.Close()
	small := source.IsSmall(in.Path)
	switch {
	case !looksLikeJSON(buffered):
		faults.Add(m.checkTable(ctx, in.Path, small))
	case small:
		faults.Add(m.checkFeatures(ctx, in.Path, buffered))
	}
	return faults.Err()
}

// valuesSeen are the values of the columns that only and category_of name.
type valuesSeen map[string]map[string]bool

func (m *mapping) newValues() valuesSeen {
	seen := valuesSeen{}
	for column := range m.options.Only {
		seen[column] = map[string]bool{}
	}
	if column := m.options.CategoryOf; column != "" {
		seen[column] = map[string]bool{}
	}
	return seen
}

func (v valuesSeen) add(value func(column string) string) {
	for column, seen := range v {
		seen[value(column)] = true
	}
}

// checkValues returns the values of only that no row has, and a fault where rows have none of those of categories.
func (m *mapping) checkValues(seen valuesSeen) error {
	o := m.options
	var faults source.Faults
	for _, column := range slices.Sorted(maps.Keys(o.Only)) {
		faults.Add(source.CheckValues("only", "row", column, o.Only[column], seen[column]))
	}
	if o.CategoryOf == "" || len(o.Category) > 0 {
		return faults.Err()
	}
	for value := range seen[o.CategoryOf] {
		if _, mapped := m.byValue[fold(value)]; mapped {
			return faults.Err()
		}
	}
	faults.Add(source.CheckValues("categories", "row", o.CategoryOf, slices.Sorted(maps.Keys(o.Categories)), seen[o.CategoryOf]))
	return faults.Err()
}

// checkTable checks the header, and the rows of a small file.
func (m *mapping) checkTable(ctx context.Context, path string, small bool) error {
	t, index, err := m.openTable(path)
	if err != nil {
		return err
	}
	defer t.Close()
	seen := m.newValues()
	var faults source.Faults
	if !small {
		return nil
	}
	faults.Add(m.findNumbers(ctx, t))
	if len(seen) == 0 {
		return faults.Err()
	}
	err = t.Each(ctx, source.Discard{}, func() error {
		if !t.TooShort() && !t.TooLong() {
			seen.add(m.trimmed(func(column string) string { return t.Text(index[column]) }))
		}
		return nil
	})
	if err == nil {
		err = m.checkValues(seen)
	}
	faults.Add(err)
	return faults.Err()
}

func (m *mapping) checkFeatures(ctx context.Context, path string, r io.Reader) error {
	reader := geojson.NewReader(r, m.limits)
	seen, there := m.newValues(), map[string]bool{}
	err := reader.Each(ctx, filepath.Base(path), source.Discard{}, func(f geojson.Feature, _ string) error {
		properties, err := values(f)
		if err != nil {
			return nil // an issue of the row
		}
		for name := range properties {
			there[name] = true
		}
		seen.add(m.trimmed(func(column string) string { return properties[column] }))
		return nil
	})
	if err != nil {
		return finish(ctx, path, err)
	}
	var faults source.Faults
	if m.options.CRS == "" {
		s := &stager{mapping: m}
		faults.Add(finish(ctx, path, s.projectFile(reader.CRS)))
		s.close()
	}
	missing := slices.DeleteFunc(m.columns(), func(name string) bool { return there[name] })
	if len(missing) > 0 {
		faults.Add(source.BadFile(path, "no property %s; there are: %s", strings.Join(missing, ", nor "),
			strings.Join(slices.Sorted(maps.Keys(there)), ", ")))
		return faults.Err()
	}
	faults.Add(m.checkValues(seen))
	return faults.Err()
}
