package addresses

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"

	"quartier/internal/address"
	"quartier/internal/coord"
)

// Records are sorted as bytes: what orders them first, then what does not. Texts end with a zero byte, numbers are
// big-endian.
//
//	name, region and place, type, directions    a street
//	0, number, suffix, unit, accuracy, source   an address: then postal code, texts of street and place, key of
//	                                            the other town, point
//	1, low, high, step, source                  a range: then texts of street and place, points

const (
	addressRecord = 0
	rangeRecord   = 1
)

// ErrNoStreet is the error of Writer.Add for a record without a number, a street or a region.
var ErrNoStreet = errors.New("an address needs a number, a street and a region")

// streetKey begins the record of a street; nil for one without a name.
func streetKey(dst []byte, street, place string, region address.Region) []byte {
	s := address.ReadStreet(street)
	if s.Name == "" || region.Code == "" {
		return nil
	}
	dst = appendText(dst, s.Name)
	dst = appendText(dst, region.Country+"_"+region.Code)
	dst = appendText(dst, address.Place(place))
	dst = binary.BigEndian.AppendUint16(dst, uint16(s.Type))
	return append(dst, byte(s.Before)|byte(s.After)<<4)
}

func appendText(dst []byte, text string) []byte {
	return append(append(dst, strings.ReplaceAll(text, "\x00", " ")...), 0)
}

func appendPoint(dst []byte, p coord.Point) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.Lng))
	return binary.BigEndian.AppendUint32(dst, uint32(p.Lat))
}

// encode appends a record to the key of its street.
func (r *Record) encode(key []byte, n address.Number) []byte {
	b := append(key, addressRecord)
	b = binary.BigEndian.AppendUint32(b, n.Value)
	b = appendText(b, n.Suffix)
	b = appendText(b, strings.ToUpper(strings.TrimSpace(r.Unit)))
	b = append(b, byte(r.Accuracy))
	b = appendText(b, r.Source)
	b = appendText(b, strings.ToUpper(strings.ReplaceAll(r.Postal, " ", "")))
	b = appendText(b, strings.TrimSpace(r.Street))
	b = appendText(b, strings.TrimSpace(r.Place))
	b = appendText(b, address.Place(r.Also))
	return appendPoint(b, r.Point)
}

func (r *Range) encode(key []byte) []byte {
	b := append(key, rangeRecord)
	b = binary.BigEndian.AppendUint32(b, r.Low)
	b = binary.BigEndian.AppendUint32(b, r.High)
	b = append(b, byte(r.Step))
	b = appendText(b, r.Source)
	b = appendText(b, strings.TrimSpace(r.Street))
	b = appendText(b, strings.TrimSpace(r.Place))
	for _, p := range r.Line {
		b = appendPoint(b, p)
	}
	return b
}

// fields reads the fields of a record that this package encoded.
type fields []byte

func (f *fields) text() string {
	text, rest, _ := bytes.Cut(*f, []byte{0})
	*f = rest
	return string(text)
}

func (f *fields) number() uint32 {
	n := binary.BigEndian.Uint32(*f)
	*f = (*f)[4:]
	return n
}

func (f *fields) short() uint16 {
	n := binary.BigEndian.Uint16(*f)
	*f = (*f)[2:]
	return n
}

func (f *fields) byte() byte {
	b := (*f)[0]
	*f = (*f)[1:]
	return b
}

func (f *fields) point() coord.Point {
	lng := int32(f.number())
	return coord.Point{Lng: lng, Lat: int32(f.number())}
}
