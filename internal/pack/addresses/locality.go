package addresses

import (
	"sort"
	"strings"

	"quartier/internal/coord"
)

// locality is the town and the postal code of a reading, looked up.
type locality struct {
	key          string // "": none is written
	first, last  int    // places of that name; none: first = last
	also         []uint32
	code         int  // postal code, or the first one of its area
	coded        bool // there is one
	region       int  // index in the table's regions; −1: none is written
	regionAbsent bool // the region that is written has no addresses
}

// localityOf looks the town of a reading up.
func (t *Table) localityOf(q *Query, place string) (w locality) {
	w.key, w.region = place, -1
	if place != "" {
		w.first, w.last = t.placesOf(place)
		if i := findText(t.alias, place); i < t.alias.Len() && string(t.alias.At(i)) == place {
			w.also = t.aliasOf.At(i)
		}
	}
	w.code, w.coded = t.codeOf(q.Address.Postal)
	if code := q.Address.Region; code.Code != "" {
		text := code.Country + "_" + code.Code
		w.region = sort.SearchStrings(t.regions, text)
		w.regionAbsent = at(t.regions, w.region) != text
	}
	return w
}

// codeOf is the first postal code that begins with a code, or with the first half of a Canadian one that is not there.
func (t *Table) codeOf(code string) (int, bool) {
	for _, begin := range []string{code, code[:min(3, len(code))]} {
		i := findText(t.code, begin)
		if i < t.code.Len() && code != "" && strings.HasPrefix(string(t.code.At(i)), begin) {
			return i, true
		}
		if code == "" || code[0] <= '9' {
			break
		}
	}
	return 0, false
}

// within is the part of the streets from first to before last that are in a region and, unless it is negative, in a place. The
// streets have one name, so that they are in the order of region and place.
func (t *Table) within(first, last uint32, region, place int) (from, to uint32) {
	find := func(region, place int) uint32 {
		return first + uint32(sort.Search(int(last-first), func(i int) bool {
			p := int(t.place[first+uint32(i)])
			in := int(at(t.placeIn, p))
			return in > region || in == region && p >= place
		}))
	}
	if place < 0 {
		return find(region, 0), find(region+1, 0)
	}
	return find(region, place), find(region, place+1)
}

// agree compares the town and the postal code that are written with those of a street.
func (t *Table) agree(w *locality, s uint32, c *candidate) bool {
	p := int(t.place[s])
	key := t.placeKey.At(p)
	here := t.placePoint[p]
	if len(key) == 0 {
		if first, last := span(t.addresses, s, len(t.number)); first < last {
			here, _ = t.point(first)
		}
	}
	plane := coord.NewPlane(here)
	coded := w.coded && reaches(plane, t.codePoint[w.code], t.codeM[w.code]+t.placeM[p])
	switch {
	case w.key == "" && w.coded:
		first, last := span(t.addresses, s, len(t.number))
		return coded || first < last && t.postal[first] == uint32(w.code)+1
	case w.key == "":
		c.score *= agreeNoPlace
		return true
	case string(key) == w.key:
		if w.coded && !coded {
			c.change(agreePostal, ChangedPostal)
		}
		return true
	}
	for _, also := range w.also {
		if int(also) == p {
			c.change(agreeAlias, ChangedPlace)
			return true
		}
	}
	for i := w.first; i < w.last; i++ {
		if t.placeIn[i] == t.placeIn[p] && reaches(plane, t.placePoint[i], t.placeM[i]) {
			c.change(agreeTown, ChangedPlace)
			return true
		}
	}
	switch {
	case w.first == w.last && nearPlace(w.key, string(key)):
		c.change(agreeNear, ChangedPlace)
		c.mistyped = true
	case coded && len(key) == 0:
		c.score *= agreeNoPlace
	case coded:
		c.change(agreeArea, ChangedPlace)
	default:
		return false
	}
	return true
}

// reaches reports whether a point is in an area around another, or beside it.
func reaches(plane coord.Plane, p coord.Point, radiusM float32) bool {
	reach := besideM + float64(radiusM)
	return plane.Square(p) <= reach*reach
}

// nearPlace reports whether a name of a town, which no town has, is another with a letter that differs, or two of a long one, or
// its beginning: Mot Currie, North Van.
func nearPlace(written, key string) bool {
	if len(written) >= 3 && strings.HasPrefix(key, written) {
		return true
	}
	most := 1
	if len(written) >= 8 {
		most = 2
	}
	return distance(written, key, most) <= most
}
