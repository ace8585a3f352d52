package addresses

import (
	"strconv"
	"strings"

	"quartier/internal/address"
)

// unitAt is the unit of an address, as text.
func (t *Table) unitAt(i uint32) []byte { return t.units.At(int(t.unit[i])) }

// Text is an address as it is in the table, with its unit or without: "12-221B Main St, Ottawa, ON K1A 0B1".
func (t *Table) Text(i uint32, withUnit bool) string {
	var room [96]byte
	text := room[:0]
	if unit := t.unitAt(i); withUnit && len(unit) > 0 {
		text = append(append(text, unit...), '-')
	}
	n := address.Number{Value: t.number[i], Suffix: at(t.suffixes, int(t.suffix[i]))}
	if n.Suffix == "" {
		text = strconv.AppendUint(text, uint64(n.Value), 10)
	} else {
		text = append(text, strings.ToUpper(n.String())...)
	}
	text = t.appendStreet(append(text, ' '), t.streetOf(i))
	if p := t.postal[i]; p > 0 {
		text = append(append(text, ' '), postalText(string(t.code.At(int(p-1))))...)
	}
	return string(text)
}

// appendStreet appends a street with its town and region.
func (t *Table) appendStreet(dst []byte, s uint32) []byte {
	dst = append(append(dst, t.text.At(int(t.streetText[s]))...), ", "...)
	return t.appendPlace(dst, int(t.place[s]))
}

// appendPlace appends a town with its region.
func (t *Table) appendPlace(dst []byte, p int) []byte {
	town := t.text.At(int(at(t.placeText, p)))
	dst = append(dst, town...)
	if region := at(t.regions, int(at(t.placeIn, p))); len(region) > 3 {
		if len(town) > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, region[3:]...)
	}
	return dst
}

// streetLine is a street with its town and region.
func (t *Table) streetLine(s uint32) string { return string(t.appendStreet(nil, s)) }

// placeLine is a town with its region.
func (t *Table) placeLine(p int) string { return string(t.appendPlace(nil, p)) }

// postalText is a postal code as it is written: "K1A 0B1".
func postalText(code string) string {
	if len(code) == 6 && code[0] > '9' {
		return code[:3] + " " + code[3:]
	}
	return code
}

// streetOf is the street of an address.
func (t *Table) streetOf(i uint32) uint32 {
	lo, hi := uint32(0), uint32(len(t.place))
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; t.addresses[mid] <= i {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Record is an address as it was added, but for the form of number and postal code.
func (t *Table) Record(i int) Record {
	s := t.streetOf(uint32(i))
	place := int(t.place[s])
	r := Record{
		Number: strings.ToUpper(address.Number{Value: t.number[i], Suffix: at(t.suffixes, int(t.suffix[i]))}.String()),
		Street: string(t.text.At(int(t.streetText[s]))), Unit: string(t.unitAt(uint32(i))), Accuracy: min(Accuracy(t.accuracy[i]), OnStreet),
		Place: string(t.text.At(int(at(t.placeText, place)))), Source: at(t.sources, int(t.source[i])),
	}
	r.Region.Country, r.Region.Code, _ = strings.Cut(at(t.regions, int(at(t.placeIn, place))), "_")
	if p := t.postal[i]; p > 0 {
		r.Postal = postalText(string(t.code.At(int(p - 1))))
	}
	r.Point, _ = t.point(uint32(i))
	return r
}
