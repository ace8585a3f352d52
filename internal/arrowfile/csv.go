package arrowfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/csv"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/paulmach/orb/encoding/wkt"

	"quartier/internal/wellknown"
)

// csvEncoder writes rows as text: UTF-8, commas, a line of names, "\n", nothing where there is no value.
type csvEncoder struct {
	schema   *arrow.Schema
	geometry int // -1 if there is none
	out      *sink
}

func newCSVEncoder(out *sink, schema *arrow.Schema, o *Options) (e *csvEncoder, err error) {
	e = &csvEncoder{schema, -1, out}
	if o.Geometry != "" {
		e.geometry = schema.FieldIndices(o.Geometry)[0]
		e.schema = replaceType(schema, e.geometry, arrow.BinaryTypes.String)
	}
	for _, f := range schema.Fields() {
		if _, nested := f.Type.(arrow.NestedType); nested {
			return nil, fmt.Errorf("column %s is of type %s, which CSV has not", f.Name, f.Type)
		}
	}
	header, err := e.header()
	if err == nil {
		_, err = out.Write(header)
	}
	return e, err
}

// header is the line of names.
func (e *csvEncoder) header() ([]byte, error) {
	return e.text(array.NewRecord(e.schema, emptyColumns(e.schema), 0), true)
}

func replaceType(schema *arrow.Schema, column int, by arrow.DataType) *arrow.Schema {
	fields, metadata := schema.Fields(), schema.Metadata()
	fields[column].Type = by
	return arrow.NewSchema(fields, &metadata)
}

func emptyColumns(schema *arrow.Schema) (columns []arrow.Array) {
	for _, f := range schema.Fields() {
		builder := array.NewBuilder(memory.DefaultAllocator, f.Type)
		columns = append(columns, builder.NewArray())
		builder.Release()
	}
	return columns
}

func (e *csvEncoder) encode(records []arrow.Record, first int64) (p part, err error) {
	for _, r := range records {
		if e.geometry >= 0 {
			texts, err := wellKnownText(r.Column(e.geometry).(*array.Binary), first)
			if err != nil {
				return p, err
			}
			columns := append([]arrow.Array(nil), r.Columns()...)
			columns[e.geometry] = texts
			r = array.NewRecord(e.schema, columns, r.NumRows())
			texts.Release()
			defer r.Release()
		}
		text, err := e.text(r, false)
		if err != nil {
			return p, err
		}
		p.text = append(p.text, text...)
		first += r.NumRows()
	}
	return p, nil
}

func (e *csvEncoder) text(r arrow.Record, header bool) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out, e.schema, csv.WithHeader(header), csv.WithNullWriter(""))
	if err := w.Write(r); err != nil {
		return nil, err
	}
	return out.Bytes(), w.Flush()
}

func wellKnownText(column *array.Binary, first int64) (arrow.Array, error) {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	for i := range column.Len() {
		if column.IsNull(i) {
			b.AppendNull()
			continue
		}
		g, name, err := wellknown.Binary{}.Read(column.Value(i))
		if err == nil && strings.Contains(name, " ") {
			err = fmt.Errorf("a %s has more than longitude and latitude, which CSV files do not have", name)
		}
		if err != nil {
			return nil, fmt.Errorf("geometry of row %d: %w", first+int64(i)+1, err)
		}
		b.Append(wkt.MarshalString(g))
	}
	return b.NewArray(), nil
}

func (e *csvEncoder) add(p part) error {
	_, err := e.out.Write(p.text)
	return err
}

func (e *csvEncoder) finish([][2]string, extent) error { return nil }

// description is the file beside a CSV file.
type description struct {
	Rows     int64             `json:"rows"`
	Bytes    int64             `json:"bytes"` // of the CSV file
	Columns  []columnText      `json:"columns"`
	Metadata map[string]string `json:"metadata"` // in the order of keys
}

type columnText struct {
	Name string `json:"name"`
	Type string `json:"type"` // of Arrow
}

// DescriptionOf is the name of the file that describes a CSV file: "points.csv.json".
func DescriptionOf(path string) string { return path + ".json" }

func writeDescription(path string, schema *arrow.Schema, o *Options, rows, bytes int64) error {
	d := description{Rows: rows, Bytes: bytes, Metadata: o.Metadata}
	for _, f := range schema.Fields() {
		kind := f.Type.String()
		if of := o.Types[f.Name]; of != nil {
			kind = of.String()
		}
		if f.Name == o.Geometry {
			kind = "wkt"
		}
		d.Columns = append(d.Columns, columnText{f.Name, kind})
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	path = DescriptionOf(path)
	if err := os.WriteFile(unfinished(path), append(text, '\n'), 0o644); err != nil {
		os.Remove(unfinished(path))
		return err
	}
	return os.Rename(unfinished(path), path)
}

// readDescription reads the file beside a CSV file.
func readDescription(path string) (d description, err error) {
	text, err := os.ReadFile(DescriptionOf(path))
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("%s: %w", DescriptionOf(path), err)
	}
	return d, nil
}
