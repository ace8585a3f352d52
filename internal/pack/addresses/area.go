package addresses

import (
	"fmt"
	"math"
	"strings"

	"quartier/internal/address"
	"quartier/internal/coord"
)

// findArea adds the postal area or the towns of an address whose street is not found, with what of the address is not in them.
func (t *Table) findArea(q *Query, f *Found) {
	towns := q.Address.Towns()
	if i, found := t.codeOf(q.Address.Postal); found {
		c := candidate{level: Postal, score: 1, area: i, at: t.codePoint[i], metres: math.Max(float64(t.codeM[i]), 100)}
		if !strings.HasPrefix(string(t.code.At(i)), q.Address.Postal) {
			c.change(agreePostal, ChangedPostal)
		}
		if town, found := t.townOf(i, towns); found {
			c.without(q, town)
		} else if c.without(q, towns[0]); towns[0].Key != "" {
			c.change(agreeArea, ChangedPlace)
		}
		f.addArea(c)
		return
	}
	if i, found := t.leadingCode(q, towns); found {
		f.addArea(candidate{level: Postal, score: 1, area: i, at: t.codePoint[i], metres: math.Max(float64(t.codeM[i]), 100)})
		return
	}
	for _, town := range towns {
		t.addTowns(q, f, town)
	}
}

// townOf is the first of the towns that is a place beside a postal code.
func (t *Table) townOf(code int, towns []address.Town) (town address.Town, found bool) {
	plane := coord.NewPlane(t.codePoint[code])
	for _, town := range towns {
		first, last := t.placesOf(town.Key)
		for p := first; p < last && town.Key != ""; p++ {
			if reaches(plane, t.placePoint[p], t.placeM[p]+t.codeM[code]) {
				return town, true
			}
		}
	}
	return town, false
}

// leadingCode is the ZIP code that is read as a number, where all else is a town beside it: 94102 San Francisco.
func (t *Table) leadingCode(q *Query, towns []address.Town) (code int, found bool) {
	n := q.Address.Number
	if n.Suffix != "" || n.Value == 0 || n.Value > 99999 || q.Address.Postal != "" || q.Address.Unit != "" {
		return 0, false
	}
	if code, found = t.codeOf(fmt.Sprintf("%05d", n.Value)); !found {
		return 0, false
	}
	for i := range towns {
		if one := towns[i : i+1]; !one[0].Street && !one[0].Words {
			if _, found = t.townOf(code, one); found {
				return code, true
			}
		}
	}
	return 0, false
}

// addTowns adds the places of the name of a town.
func (t *Table) addTowns(q *Query, f *Found, town address.Town) {
	if town.Key == "" {
		return
	}
	first, last := t.placesOf(town.Key)
	for i := first; i < last; i++ {
		region, in := at(t.regions, int(t.placeIn[i])), q.Address.Region
		if in.Code != "" && region != in.Country+"_"+in.Code || q.Regions != nil && !at(q.Regions, int(t.placeIn[i])) {
			continue
		}
		c := candidate{level: Place, score: 1, area: i, at: t.placePoint[i], metres: math.Max(float64(t.placeM[i]), 500)}
		if c.without(q, town); q.Address.Postal != "" {
			c.change(agreePostal, ChangedPostal)
		}
		f.addArea(c)
	}
}

// without marks what an area does not have of an address that is read with a town.
func (c *candidate) without(q *Query, town address.Town) {
	for _, part := range []struct {
		written bool
		agree   float64
		what    Change
	}{{town.Number, agreeNoNumber, ChangedNumber}, {town.Street, agreeNoStreet, ChangedName}, {town.Words, agreeNoWords, DroppedWords},
		{q.Address.Unit != "", agreeUnit, ChangedUnit}} {
		if part.written {
			c.change(part.agree, part.what)
		}
	}
}

func (f *Found) addArea(c candidate) {
	if c.score >= least {
		f.all = append(f.all, c)
	}
}
