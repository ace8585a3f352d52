package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/paulmach/orb"

	"quartier/internal/arrowfile"
	"quartier/internal/geo"
	"quartier/serve/enrich"
)

// shape is the columns of the output.
type shape struct {
	kept     []int // columns of the input, in their order
	points   bool  // a column of points follows those that are added
	asText   bool  // numbers are added as text
	schema   *arrow.Schema
	options  arrowfile.Options
	replaced []string // columns of the input that are left out
	nested   []string // columns that have JSON as text
	anew     int      // index in kept of the geometries that are written in WGS 84 in place of the input's; -1: none
}

// pointColumn is the column of points of a GeoParquet file whose input has no geometries.
const pointColumn = "geometry"

// shapeOf decides on the columns of the output: those of the input as they are, then the added ones.
func (j *job) shapeOf(in *arrow.Schema) (s shape, err error) {
	primary, _, err := arrowfile.PrimaryGeometry(in)
	if err != nil {
		return s, err
	}
	if primary != "" && j.OutFormat == arrowfile.Parquet && j.byExtension {
		j.OutFormat = arrowfile.GeoParquet // stays what it is
	}
	s.asText = j.OutFormat == arrowfile.CSV
	s.options = arrowfile.Options{Format: j.OutFormat, GroupRows: maxBlockRows, Fast: true}
	s.options.Types = map[string]arrow.DataType{}
	s.options.Geometry = j.geometryOf(in, primary)
	if s.points = j.OutFormat == arrowfile.GeoParquet && s.options.Geometry == ""; s.points {
		s.options.Geometry = pointColumn
	}
	for _, c := range j.columns {
		if c.Kind == enrich.Decimal {
			s.options.Plain = append(s.options.Plain, c.Name)
		}
	}
	if j.points.kind == degrees {
		s.options.Plain = append(s.options.Plain, j.points.names[:]...) // hardly any two points are the same
	}
	s.nested, s.anew = nestedColumns(in), -1
	added := j.addedFields(&s)
	var fields []arrow.Field
	for i, f := range in.Fields() {
		switch {
		case f.Name == arrowfile.Covering && (j.OutFormat == arrowfile.GeoParquet || primary != "" && j.OutFormat == arrowfile.CSV):
			continue // extents of the geometries, which the writer adds
		case slices.ContainsFunc(added, func(a arrow.Field) bool { return a.Name == f.Name }):
			s.replaced = append(s.replaced, f.Name)
			continue
		}
		if f.Name == s.options.Geometry && j.crs != "" && j.OutFormat == arrowfile.GeoParquet {
			s.anew = len(s.kept)
		}
		s.kept = append(s.kept, i)
		fields = append(fields, arrow.Field{Name: f.Name, Type: f.Type, Nullable: true})
	}
	if len(s.replaced) > 0 && !j.Overwrite {
		return s, fmt.Errorf("%w: it has columns that are added: %s; with --overwrite-columns they are replaced, or rename them", ErrInput,
			strings.Join(s.replaced, ", "))
	}
	s.schema = arrow.NewSchema(append(fields, added...), nil)
	return s, nil
}

// addedFields are the fields of the columns that are added.
func (j *job) addedFields(s *shape) (fields []arrow.Field) {
	for _, c := range j.columns {
		kind := c.Type()
		if s.asText {
			if c.Kind != enrich.Text {
				s.options.Types[c.Name] = kind
			}
			kind = arrow.BinaryTypes.String
		}
		fields = append(fields, arrow.Field{Name: c.Name, Type: kind, Nullable: true})
	}
	if s.points {
		fields = append(fields, arrow.Field{Name: pointColumn, Type: arrow.BinaryTypes.Binary, Nullable: true})
	}
	return fields
}

// geometryOf is the column of geometries in the output, "" if it has none. primary is that of a GeoParquet input.
func (j *job) geometryOf(in *arrow.Schema, primary string) string {
	name := primary
	if name == "" && (j.points.kind == geometry || j.points.kind == polygons) && j.OutFormat == arrowfile.GeoParquet {
		name = j.points.names[0]
	}
	if i := in.FieldIndices(name); len(i) == 1 && in.Field(i[0]).Type.ID() == arrow.BINARY {
		return name
	}
	return ""
}

// sliceRows is how many rows of a block are handed on at once.
const sliceRows = 16_384

// write writes the rows of a block with what a worker filled in.
func (s *shape) write(out *arrowfile.Writer, block arrow.Record, w *worker) error {
	rows := int(block.NumRows())
	for first := 0; first < rows; first += sliceRows {
		last := min(first+sliceRows, rows)
		var columns []arrow.Array
		for n, i := range s.kept {
			if n == s.anew {
				made, err := w.geometries(first, last)
				if err != nil {
					return err
				}
				columns = append(columns, made)
				continue
			}
			columns = append(columns, array.NewSlice(block.Column(i), int64(first), int64(last)))
		}
		columns = append(columns, w.Arrays(first, last, s.asText)...)
		if s.points {
			made, err := w.geometries(first, last)
			if err != nil {
				return err
			}
			columns = append(columns, made)
		}
		record := array.NewRecord(s.schema, columns, int64(last-first))
		for _, c := range columns {
			c.Release()
		}
		err := out.WriteBatch(record)
		record.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// geometries are the points or shapes of rows in well-known binary; NULL for those that are none.
func (w *worker) geometries(first, last int) (arrow.Array, error) {
	if w.job.points.kind == polygons {
		return shapeArray(w.shapes[first:last])
	}
	return pointArray(w.points[first:last])
}

func pointArray(points []orb.Point) (arrow.Array, error) {
	b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	defer b.Release()
	for _, p := range points {
		if !enrich.ValidPoint(p[0], p[1]) {
			b.AppendNull()
			continue
		}
		data, err := geo.WKB(p)
		if err != nil {
			return nil, err
		}
		b.Append(data)
	}
	return b.NewArray(), nil
}
