package addresses

import (
	"strings"

	"quartier/internal/address"
)

// unitAt is the unit of an address, as text.
func (t *Table) unitAt(i uint32) []byte { return t.units.At(int(t.unit[i])) }

// Text is an address as it is in the table, with its unit or without: "12-221B Main St, Ottawa, ON K1A 0B1".
func (t *Table) Text(i uint32, withUnit bool) string {
	n := address.Number{Value: t.number[i], Suffix: at(t.suffixes, int(t.suffix[i]))}
	text := strings.ToUpper(n.String())
	if unit := t.unitAt(i); withUnit && len(unit) > 0 {
		text = string(unit) + "-" + text
	}
	s := t.streetOf(i)
	text += " " + t.streetLine(s)
	if p := t.postal[i]; p > 0 {
		text += " " + postalText(string(t.code.At(int(p-1))))
	}
	return text
}

// streetLine is a street with its town and region.
func (t *Table) streetLine(s uint32) string {
	return string(t.text.At(int(t.streetText[s]))) + ", " + t.placeLine(int(t.place[s]))
}

// placeLine is a town with its region.
func (t *Table) placeLine(p int) string {
	text := string(t.text.At(int(at(t.placeText, p))))
	if region := at(t.regions, int(at(t.placeIn, p))); len(region) > 3 {
		if text != "" {
			text += ", "
		}
		text += region[3:]
	}
	return text
}

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
