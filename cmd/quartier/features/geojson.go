package features

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/ingest/formats/geojson"
	"quartier/ingest/source"
	"quartier/internal/arrowfile"
	"quartier/internal/geo"
)

// kind is what values a property has.
type kind uint8

const (
	none kind = iota // null
	boolean
	integer
	decimal
	text
	nested // lists and objects, which are kept as JSON
)

// IsJSON reports whether a column has JSON as text, which is written as it is.
func IsJSON(f arrow.Field) bool { return f.Metadata.FindKey(jsonMark) >= 0 }

const jsonMark = "json"

var fieldTypes = map[kind]arrow.DataType{
	none: arrow.BinaryTypes.String, boolean: arrow.FixedWidthTypes.Boolean, integer: arrow.PrimitiveTypes.Int64,
	decimal: arrow.PrimitiveTypes.Float64, text: arrow.BinaryTypes.String, nested: arrow.BinaryTypes.String,
}

// geoJSON reads the features of a file, which was read before to find its properties.
type geoJSON struct {
	file    *os.File
	size    int64
	reader  *geojson.Reader
	schema  *arrow.Schema
	columns map[string]int
	kinds   []kind
	hasID   bool // the member id is a column
	rows    int64
	options arrowfile.ReadOptions
}

// OpenGeoJSON opens a collection of features, or a file with one on each line, whose properties it looks through first.
func OpenGeoJSON(path string, o arrowfile.ReadOptions) (arrowfile.Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	g := &geoJSON{file: file, columns: map[string]int{}, options: o}
	if err := g.survey(); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// survey finds the properties and the reference system, and begins again.
func (g *geoJSON) survey() error {
	info, err := g.file.Stat()
	if err != nil {
		return err
	}
	g.size = info.Size()
	g.reader = geojson.NewReader(g.file, source.Limits{})
	var names []string
	ids := false
	for {
		f, err := g.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		g.rows++
		ids = ids || f.ID != ""
		err = eachProperty(f.Properties, func(name string, value json.RawMessage) error {
			at, known := g.columns[name]
			if !known {
				at = len(names)
				g.columns[name] = at
				names, g.kinds = append(names, name), append(g.kinds, none)
			}
			g.kinds[at] = common(g.kinds[at], kindOf(value))
			return nil
		})
		if err != nil {
			return fmt.Errorf("feature %d: %w", g.rows, err)
		}
	}
	if _, taken := g.columns["id"]; ids && !taken {
		g.columns["id"], g.hasID = len(names), true
		names, g.kinds = append(names, "id"), append(g.kinds, text)
	}
	var fields []arrow.Field
	for i, name := range names {
		f := arrow.Field{Name: name, Type: fieldTypes[g.kinds[i]], Nullable: true}
		if g.kinds[i] == nested {
			f.Metadata = arrow.NewMetadata([]string{jsonMark}, []string{"1"})
		}
		fields = append(fields, f)
	}
	if g.schema, err = schemaOf(fields, codeOf(g.reader.CRS)); err != nil {
		return err
	}
	if _, err := g.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	g.reader = geojson.NewReader(g.file, source.Limits{})
	return nil
}

// codeOf is the code of a member crs such as "urn:ogc:def:crs:EPSG::3347"; "" for WGS 84.
func codeOf(crs string) string {
	parts := strings.Split(strings.TrimPrefix(crs, "urn:ogc:def:crs:"), ":")
	code := parts[0] + ":" + parts[len(parts)-1]
	if crs == "" || code == "OGC:CRS84" || code == "EPSG:4326" {
		return ""
	}
	return code
}

// common is the kind of a column with values of two kinds.
func common(a, b kind) kind {
	switch {
	case a == none || a == b:
		return b
	case b == none:
		return a
	case min(a, b) == integer && max(a, b) == decimal:
		return decimal
	}
	return text
}

// kindOf is the kind of a value. A whole number beyond int64 is text, and so is one beyond float64.
func kindOf(value json.RawMessage) kind {
	switch value[0] {
	case 'n':
		return none
	case 't', 'f':
		return boolean
	case '"':
		return text
	case '{', '[':
		return nested
	}
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && strconv.FormatInt(n, 10) == string(value) {
		return integer
	}
	if _, err := strconv.ParseFloat(string(value), 64); err == nil && strings.ContainsAny(string(value), ".eE") {
		return decimal
	}
	return text
}

// eachProperty visits the members of an object in their order.
func eachProperty(object json.RawMessage, visit func(name string, value json.RawMessage) error) error {
	if len(object) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := visit(name.(string), value); err != nil {
			return err
		}
	}
	return nil
}

// next is the next feature, without a geometry where that cannot be read.
func (g *geoJSON) next() (geojson.Feature, error) {
	f, err := g.reader.Next()
	var single *geojson.FeatureError
	if errors.As(err, &single) && single.Reason != source.InvalidUTF8 && single.Reason != source.MalformedRecord {
		f.Geometry = nil
		return f, nil
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%w: %w", arrowfile.ErrRead, err)
	}
	return f, err
}

func (g *geoJSON) Schema() *arrow.Schema { return g.schema }
func (g *geoJSON) Rows() int64           { return g.rows }
func (g *geoJSON) Close() error          { return g.file.Close() }

func (g *geoJSON) Share() float64 {
	at, err := g.file.Seek(0, io.SeekCurrent)
	if err != nil || g.size == 0 {
		return -1
	}
	return float64(at) / float64(g.size)
}

// Next implements arrowfile.Reader.
func (g *geoJSON) Next() (arrow.Record, error) {
	b := newBatch(g.schema)
	defer b.builder.Release()
	for b.rows < g.options.Rows && b.bytes < g.options.Bytes {
		f, err := g.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = g.take(b, f)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.file.Name(), err)
		}
	}
	if b.rows == 0 {
		return nil, io.EOF
	}
	return b.builder.NewRecord(), nil
}

// take appends a feature.
func (g *geoJSON) take(b *batch, f geojson.Feature) error {
	values := make([]any, len(g.kinds)+1)
	err := eachProperty(f.Properties, func(name string, value json.RawMessage) error {
		at, known := g.columns[name]
		if !known {
			return fmt.Errorf("%w: the file changed while it was read", arrowfile.ErrRead)
		}
		values[at] = valueOf(g.kinds[at], value)
		return nil
	})
	if err != nil {
		return err
	}
	if g.hasID && f.ID != "" {
		values[g.columns["id"]] = f.ID
	}
	if f.Geometry != nil {
		data, err := geo.WKB(f.Geometry)
		if err != nil {
			return err
		}
		values[len(g.kinds)] = data
	}
	for i, value := range values {
		if err := b.put(i, value); err != nil {
			return fmt.Errorf("feature %d: %w", f.Number, err)
		}
	}
	b.rows++
	return nil
}

// valueOf is a value of a column of a kind.
func valueOf(of kind, value json.RawMessage) any {
	is := kindOf(value)
	switch {
	case is == none:
		return nil
	case of == boolean:
		return value[0] == 't'
	case of == integer:
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err == nil {
			return n
		}
	case of == decimal:
		n, err := strconv.ParseFloat(string(value), 64)
		if err == nil {
			return n
		}
	case is == text && value[0] == '"':
		var s string
		if json.Unmarshal(value, &s) == nil {
			return s
		}
	}
	return string(slices.Clone(value))
}
