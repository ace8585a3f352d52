package export

import (
	"database/sql/driver"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/build/released"
)

// rows are rows of a query.
type rows struct {
	width int
	left  [][]driver.Value
}

func (r *rows) Columns() []string { return make([]string, r.width) }
func (r *rows) Close() error      { return nil }
func (r *rows) Next(to []driver.Value) error {
	if len(r.left) == 0 {
		return io.EOF
	}
	copy(to, r.left[0])
	r.left = r.left[1:]
	return nil
}

// scanText returns the record batches of rows as text.
func scanText(t *testing.T, table *Table, of *rows) (string, error) {
	t.Helper()
	var text strings.Builder
	s := newScanner(table, func(r arrow.Record) error {
		for _, c := range r.Columns() {
			for i := range c.Len() {
				text.WriteString(c.ValueStr(i) + " ")
			}
			text.WriteString("\n")
		}
		return nil
	})
	err := s.scan(t.Context(), of)
	return text.String(), err
}

func TestPivot(t *testing.T) {
	table := &Table{Pivot: &Pivot{By: "name", Values: map[string]string{"value": "v", "low": "l"}}, Columns: []Column{
		{Name: "id", Type: "string", SQL: "id"},
		{Name: "a", Type: "float64?", SQL: "@value", group: "x.a"}, {Name: "a_low", Type: "float64?", SQL: "@low", group: "x.a"},
		{Name: "b", Type: "float64?", SQL: "@value", group: "x.b"},
	}}
	// columns of a row: id, name, then the values in the order of their names: low, value
	got, err := scanText(t, table, &rows{4, [][]driver.Value{
		{"g1", "x.a", 0.5, 1.5}, {"g1", "x.b", nil, int64(2)}, {"g2", "x.b", nil, 3.0}, {"g3", "x.other", nil, 9.0},
	}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "g1 g2 g3 \n1.5 (null) (null) \n0.5 (null) (null) \n2 3 (null) \n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := scanText(t, table, &rows{4, [][]driver.Value{{"g1", "x.a", nil, 1.0}, {"g1", "x.a", nil, 1.0}}}); err == nil ||
		!strings.Contains(err.Error(), "row 2: x.a is there twice for g1") {
		t.Error(err)
	}
}

func TestValuesOfTypes(t *testing.T) {
	table := &Table{Geometry: "g", Columns: []Column{
		{Name: "score", Type: "decimal(5,4)?", SQL: "s"}, {Name: "flag", Type: "bool?", SQL: "f"}, {Name: "day", Type: "date?", SQL: "d"},
		{Name: "n", Type: "int32", SQL: "n"}, {Name: "x", Type: "float64?", SQL: "x"},
	}}
	blob := released.PointBlob(orb.Point{1, 2})
	got, err := scanText(t, table, &rows{6, [][]driver.Value{{int64(-12345), int64(1), "2026-11-22", int64(7), int64(3), blob},
		{12.3, nil, nil, int64(8), nil, blob}}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "-1.2345 12.3 \ntrue (null) \n2026-11-22 (null) \n7 8 \n3 (null) \n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	for want, bad := range map[string][]driver.Value{
		"row 1: column n: NULL in a column that always has a value": {nil, nil, nil, nil, nil, blob},
		"row 1: column n: 4294967296 is of type int64":              {nil, nil, nil, int64(1 << 32), nil, blob},
		"row 1: column score: text is of type string":               {"text", nil, nil, int64(1), nil, blob},
		"row 1: column day: ":                                       {nil, nil, "22.11.2026", int64(1), nil, blob},
		"row 1: column geometry: read spatialite geometry":          {nil, nil, nil, int64(1), nil, blob[:20]},
	} {
		if _, err := scanText(t, table, &rows{6, [][]driver.Value{bad}}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
