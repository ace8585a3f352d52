package batch

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkt"

	"quartier/internal/geo"
	"quartier/internal/wellknown"
	"quartier/serve/enrich"
)

// Why a row has no usable point.
var (
	errMissing  = errors.New("no coordinates")
	errNumber   = errors.New("not a number")
	errComma    = errors.New("a comma; if it is a decimal comma, say --decimal ,")
	errRange    = errors.New("out of range: latitude ±90, longitude ±180")
	errGeometry = errors.New("not a point in WKB or WKT")
	errArea     = errors.New("a polygon or line, not a point; --polygons takes shapes")
	errGeohash  = errors.New("not a geohash")
)

// nowhere is the point of a row without one.
var nowhere = orb.Point{math.NaN(), math.NaN()}

// pointReader reads the points of a record.
type pointReader func(row int) (orb.Point, error)

// in returns the reader of the points of a record. The text of a bad one is that of textAt.
func (l locator) in(record arrow.Record) pointReader {
	switch l.kind {
	case geometry:
		bytes := bytesOf(record.Column(l.lat))
		return func(row int) (orb.Point, error) { return l.pointIn(bytes(row)) }
	case geohash:
		bytes := bytesOf(record.Column(l.lat))
		return func(row int) (orb.Point, error) { return geohashCentre(string(bytes(row))) }
	}
	lat, lng := l.numbersOf(record.Column(l.lat)), l.numbersOf(record.Column(l.lng))
	return func(row int) (orb.Point, error) {
		x, err := lng(row)
		if err != nil {
			return nowhere, err
		}
		y, err := lat(row)
		if err != nil {
			return nowhere, err
		}
		return orb.Point{x, y}, l.check(x, y)
	}
}

// check checks the range of degrees; that of other reference systems once they are converted.
func (l locator) check(x, y float64) error {
	if l.foreign && known(x) && known(y) {
		return nil
	}
	return checkRange(x, y)
}

func checkRange(lng, lat float64) error {
	switch {
	case math.IsNaN(lng) || math.IsNaN(lat):
		return errMissing
	case !enrich.ValidPoint(lng, lat):
		return errRange
	}
	return nil
}

// bytesOf reads a column of texts or bytes; nil where there is none.
func bytesOf(column arrow.Array) func(row int) []byte {
	known := func(read func(row int) []byte) func(int) []byte {
		return func(row int) []byte {
			if column.IsNull(row) {
				return nil
			}
			return read(row)
		}
	}
	switch c := column.(type) {
	case *array.Binary:
		return known(c.Value)
	case *array.LargeBinary:
		return known(c.Value)
	case *array.LargeString:
		return known(func(row int) []byte { return []byte(c.Value(row)) })
	}
	c := column.(*array.String)
	return known(func(row int) []byte { return []byte(c.Value(row)) })
}

// numbersOf reads a column of numbers, or of texts that are numbers.
func (l locator) numbersOf(column arrow.Array) func(row int) (float64, error) {
	var read func(row int) (float64, error)
	switch c := column.(type) {
	case *array.Float64:
		read = func(row int) (float64, error) { return c.Value(row), nil }
	case *array.Float32:
		read = func(row int) (float64, error) { return shortest(c.Value(row)), nil }
	case *array.String:
		read = func(row int) (float64, error) { return l.parse(c.Value(row)) }
	default: // integers, decimals
		read = func(row int) (float64, error) { return parse(c.ValueStr(row)) }
	}
	return func(row int) (float64, error) {
		if column.IsNull(row) {
			return 0, errMissing
		}
		return read(row)
	}
}

// shortest is the number that is written as f is: 45.42 and not 45.41999816894531.
func shortest(f float32) float64 {
	value, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	if err != nil {
		return math.NaN()
	}
	return value
}

// parse reads decimal digits with a point and an exponent, as the API does, with blanks around them.
func parse(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" || strings.EqualFold(text, "nan") || strings.EqualFold(text, "null") || text == "NA" {
		return 0, errMissing
	}
	if strings.ContainsAny(text, "_xXpPiI") { // 4_5, 0x1p4, Inf
		return 0, errNumber
	}
	value, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil || errors.Is(err, strconv.ErrRange):
		return value, nil
	case strings.Count(text, ",") == 1 && !strings.Contains(text, "."):
		return 0, errComma
	}
	return 0, errNumber
}

// parse is parse of a text of a file, which may have a decimal comma. In degrees a comma without a point is one, since there
// are no thousands of them.
func (l locator) parse(text string) (float64, error) {
	comma := strings.Count(text, ",") == 1 && !strings.Contains(text, ".")
	if comma && (l.decimal == "," || l.decimal == "" && !l.projected) {
		text = strings.Replace(text, ",", ".", 1)
	}
	if l.decimal == "," && strings.Contains(text, ".") && !comma {
		return 0, errNumber
	}
	return parse(text)
}

// pointIn reads a point in well-known binary or text.
func (l locator) pointIn(data []byte) (orb.Point, error) {
	if len(data) == 0 {
		return nowhere, errMissing
	}
	var p orb.Point
	var err error
	read := true
	if data[0] <= 1 {
		var g orb.Geometry
		g, _, err = wellknown.Binary{System: uint32(l.system)}.Read(data)
		if p, read = g.(orb.Point); g != nil && !read {
			return nowhere, errArea
		}
		var fault *wellknown.Error
		if errors.As(err, &fault) && fault.What == wellknown.System {
			return nowhere, errSystem
		}
	} else {
		text, same := withoutSystem(strings.TrimSpace(string(data)), l.system)
		if !same {
			return nowhere, errSystem
		}
		if p, err = wkt.UnmarshalPoint(text); err != nil && areaText(text) {
			return nowhere, errArea
		}
	}
	if err != nil || !read {
		return nowhere, errGeometry
	}
	return p, l.check(p[0], p[1])
}

// areaText reports whether a well-known text begins like a line, polygon or several.
func areaText(text string) bool {
	text = strings.ToUpper(text)
	return strings.HasPrefix(text, "POLYGON") || strings.HasPrefix(text, "LINESTRING") || strings.HasPrefix(text, "MULTI")
}

// geohashCentre is the centre of a geohash.
func geohashCentre(text string) (orb.Point, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nowhere, errMissing
	}
	cell, err := geo.GeohashCell(text)
	if err != nil {
		return nowhere, errGeohash
	}
	return cell.Center(), nil
}

// textAt is what a row has in place of coordinates.
func (l locator) textAt(record arrow.Record, row int) string {
	if l.kind == written {
		var all []string
		for _, column := range l.parts {
			if column >= 0 {
				all = append(all, valueText(record.Column(column), row))
			}
		}
		return strings.Join(all, ", ")
	}
	text := valueText(record.Column(l.lat), row)
	if l.kind == degrees {
		text += ", " + valueText(record.Column(l.lng), row)
	}
	return text
}

// valueText is a value as text; "" for NULL.
func valueText(column arrow.Array, row int) string {
	if column.IsNull(row) {
		return ""
	}
	return column.ValueStr(row)
}
