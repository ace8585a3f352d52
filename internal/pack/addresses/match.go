package addresses

import (
	"strings"

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
	agreeFar       = 0.80 // with two, in the town that is written
	agreeNoPlace   = 0.98 // no place is written
	agreeAlias     = 0.97 // a town that the address has as well
	agreeTown      = 0.92 // a town beside the one that is written
	agreeArea      = 0.87 // another town, in which the postal code is
	agreePostal    = 0.90 // another postal code
	agreeSuffix    = 0.95 // another suffix of the number
	agreeTypo      = 0.98 // a type with a letter that is wrong
	agreeWords     = 0.97 // words that are no part
	agreeNoNumber  = 0.90 // a street or an area without the number that is written
	agreeNoStreet  = 0.85 // an area without the street
	agreeNoWords   = 0.95 // an area without other words
	agreeUnit      = 0.999
	least          = 0.65 // score of an address that is answered
	leastFar       = 0.77 // of one whose name differs by two letters, so that little else does
	leastAside     = 0.88 // of a street without the number that is written, or a place along it
	leastStreet    = 0.80 // of a street that is asked for without a number
	tie            = 0.02 // difference of scores within which two are equally good
	besideM        = 15000
	apartM         = 100 // metres between two that are not the same
)

// weight is what a level counts beside agreement, so that an exact address in the next town is not better than its street here.
var weight = [...]float64{Exact: 1, InRange: .95, Street: .85, Postal: .7, Place: .6}

// candidate is a street that can be meant, or an address of it.
type candidate struct {
	level    Level
	score    float64
	changed  Change
	source   string
	street   uint32
	address  uint32      // Exact alone
	twin     uint32      // Exact alone: the same address at another place; none: there is none
	area     int         // Postal and Place alone: its index
	number   uint32      // InRange and Street: the number that is written
	crossing uint32      // Street alone: the other street of a corner + 1; 0: it is none
	mistyped bool        // the town that is written is this one with an error
	unit     bool        // Exact alone: a unit is asked for
	at       coord.Point // not yet of a Street that is no corner
	metres   float64     // uncertainty, likewise
}

func (c *candidate) value() float64 { return c.score * weight[c.level] }

// Find looks an address up. Found may be reused.
func (t *Table) Find(q *Query, f *Found) {
	f.Matches, f.all = f.Matches[:0], f.all[:0]
	a := &q.Address
	switch a.Kind {
	case address.None, address.Box:
		return
	}
	for letters := range agreements {
		if a.Kind == address.Corner {
			break
		}
		if best := f.best(); best == nil || best.value() < agreements[letters] {
			t.findStreets(q, f, letters)
		}
	}
	if f.best() == nil {
		t.findCorners(q, f)
	}
	if f.best() == nil && a.Kind != address.Corner {
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
	if best == nil || best.level > level {
		return
	}
	f.Matches = append(f.Matches, t.match(best))
	if twin := *best; best.level == Exact && best.twin != none {
		twin.address = best.twin
		twin.at, _ = t.point(best.twin)
		f.Matches = append(f.Matches, t.match(&twin))
		return
	}
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
	if c.level == Street && c.changed&ChangedNumber != 0 { // of no weight among streets, none of which has it
		m.Score *= agreeNoNumber
	}
	switch c.level {
	case Exact:
		m.Text = t.Text(c.address, c.unit)
	case InRange:
		m.Text = address.Number{Value: c.number}.String() + " " + t.streetLine(c.street)
	case Street:
		if m.Text = t.streetLine(c.street); c.crossing > 0 {
			m.Text = string(t.text.At(int(t.streetText[c.street]))) + " & " + t.streetLine(c.crossing-1)
		} else {
			t.middle(c)
		}
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
// name that differs by as many letters.
func (t *Table) findStreets(q *Query, f *Found, letters int) {
	for reading := range q.Address.Streets {
		name := reading.Street.Name
		if name == "" {
			continue
		}
		w := t.localityOf(q, reading.Place)
		if w.regionAbsent {
			return
		}
		f.names = f.names[:0]
		switch letters {
		case 0:
			if n, found := t.nameOf(name); found {
				f.names = append(f.names, n)
			}
		case 1:
			f.names = t.nearNames(f.names, name)
		default:
			f.names = t.farNames(f.names, &w, name)
		}
		for _, n := range f.names {
			t.addStreets(q, f, &reading, &w, n, letters)
		}
	}
}

// agreements are the agreements of a name by the letters that differ.
var agreements = [...]float64{1, agreeNear, agreeFar}

// addStreets adds the streets of a name: those of the town that is written, and the others where these are not good enough.
func (t *Table) addStreets(q *Query, f *Found, r *address.Reading, w *locality, name uint32, letters int) {
	first, last := span(t.nameStreet, name, len(t.place))
	if w.region >= 0 {
		first, last = t.within(first, last, w.region, -1)
	}
	add := func(first, last uint32) {
		for s := first; s < last; s++ {
			t.addStreet(q, f, r, w, s, letters)
		}
	}
	for p := w.first; p < w.last; p++ {
		if in := int(t.placeIn[p]); w.region < 0 || w.region == in {
			add(t.within(first, last, in, p))
		}
	}
	if best := f.best(); best == nil || best.value() < agreeTown+tie {
		add(first, last)
	}
}

// addStreet adds a street, or the address of it.
func (t *Table) addStreet(q *Query, f *Found, r *address.Reading, w *locality, s uint32, letters int) {
	if int(t.place[s]) >= len(t.placeText) || q.Regions != nil && !at(q.Regions, int(t.placeIn[t.place[s]])) {
		return
	}
	if code := q.Address.Postal; code != "" && (code[0] > '9') != strings.HasPrefix(at(t.regions, int(t.placeIn[t.place[s]])), "CA_") {
		return // in the other country, or in none of both: Paris 75001
	}
	c := candidate{level: Street, score: agreements[letters], street: s}
	if letters > 0 {
		c.changed = ChangedName
	}
	if !t.agree(w, s, &c) || !t.street(q, r, &c) {
		return
	}
	numbered := len(q.Address.Other) > 0 || !r.Whole && q.Address.Number != (address.Number{})
	if numbered {
		c = t.numbered(q, r, c)
	}
	if c.score >= least && (letters < 2 || c.score >= leastFar) && (c.level == Exact || c.sureAside(r, numbered)) {
		if c.level != Exact && q.Address.Postal != "" && !w.coded && t.code.Len() > 0 { // no code of the table, and of no weight
			c.change(agreeAbsent, ChangedPostal)
		}
		f.all = append(f.all, c)
	}
}

// sureAside reports whether a street without the number that is written, or a place along it, is the street that is meant: a number
// that is there speaks for another name, town or direction; without it they are another street.
func (c *candidate) sureAside(r *address.Reading, numbered bool) bool {
	switch {
	case r.Unread:
		return false
	case numbered:
		here := c.changed&ChangedPlace == 0 || c.mistyped
		return c.score >= leastAside && (here && c.changed&ChangedDirection == 0 || c.score >= agreeAlias)
	}
	return c.score >= leastStreet
}

// street compares type and directions of a street with those of a reading; false where it cannot be meant.
func (t *Table) street(q *Query, r *address.Reading, c *candidate) bool {
	s := c.street
	switch typ := address.Type(t.streetType[s]); {
	case typ == r.Street.Type:
	case r.Whole:
		return false
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
	if r.Typo {
		c.change(agreeTypo, ChangedType)
	}
	if len(q.Address.Dropped) > 0 || r.Unread || q.Address.Between() {
		c.change(agreeWords, DroppedWords)
	}
	return true
}

func (c *candidate) change(agree float64, what Change) {
	c.score *= agree
	c.changed |= what
}
