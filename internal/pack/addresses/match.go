package addresses

import (
	"math"
	"slices"

	"quartier/internal/address"
	"quartier/internal/coord"
)

// Query is an address that is looked for.
type Query struct {
	Address address.Address
	Level   Level  // the least that is given; Place: all
	Regions []bool // by index in the table's regions, those that may be answered of; nil: all
}

// Found is what is found: nothing, one match, or two that are equally good, which is ambiguous.
type Found struct {
	Matches []Match
	names   []uint32 // working memory
	all     []candidate
}

// Ambiguous reports whether there are two matches, of which none is better.
func (f *Found) Ambiguous() bool { return len(f.Matches) > 1 }

// Agreements of the parts of an address; the score is their product.
const (
	agreeOther     = 0.85 // another type of street
	agreeAbsent    = 0.97 // one of the two has none
	agreeDirection = 0.70 // another direction
	agreeNoWay     = 0.95 // one of the two has no direction
	agreeMoved     = 0.99 // a direction before the name that is after it
	agreeNear      = 0.90 // a name with one letter changed
	agreeFar       = 0.80 // with two
	agreeNoPlace   = 0.98 // no place is written
	agreeTown      = 0.92 // a town beside the one that is written
	agreeArea      = 0.87 // another town, in which the postal code is
	agreePostal    = 0.90 // another postal code
	agreeSuffix    = 0.95 // another suffix of the number
	agreeWords     = 0.97 // words that are no part
	least          = 0.60 // score of what is answered
	tie            = 0.02 // difference of scores within which two are equally good
	besideM        = 15000
	apartM         = 100 // metres between two that are not the same
)

// weight is what a level counts beside agreement, so that an exact address in the next town is not better than its street here.
var weight = [...]float64{Exact: 1, InRange: .95, Street: .85, Postal: .7, Place: .6}

// candidate is a street that can be meant, or an address of it.
type candidate struct {
	level   Level
	score   float64
	changed Change
	source  string
	street  uint32
	address uint32      // Exact alone
	area    int         // Postal and Place alone: its index
	number  uint32      // InRange alone
	unit    bool        // Exact alone: a unit is asked for
	at      coord.Point // not yet of a Street
	metres  float64     // uncertainty, likewise
}

func (c *candidate) value() float64 { return c.score * weight[c.level] }

// Find looks an address up. Found may be reused.
func (t *Table) Find(q *Query, f *Found) {
	f.Matches, f.all = f.Matches[:0], f.all[:0]
	a := &q.Address
	switch a.Kind {
	case address.None, address.Box, address.Corner:
		return
	}
	t.findStreets(q, f, false)
	if best := f.best(); best == nil || best.value() < weight[Exact]*agreeNear {
		t.findStreets(q, f, true)
	}
	if f.best() == nil {
		t.findArea(q, f)
	}
	t.decide(f, q.Level)
}

// best is the best candidate; nil if there is none.
func (f *Found) best() (best *candidate) {
	for i := range f.all {
		if c := &f.all[i]; best == nil || c.value() > best.value() {
			best = c
		}
	}
	return best
}

// decide keeps the best match, and another one that is as good.
func (t *Table) decide(f *Found, level Level) {
	best := f.best()
	if best == nil || best.level > level || best.score < least {
		return
	}
	f.Matches = append(f.Matches, t.match(best))
	plane := coord.NewPlane(best.at)
	for i := range f.all {
		c := &f.all[i]
		if c == best || c.level != best.level || c.value() <= best.value()-tie {
			continue
		}
		if other := t.match(c); plane.Square(c.at) > apartM*apartM {
			f.Matches = append(f.Matches, other)
			return
		}
	}
}

// match is what a candidate is.
func (t *Table) match(c *candidate) Match {
	m := Match{Level: c.level, Score: c.score, Changed: c.changed, Source: c.source}
	switch c.level {
	case Exact:
		m.Text = t.Text(c.address, c.unit)
	case InRange:
		m.Text = address.Number{Value: c.number}.String() + " " + t.streetLine(c.street)
	case Street:
		m.Text = t.streetLine(c.street)
		t.middle(c)
	case Postal:
		m.Text = postalText(string(t.code.At(c.area)))
	case Place:
		m.Text = t.placeLine(c.area)
	}
	m.Lng, m.Lat = c.at.Degrees()
	m.UncertaintyM = c.metres
	return m
}

// findStreets adds the streets and addresses that the readings of an address can mean: those with its name, or with a
// name that differs.
func (t *Table) findStreets(q *Query, f *Found, near bool) {
	for reading := range q.Address.Streets {
		name := reading.Street.Name
		if name == "" {
			continue
		}
		if !near {
			if n, found := t.nameOf(name); found {
				t.addStreets(q, f, &reading, n, 1)
			}
			continue
		}
		f.names = t.nearNames(f.names[:0], name)
		for _, n := range f.names {
			t.addStreets(q, f, &reading, n, agreeNear)
		}
	}
}

// addStreets adds the streets of a name.
func (t *Table) addStreets(q *Query, f *Found, r *address.Reading, name uint32, agree float64) {
	first, last := span(t.nameStreet, name, len(t.place))
	for s := first; s < last; s++ {
		if c, ok := t.street(q, r, s); ok {
			if c.score *= agree; agree < 1 {
				c.changed |= ChangedName
			}
			if c.score >= least {
				f.all = append(f.all, t.numbered(q, r, c))
			}
		}
	}
}

// street compares a street with a reading; false where its town or region is another one.
func (t *Table) street(q *Query, r *address.Reading, s uint32) (c candidate, ok bool) {
	p := t.place[s]
	if int(p) >= len(t.placeText) || q.Regions != nil && !at(q.Regions, int(t.placeIn[p])) {
		return c, false
	}
	c = candidate{level: Street, score: 1, street: s}
	if code := q.Address.Region; code.Code != "" && code.Country+"_"+code.Code != at(t.regions, int(t.placeIn[p])) {
		return c, false
	}
	if !t.agreePlace(q, r, p, &c) {
		return c, false
	}
	switch typ := address.Type(t.streetType[s]); {
	case typ == r.Street.Type:
	case typ == 0 || r.Street.Type == 0:
		c.change(agreeAbsent, ChangedType)
	default:
		c.change(agreeOther, ChangedType)
	}
	before, after := address.Direction(t.streetWay[s]&15), address.Direction(t.streetWay[s]>>4)
	switch {
	case before == r.Street.Before && after == r.Street.After:
	case before|after == r.Street.Before|r.Street.After:
		c.score *= agreeMoved
	case before|after == 0 || r.Street.Before|r.Street.After == 0:
		c.change(agreeNoWay, ChangedDirection)
	default:
		c.change(agreeDirection, ChangedDirection)
	}
	if len(q.Address.Dropped) > 0 || r.Unread {
		c.change(agreeWords, DroppedWords)
	}
	return c, true
}

func (c *candidate) change(agree float64, what Change) {
	c.score *= agree
	c.changed |= what
}

// agreePlace compares the town and the postal code of a street's place with those that are written.
func (t *Table) agreePlace(q *Query, r *address.Reading, p uint32, c *candidate) bool {
	if r.Place == "" {
		if q.Address.Postal == "" {
			c.score *= agreeNoPlace
		}
		return true
	}
	if string(t.placeKey.At(int(p))) == r.Place {
		return true
	}
	first, last := t.placesOf(r.Place)
	plane := coord.NewPlane(t.placePoint[p])
	for i := first; i < last; i++ {
		reach := besideM + float64(t.placeM[i])
		if t.placeIn[i] == t.placeIn[p] && plane.Square(t.placePoint[i]) <= reach*reach {
			c.change(agreeTown, ChangedPlace)
			return true
		}
	}
	if first == last && distance(r.Place, string(t.placeKey.At(int(p))), 1) == 1 {
		c.change(agreeNear, ChangedPlace)
		return true
	}
	if code, found := t.codeOf(q.Address.Postal); found {
		if reach := besideM + float64(t.codeM[code]); plane.Square(t.codePoint[code]) <= reach*reach {
			c.change(agreeArea, ChangedPlace)
			return true
		}
	}
	return false
}

// codeOf is the first postal code that begins with a code.
func (t *Table) codeOf(code string) (int, bool) {
	if code == "" {
		return 0, false
	}
	i := findText(t.code, code)
	return i, i < t.code.Len() && len(t.code.At(i)) >= len(code) && string(t.code.At(i)[:len(code)]) == code
}

// findArea adds the postal area and the towns of an address whose street is not found.
func (t *Table) findArea(q *Query, f *Found) {
	a := &q.Address
	if i, found := t.codeOf(a.Postal); found {
		f.all = append(f.all, candidate{level: Postal, score: 1, area: i, at: t.codePoint[i], metres: math.Max(float64(t.codeM[i]), 100)})
		return
	}
	keys := []string{a.Place()}
	for r := range a.Streets {
		keys = append(keys, r.Place)
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		first, last := t.placesOf(key)
		for i := first; i < last && key != ""; i++ {
			region := at(t.regions, int(t.placeIn[i]))
			if a.Region.Code != "" && region != a.Region.Country+"_"+a.Region.Code || q.Regions != nil && !at(q.Regions, int(t.placeIn[i])) {
				continue
			}
			f.all = append(f.all, candidate{level: Place, score: 1, area: i, at: t.placePoint[i], metres: math.Max(float64(t.placeM[i]), 500)})
		}
	}
}
