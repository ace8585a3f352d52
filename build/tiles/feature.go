package tiles

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
)

// feature is a row as it is drawn.
type feature struct {
	layer    layer
	min      uint8        // lowest zoom
	max      uint8        // highest zoom; 0: that of the archive
	number   uint64       // of its row in the layer, by which features are ordered
	id       uint64       // that clients see; 0: none
	props    []byte       // encoded by properties
	geometry orb.Geometry // on the grid: orb.Point, orb.LineString or orb.MultiPolygon
	wide     bool         // far larger than the regions of a release: no reason for tiles above WideZoom. Records do not have it
}

// properties are the values of the fields of a layer, in their order; nil where the feature has none. In a record a text
// is 's', length and bytes, a number 'i' and a variable-length number, 't' and 'f' are true and false, and 'n' is none.
type properties []any

func (p properties) encode() (b []byte) {
	for _, v := range p {
		switch v := v.(type) {
		case nil:
			b = append(b, 'n')
		case string:
			b = append(binary.AppendUvarint(append(b, 's'), uint64(len(v))), v...)
		case int64:
			b = binary.AppendVarint(append(b, 'i'), v)
		case bool:
			b = append(b, map[bool]byte{true: 't', false: 'f'}[v])
		default:
			panic(fmt.Sprintf("a property of type %T", v)) // the layers have no others
		}
	}
	return b
}

// orNil is a text, or nil for none.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// decode returns the properties by name.
func (l layer) decode(props []byte) geojson.Properties {
	out := make(geojson.Properties, len(layers[l].fields))
	l.each(props, func(f *field, v any, _ []byte) {
		if v != nil {
			out[f.name] = v
		}
	})
	return out
}

// early returns encoded properties without those that are late.
func (l layer) early(props []byte) (out []byte) {
	l.each(props, func(f *field, _ any, encoded []byte) {
		if f.late {
			encoded = []byte{'n'}
		}
		out = append(out, encoded...)
	})
	return out
}

// each calls visit for the value of each field, nil where there is none, and its encoded form.
func (l layer) each(props []byte, visit func(f *field, v any, encoded []byte)) {
	r := recordReader{rest: props}
	for i := range layers[l].fields {
		if len(r.rest) == 0 {
			break // lastField
		}
		before := r.rest
		var v any
		switch r.byte() {
		case 's':
			v = string(r.bytes(int(r.uint())))
		case 'i':
			v = int(r.int())
		case 't':
			v = true
		case 'f':
			v = false
		}
		visit(&layers[l].fields[i], v, before[:len(before)-len(r.rest)])
	}
}

// drawnAt reports whether some zoom of a range draws the feature.
func (f *feature) drawnAt(lo, hi uint8) bool { return f.min <= hi && (f.max == 0 || f.max >= lo) }

// encode is the record of the feature with another geometry.
func (f *feature) encode(g orb.Geometry) []byte {
	b := append(make([]byte, 0, 64), byte(f.layer), f.min, f.max)
	b = binary.AppendUvarint(binary.AppendUvarint(b, f.number), f.id)
	b = append(binary.AppendUvarint(b, uint64(len(f.props))), f.props...)
	var last [2]int64
	points := func(list []orb.Point) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, p := range list {
			for i := range p {
				v := int64(math.Round(p[i]))
				b = binary.AppendVarint(b, v-last[i])
				last[i] = v
			}
		}
	}
	switch g := g.(type) {
	case orb.Point:
		b = append(b, 'p')
		points([]orb.Point{g})
	case orb.LineString:
		b = append(b, 'l')
		points(g)
	case orb.MultiPolygon:
		b = binary.AppendUvarint(append(b, 'm'), uint64(len(g)))
		for _, polygon := range g {
			b = binary.AppendUvarint(b, uint64(len(polygon)))
			for _, ring := range polygon {
				points(ring)
			}
		}
	default:
		panic(fmt.Sprintf("a feature of type %T", g)) // add takes no others
	}
	return b
}

// recordReader reads records that this process has written.
type recordReader struct {
	rest []byte
	last [2]int64
}

func (r *recordReader) byte() byte {
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *recordReader) uint() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.rest = r.rest[n:]
	return v
}

func (r *recordReader) int() int64 {
	v, n := binary.Varint(r.rest)
	r.rest = r.rest[n:]
	return v
}

func (r *recordReader) bytes(n int) []byte {
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *recordReader) points() []orb.Point {
	list := make([]orb.Point, r.uint())
	for i := range list {
		for k := range r.last {
			r.last[k] += r.int()
			list[i][k] = float64(r.last[k])
		}
	}
	return list
}

// next reads a feature.
func (r *recordReader) next() (f feature) {
	r.last = [2]int64{}
	f.layer, f.min, f.max = layer(r.byte()), r.byte(), r.byte()
	f.number, f.id = r.uint(), r.uint()
	f.props = r.bytes(int(r.uint()))
	switch r.byte() {
	case 'p':
		f.geometry = r.points()[0]
	case 'l':
		f.geometry = orb.LineString(r.points())
	case 'm':
		m := make(orb.MultiPolygon, r.uint())
		for i := range m {
			m[i] = make(orb.Polygon, r.uint())
			for k := range m[i] {
				m[i][k] = r.points()
			}
		}
		f.geometry = m
	}
	return f
}
