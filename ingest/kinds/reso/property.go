package reso

import (
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/address"
	"quartier/internal/outline"
	"quartier/schemas/market"
	"quartier/schemas/staged"
)

// kindOf sets the type of property. It is false for records that are skipped.
func (d *decoder) kindOf(l *staged.Listing) bool {
	units := d.units()
	typed, sub := fold(d.v[propertyType]), fold(d.v[propertySubType])
	g, known := groups[typed]
	if g == lease {
		d.note(leases, propertyType)
		return false
	}
	if d.Class != "" {
		if rule := d.rule(foldClass(d.v[class])); rule != nil {
			if rule.skip {
				d.note(skippedClass.With(d.v[class]))
				return false
			}
			l.Type = uint8(byUnits(rule.kind, units))
			return true
		}
		if d.v[class] != "" {
			d.note(unknownType.With(d.v[class]), class)
		}
	}
	if typed != "" && !known {
		if knownSub(typed) && sub == "" {
			sub = typed // as files of sales have it: Condominium
		} else {
			d.note(unknownType.With(d.v[propertyType]), propertyType)
		}
	}
	if sub != "" && !knownSub(sub) {
		d.note(unknownType.With(d.v[propertySubType]), propertySubType)
	}
	kind, isIncome := classify(g, sub, units)
	if kind == market.Other && !isIncome && g == noGroup && !knownSub(sub) {
		kind = d.otherwise
	}
	l.Type, l.Income = uint8(kind), isIncome
	return true
}

// byUnits is the type of a class with a number of units, which decides between homes of more and of fewer than five.
func byUnits(kind market.PropertyType, units int) market.PropertyType {
	switch {
	case units >= manyUnits:
		return market.MultiFamily5Plus
	case units >= fewUnits && kind == market.MultiFamily5Plus:
		return market.MultiFamilyUnder5
	}
	return kind
}

func knownSub(sub string) bool {
	return homes[sub] != 0 || subGroups[sub] != noGroup || otherSubTypes[sub]
}

// units is the number of units; 0 if it is not known.
func (d *decoder) units() int {
	text := d.v[unitsTotal]
	if text == "" {
		return 0
	}
	n, absent, ok := parseNumber(text)
	if absent {
		return 0
	}
	if !ok || n < 0 || n > 1e6 {
		d.note(invalidUnits, unitsTotal)
		return 0
	}
	return int(n)
}

// Square feet of a square metre, and of an acre.
const (
	sqftPerM2   = 10.7639
	sqftPerAcre = 43_560
)

// areaUnits are the square feet of LivingAreaUnits.
var areaUnits = map[string]float64{
	"": 1, "squarefeet": 1, "sqft": 1, "feet": 1, "squarefoot": 1, "squaremeters": sqftPerM2, "squaremetres": sqftPerM2, "sqm": sqftPerM2,
	"m2": sqftPerM2, "meters": sqftPerM2, "acres": sqftPerAcre,
}

// home reads living area and year.
func (d *decoder) home(l *staged.Listing) {
	if text := d.v[livingArea]; text != "" {
		n, absent, ok := parseNumber(text)
		factor := areaUnits[fold(d.v[livingAreaUnits])]
		switch {
		case absent || ok && n == 0:
		case !ok || n < 0 || factor == 0:
			d.note(invalidArea, livingArea, livingAreaUnits)
		default:
			sqft := n * factor
			l.LivingAreaSqft = &sqft
		}
	}
	if text := d.v[yearBuilt]; text != "" {
		n, absent, ok := parseNumber(text)
		switch year := int32(n); {
		case absent || ok && n == 0:
		case !ok || n < 1600 || n > lastYear || n != float64(year):
			d.note(invalidYear, yearBuilt)
		default:
			l.YearBuilt = &year
		}
	}
}

// place reads where a listing is.
func (d *decoder) place(l *staged.Listing) {
	text := d.v[state]
	code, known := d.states[text]
	if !known {
		if code = d.state; text != "" {
			code = address.State(text)
		}
		if len(d.states) < 1000 {
			d.states[strings.Clone(text)] = code
		}
	}
	l.State = code
	if text := d.v[postalCode]; text != "" {
		if l.PostalCode = zip(text); l.PostalCode == "" && strings.Trim(text, "0 ") != "" {
			d.note(invalidPostal, postalCode)
		}
	}
	d.position(l)
	l.Parcel = d.parcel(l.State)
	l.Address, l.Unit = d.address(l.PostalCode)
}

// zip returns the five digits of a ZIP code; "" of other texts.
func zip(text string) string {
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits == 5 && (len(text) == 5 || text[5] == '-') && text[:5] != "00000" {
		return text[:5]
	}
	if code := address.PostalCode(text); len(code) == 5 && code != "00000" {
		return code
	}
	return ""
}

// The box of the states without the islands of the western Pacific, in which all but a few listings are.
const west, south, east, north = -180, 13, -60, 72

func inBox(lng, lat float64) bool { return lng >= west && lng <= east && lat >= south && lat <= north }

// position reads the coordinates.
func (d *decoder) position(l *staged.Listing) {
	if d.v[latitude] == "" || d.v[longitude] == "" {
		return
	}
	lat, _, ok1 := parseNumber(d.v[latitude])
	lng, _, ok2 := parseNumber(d.v[longitude])
	switch {
	case ok1 && ok2 && inBox(lng, lat):
	case ok1 && ok2 && lat == 0 && lng == 0:
		return // a missing position
	case ok1 && ok2 && inBox(lat, lng):
		lng, lat = lat, lng
		d.note(swapped, latitude, longitude)
	case ok1 && ok2 && outline.Near(orb.Point{lng, lat}):
	default:
		d.note(invalidPosition, latitude, longitude)
		return
	}
	l.Lng, l.Lat = &lng, &lat
}
