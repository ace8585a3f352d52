// Package features reads and writes files of features for quartier enrich: GeoJSON and GeoPackage. A file is read as records
// with a column for each property, in its type, and the column of geometries in well-known binary. What is read is written
// again as it was, with three exceptions: heights of GeoJSON are left out, its members beside properties and geometry too, but
// for id, which is a property.
package features

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"quartier/internal/arrowfile"
)

// The formats, beside those of package arrowfile.
const (
	GeoJSON    arrowfile.Format = "geojson"
	GeoPackage arrowfile.Format = "gpkg"
)

// Geometry is the column of geometries.
const Geometry = "geometry"

// schemaOf adds the column of geometries to the properties, and what GeoParquet says of it. crs is a code such as EPSG:3347;
// "": WGS 84.
func schemaOf(properties []arrow.Field, crs string) (*arrow.Schema, error) {
	for _, f := range properties {
		if strings.EqualFold(f.Name, Geometry) {
			return nil, fmt.Errorf("%w: it has a property %q, which is the column of the geometries; rename it", arrowfile.ErrRead, f.Name)
		}
	}
	column := map[string]any{"encoding": "WKB", "geometry_types": []string{}}
	if authority, code, found := strings.Cut(crs, ":"); found {
		column["crs"] = map[string]any{"id": map[string]string{"authority": authority, "code": code}}
	}
	text, err := json.Marshal(map[string]any{"version": "1.1.0", "primary_column": Geometry, "columns": map[string]any{Geometry: column}})
	if err != nil {
		return nil, err
	}
	metadata := arrow.NewMetadata([]string{arrowfile.GeoKey}, []string{string(text)})
	fields := append(properties, arrow.Field{Name: Geometry, Type: arrow.BinaryTypes.Binary, Nullable: true})
	return arrow.NewSchema(fields, &metadata), nil
}

// batch collects rows.
type batch struct {
	builder *array.RecordBuilder
	rows    int
	bytes   int
}

func newBatch(schema *arrow.Schema) *batch {
	return &batch{builder: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
}

// put appends a value to a column: nil, bool, int64, float64, string or []byte, as its type is.
func (b *batch) put(column int, value any) error {
	b.bytes += 8
	switch to := b.builder.Field(column).(type) {
	case *array.BooleanBuilder:
		if v, ok := value.(bool); ok {
			to.Append(v)
			return nil
		}
	case *array.Int64Builder:
		if v, ok := value.(int64); ok {
			to.Append(v)
			return nil
		}
	case *array.Float64Builder:
		if v, ok := value.(float64); ok {
			to.Append(v)
			return nil
		}
		if v, ok := value.(int64); ok {
			to.Append(float64(v))
			return nil
		}
	case *array.StringBuilder:
		if v, ok := value.(string); ok {
			b.bytes += len(v)
			to.Append(v)
			return nil
		}
	case *array.BinaryBuilder:
		if v, ok := value.([]byte); ok && v != nil {
			b.bytes += len(v)
			to.Append(v)
			return nil
		}
	}
	b.builder.Field(column).AppendNull()
	if v, none := value.([]byte); value == nil || none && v == nil {
		return nil
	}
	return fmt.Errorf("%v is not of the type of its column", value)
}
