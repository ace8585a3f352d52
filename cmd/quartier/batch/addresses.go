package batch

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"

	"quartier/internal/address"
	"quartier/serve/enrich"
)

// Why a row has no point of an address.
var (
	errNoAddress = errors.New("no address")
	errNoWords   = errors.New("not an address: without letters and digits, or too long")
	errLost      = errors.New("letters of the address are lost: not UTF-8, or U+FFFD")
	errBox       = errors.New("a box or a rural route, which is no place")
	errCorner    = errors.New("a corner of two streets, not an address")
	errNotFound  = errors.New("not found")
	errAmbiguous = errors.New("two that are equally good")
)

// Columns of the parts of an address, by index.
const (
	houseNumber = iota
	street      // or a whole line
	unit
	city
	state
	postalCode
	addressParts
)

// addressColumns are the columns of the parts, "" for those without one; a whole line is in the place of the street.
func (o *Options) addressColumns() (names [addressParts]string) {
	names = [addressParts]string{o.HouseNumber, o.Street, o.Unit, o.City, o.State, o.PostalCode}
	if o.Address != "" {
		names[street] = o.Address
	}
	return names
}

// hasAddresses reports whether rows have addresses in place of points.
func (o *Options) hasAddresses() bool { return o.addressColumns() != [addressParts]string{} }

// locateAddresses finds the columns of addresses.
func (j *job) locateAddresses(schema *arrow.Schema) (l locator, err error) {
	l = locator{kind: written, level: j.AddressLevel, lat: -1, lng: -1}
	names := j.addressColumns()
	switch {
	case j.Address != "" && j.Street != "":
		return l, fmt.Errorf("%w: --address is a whole line, --street a part of it; give one of them", ErrInput)
	case names[street] == "" && names[city] == "" && names[postalCode] == "":
		return l, fmt.Errorf("%w: an address needs --address, --street, --city or --postal-code", ErrInput)
	}
	for i, name := range names {
		l.parts[i] = -1
		if name == "" {
			continue
		}
		if l.parts[i], err = columnOf(schema, written, name); err != nil {
			return l, err
		}
		l.written = append(l.written, name)
	}
	return l, nil
}

// addressesIn returns the reader of the addresses of a record.
func (l locator) addressesIn(record arrow.Record) func(row int) address.Address {
	part := func(i, row int) string {
		if l.parts[i] < 0 {
			return ""
		}
		return valueText(record.Column(l.parts[i]), row)
	}
	if len(l.written) == 1 && l.parts[street] >= 0 {
		return func(row int) address.Address { return address.Read(part(street, row)) }
	}
	return func(row int) address.Address {
		return address.Columns{Number: part(houseNumber, row), Street: part(street, row), Unit: part(unit, row), Place: part(city, row),
			Region: part(state, row), Postal: withZeros(part(postalCode, row))}.Read()
	}
}

// withZeros is a ZIP code with the zeros at its beginning, which tables of numbers lose: 02134 of 2134.
func withZeros(code string) string {
	if n := len(code); n != 3 && n != 4 || strings.Trim(code, "0123456789") != "" {
		return code
	}
	return "00"[:5-len(code)] + code
}

// fillAddresses reads the addresses of a block, finds them, fills in what is known there, and counts.
func (w *worker) fillAddresses(b block, s *Summary) error {
	read := w.job.points.addressesIn(b.rows)
	kinds := make([]address.Kind, b.rows.NumRows())
	w.points = w.FillAddresses(len(kinds), func(row int) address.Address {
		a := read(row)
		kinds[row] = a.Kind
		return a
	})
	for row, status := range w.Statuses() {
		text := func() string { return w.job.points.textAt(b.rows, row) }
		if why := faultOf(status, kinds[row], text); why != nil {
			s.bad(b.first+int64(row)+1, why, "", text)
		}
	}
	s.count(w.Statuses(), w.points, w.points, w.job.enricher.Covers)
	return nil
}

// faultOf is why a row has no point of an address; nil if it has one.
func faultOf(status enrich.Status, kind address.Kind, text func() string) error {
	switch {
	case status == enrich.AddressNotFound:
		return errNotFound
	case status == enrich.AmbiguousAddress:
		return errAmbiguous
	case status != enrich.NoAddress:
		return nil
	case kind == address.Box:
		return errBox
	case kind == address.Corner:
		return errCorner
	case strings.ContainsRune(text(), utf8.RuneError):
		return errLost
	case strings.Trim(text(), ", \t") == "":
		return errNoAddress
	}
	return errNoWords
}
