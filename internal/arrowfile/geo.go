package arrowfile

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// GeoKey is the key of the metadata that make a Parquet file a GeoParquet file
// (https://geoparquet.org/releases/v1.1.0/).
const GeoKey = "geo"

// Covering is the column with the extents of geometries, in degrees rounded outward to float32, so that a reader skips row
// groups. It is NULL where there is no geometry or an empty one.
const Covering = "bbox"

// sides are the members of the covering.
var sides = [4]string{"xmin", "ymin", "xmax", "ymax"}

var coveringType = func() *arrow.StructType {
	var fields []arrow.Field
	for _, name := range sides {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float32})
	}
	return arrow.StructOf(fields...)
}()

// extent is what geometries of a column cover together, and of which types they are.
type extent struct {
	known bool
	box   box
	types map[string]bool
}

func (e *extent) merge(other *extent) {
	if other.known {
		e.add(other.box)
	}
	for name := range other.types {
		e.addType(name)
	}
}

func (e *extent) add(b box) {
	if !e.known {
		e.box, e.known = b, true
		return
	}
	e.box.extend(b[0], b[1])
	e.box.extend(b[2], b[3])
}

func (e *extent) addType(name string) {
	if e.types == nil {
		e.types = map[string]bool{}
	}
	e.types[name] = true
}

// cover adds the geometries of a column, of which the first is in a row of the file, and returns their extents.
func (e *extent) cover(column *array.Binary, first int64) (arrow.Array, error) {
	b := array.NewStructBuilder(memory.DefaultAllocator, coveringType)
	defer b.Release()
	b.Reserve(column.Len())
	var members [4]*array.Float32Builder
	for i := range members {
		members[i] = b.FieldBuilder(i).(*array.Float32Builder)
		members[i].Reserve(column.Len())
	}
	for i := range column.Len() {
		if column.IsNull(i) {
			b.AppendNull()
			continue
		}
		of, name, err := boundsOf(column.Value(i))
		if err != nil {
			return nil, fmt.Errorf("geometry of row %d: %w", first+int64(i)+1, err)
		}
		e.addType(name)
		if of.empty() {
			b.AppendNull()
			continue
		}
		e.add(of)
		b.Append(true)
		for side, value := range of {
			members[side].Append(outward(value, side >= 2))
		}
	}
	return b.NewArray(), nil
}

// outward rounds to the nearest float32 that is not above the value, or not below it.
func outward(value float64, up bool) float32 {
	f := float32(value)
	switch {
	case up && float64(f) < value:
		return math.Nextafter32(f, float32(math.Inf(1)))
	case !up && float64(f) > value:
		return math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// geoMetadata is the value of GeoKey. Without "crs" coordinates are longitudes and latitudes of WGS 84 (OGC:CRS84).
type geoMetadata struct {
	Version string               `json:"version"`
	Primary string               `json:"primary_column"`
	Columns map[string]geoColumn `json:"columns"`
}

type geoColumn struct {
	Encoding string       `json:"encoding"`
	Types    []string     `json:"geometry_types"`
	Box      *box         `json:"bbox,omitempty"`
	Covering *geoCovering `json:"covering,omitempty"`
}

type geoCovering struct {
	Box map[string][2]string `json:"bbox"`
}

// describe is the metadata of a file whose geometries in a column have this extent.
func (e *extent) describe(column string) (string, error) {
	c := geoColumn{Encoding: "WKB", Types: []string{}, Covering: &geoCovering{map[string][2]string{}}}
	for name := range e.types {
		c.Types = append(c.Types, name)
	}
	slices.Sort(c.Types)
	if e.known {
		c.Box = &e.box
	}
	for _, side := range sides {
		c.Covering.Box[side] = [2]string{Covering, side}
	}
	text, err := json.Marshal(geoMetadata{"1.1.0", column, map[string]geoColumn{column: c}})
	return string(text), err
}

// extentOf reads the metadata that describe writes.
func extentOf(text string) (e extent, err error) {
	var m geoMetadata
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return e, fmt.Errorf("metadata %s: %w", GeoKey, err)
	}
	c := m.Columns[m.Primary]
	for _, name := range c.Types {
		e.addType(name)
	}
	if c.Box != nil {
		e.add(*c.Box)
	}
	return e, nil
}
