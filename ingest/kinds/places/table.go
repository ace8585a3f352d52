package places

import (
	"context"
	"fmt"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
)

// openTable opens a table of text and finds its columns.
func (m *mapping) openTable(path string) (t *table.Table, index map[string]int, err error) {
	columns := m.columns()
	if t, err = table.Open(path, m.options.dialect(columns)); err != nil {
		return nil, nil, err
	}
	if err := t.Require(columns...); err != nil {
		t.Close()
		return nil, nil, source.BadFile(path, "%w", err)
	}
	index = map[string]int{}
	for _, name := range columns {
		index[name] = t.Column(name)
	}
	return t, index, nil
}

// findNumbers finds how the coordinates are written, which a table must have.
func (m *mapping) findNumbers(ctx context.Context, t *table.Table) error {
	var f source.Faults
	if f.Option(m.xy[0] == "", "lng", "is missing; a CSV needs lng and lat, or x and y with a crs"); f.Err() != nil {
		return f.Err()
	}
	numbers := map[int]table.Meaning{}
	for _, name := range m.xy {
		if numbers[t.Column(name)] = table.AnyNumber; m.options.Lng != "" {
			numbers[t.Column(name)] = table.Degrees
		}
	}
	return t.FindNumbers(ctx, numbers, m.options.Decimal)
}

// table stages a table of text.
func (s *stager) table(ctx context.Context, path string) error {
	t, index, err := s.mapping.openTable(path)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := s.mapping.findNumbers(ctx, t); err != nil {
		return err
	}
	value := func(column string) string { return t.Text(index[column]) }
	number := func(column string) (float64, bool) { return t.Number(index[column]) }
	err = t.Each(ctx, s.out, func() (err error) {
		where := fmt.Sprintf("%s line %d", t.Name, t.Line)
		why, detail := source.WrongFieldCount, ""
		if !t.TooShort() && !t.TooLong() {
			row := pending{where: where}
			if row.poi, why = s.mapping.poi(value); why.OK() {
				row.poi.Point, why, detail = s.mapping.point(value, number)
			}
			if why.OK() {
				err = s.add(ctx, row)
			}
		}
		if !why.OK() {
			s.out.Issue(why, where+detail)
		} else if t.Foreign {
			s.out.Issue(source.AssumedWindows1252, where)
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.flush(ctx)
}
