package addresses

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/geo"
)

// numbered finds the number of an address on a street: the address itself, else its place in a range or between two
// neighbours, else the middle of the street.
func (t *Table) numbered(q *Query, r *address.Reading, c candidate) candidate {
	first, last := span(t.addresses, c.street, len(t.number))
	numbers := []address.Number{q.Address.Number}
	unit := q.Address.Unit
	if r.Whole {
		numbers = nil
	}
	for _, n := range q.Address.Other {
		if !r.Whole && strings.HasPrefix(n.Suffix, "-") { // 35-20 comes before unit 35 of number 20
			if exact, ok := t.exact(q, first, last, n, "", c); ok && exact.changed&ChangedNumber == 0 {
				return exact
			}
		}
	}
	for i, n := range append(numbers, q.Address.Other...) {
		if r.Whole || n == (address.Number{}) {
			break
		}
		if i > 0 {
			unit = ""
		}
		if exact, ok := t.exact(q, first, last, n, unit, c); ok {
			return exact
		}
	}
	if v := q.Address.Number.Value; len(numbers) > 0 && v >= 1000 && numbers[0].Suffix == "" { // 3520 of 35-20
		if exact, ok := t.exact(q, first, last, address.Number{Value: v / 100, Suffix: fmt.Sprintf("-%02d", v%100)}, unit, c); ok &&
			exact.changed&ChangedNumber == 0 {
			return exact
		}
	}
	if len(numbers) > 0 && numbers[0].Value > 0 {
		if in, ok := t.inRange(first, last, numbers[0].Value, c); ok {
			return in
		}
	}
	if len(numbers) > 0 && numbers[0] != (address.Number{}) {
		c.changed |= ChangedNumber
		c.number = numbers[0].Value
	}
	return c
}

// exact finds an address of a street by its number, its suffix where it has one, and its unit where it has that.
func (t *Table) exact(q *Query, first, last uint32, n address.Number, unit string, c candidate) (candidate, bool) {
	lo := first + uint32(sort.Search(int(last-first), func(i int) bool { return t.number[first+uint32(i)] >= n.Value }))
	best, score, twin, around := uint32(0), -1.0, uint32(none), 0.0
	for i := lo; i < last && t.number[i] == n.Value; i++ {
		agree := 1.0
		if suffix := at(t.suffixes, int(t.suffix[i])); suffix != n.Suffix {
			if n.Value == 0 {
				continue
			}
			agree = agreeSuffix
		}
		if !sameUnit(t.unitAt(i), unit) {
			agree *= agreeUnit
		}
		if c.changed&ChangedPostal == 0 && !t.coded(i, q.Address.Postal) {
			agree *= agreePostal
		}
		switch {
		case agree > score:
			best, score, twin = i, agree, none
			around = 0
		case agree == score && t.unit[i] == t.unit[best]:
			if d := t.between(i, best); d > twinM {
				twin = i
			} else {
				around = max(around, d)
			}
		}
	}
	if score < 0 {
		return c, false
	}
	p, ok := t.point(best)
	if !ok {
		return c, false
	}
	c.level, c.address, c.at, c.unit, c.twin = Exact, best, p, unit != "", twin
	c.score *= score
	if at(t.suffixes, int(t.suffix[best])) != n.Suffix {
		c.changed |= ChangedNumber
	}
	if unit != "" && !sameUnit(t.unitAt(best), unit) {
		c.changed |= ChangedUnit
	}
	switch coded := t.coded(best, q.Address.Postal); {
	case !coded:
		c.changed |= ChangedPostal
	case c.changed&ChangedPostal != 0 && t.postal[best] > 0: // far from the middle of the code's area
		c.score /= agreePostal
		c.changed &^= ChangedPostal
	}
	c.metres = max(at(uncertaintyM[:], int(t.accuracy[best])), around)
	c.source = at(t.sources, int(t.source[best]))
	return c, true
}

// sameUnit reports whether a unit of the table, such as "APT 4", is one in the form of address.Unit.
func sameUnit(kept []byte, unit string) bool {
	return strings.EqualFold(string(kept), unit) || unit != "" && len(kept) > len(unit) && address.Unit(string(kept)) == unit
}

// twinM are the metres up to which the places that sources have for one address are its uncertainty; beyond, either can be meant.
const twinM = 500

// between is the metres between two addresses; 0 if the file is damaged.
func (t *Table) between(i, j uint32) float64 {
	a, ok := t.point(i)
	b, also := t.point(j)
	if !ok || !also {
		return 0
	}
	return math.Sqrt(coord.NewPlane(a).Square(b))
}

// coded reports whether an address may have a postal code, or one that begins with it.
func (t *Table) coded(i uint32, code string) bool {
	p := t.postal[i]
	return p == 0 || strings.HasPrefix(string(t.code.At(int(p-1))), code)
}

// inRange finds where a number is along its street: in a range of the street's side, else between the two neighbours of
// its side.
func (t *Table) inRange(first, last, n uint32, c candidate) (candidate, bool) {
	lo, hi := span(t.ranges, c.street, len(t.low))
	for i := lo; i < hi; i++ {
		step := Step(t.step[i])
		if n < t.low[i] || n > t.high[i] || step == Odd && n%2 == 0 || step == Even && n%2 == 1 {
			continue
		}
		share := 0.5
		if t.high[i] > t.low[i] {
			share = float64(n-t.low[i]) / float64(t.high[i]-t.low[i])
		}
		p, metres := along(t.line.At(int(i)), share)
		c.level, c.at, c.number, c.metres, c.source = InRange, p, n, metres/2, at(t.sources, int(t.rangeFrom[i]))
		return c, metres > 0
	}
	below, above := t.neighbours(first, last, n)
	if below == none || above == none {
		return c, false
	}
	a, ok := t.point(below)
	b, also := t.point(above)
	share := float64(n-t.number[below]) / float64(t.number[above]-t.number[below])
	p, metres := along([]coord.Point{a, b}, share)
	if !ok || !also || metres > longestBlockM {
		return c, false
	}
	c.level, c.at, c.number, c.metres, c.source = InRange, p, n, math.Max(metres/2, 20), at(t.sources, int(t.source[below]))
	return c, true
}

// longestBlockM is the distance of two neighbours between which a number is not looked for.
const longestBlockM = 1000

const none = math.MaxUint32

// neighbours are the addresses with the next lower and the next higher number of the side of n.
func (t *Table) neighbours(first, last, n uint32) (below, above uint32) {
	lo := first + uint32(sort.Search(int(last-first), func(i int) bool { return t.number[first+uint32(i)] >= n }))
	below, above = none, none
	for i := lo; i > first && below == none; i-- {
		if t.number[i-1]%2 == n%2 && t.number[i-1] > 0 {
			below = i - 1
		}
	}
	for i := lo; i < last && above == none; i++ {
		if t.number[i]%2 == n%2 && t.number[i] > n {
			above = i
		}
	}
	return below, above
}

// middle gives a candidate for a whole street the place of its address whose number is nearest to the one that is written; without
// one of the address, or of the range, that is nearest to the middle.
func (t *Table) middle(c *candidate) {
	points := t.pointsOf(c.street)
	first, last := span(t.addresses, c.street, len(t.number))
	if len(points) == 0 {
		return
	}
	middle, metres := middleOf(points)
	plane := coord.NewPlane(middle)
	c.metres = math.Max(float64(metres), 50)
	c.at = slices.MinFunc(points, func(a, b coord.Point) int { return cmp.Compare(plane.Square(a), plane.Square(b)) })
	if c.number > 0 && first < last {
		i := min(first+uint32(sort.Search(int(last-first), func(i int) bool { return t.number[first+uint32(i)] >= c.number })), last-1)
		if i > first && c.number-t.number[i-1] < max(t.number[i], c.number)-c.number {
			i--
		}
		if p, ok := t.point(i); ok {
			c.at = p
			apart := math.Abs(float64(c.number) - float64(t.number[i]))
			c.metres = max(c.metres, float64(metres)+math.Sqrt(plane.Square(p)), min(apart*metresPerNumber, longestStreetM))
		}
	}
}

// How far a number is from the nearest one of its street that is known: a block of a hundred numbers is 100 to 200 m, one with a number
// for each 15 m longer.
const (
	metresPerNumber = 8
	longestStreetM  = 10_000
)

// pointsOf are the points of the addresses of a street; without any those of its ranges.
func (t *Table) pointsOf(street uint32) (points []coord.Point) {
	first, last := span(t.addresses, street, len(t.number))
	for i := first; i < last; i++ {
		if p, ok := t.point(i); ok {
			points = append(points, p)
		}
	}
	if len(points) == 0 {
		for i, hi := span(t.ranges, street, len(t.low)); i < hi; i++ {
			points = append(points, t.line.At(int(i))...)
		}
	}
	return points
}

// along is the point at a share of the length of a line, and its length in metres.
func along(line []coord.Point, share float64) (p coord.Point, metres float64) {
	for i := 1; i < len(line); i++ {
		metres += geo.Distance(line[i-1].Orb(), line[i].Orb())
	}
	rest := share * metres
	for i := 1; i < len(line); i++ {
		d := geo.Distance(line[i-1].Orb(), line[i].Orb())
		if rest <= d || i+1 == len(line) {
			f := 0.0
			if d > 0 {
				f = math.Min(rest/d, 1)
			}
			a, b := line[i-1], line[i]
			between := func(a, b int32) int32 { return a + int32(math.Round(f*float64(b-a))) }
			return coord.Point{Lng: between(a.Lng, b.Lng), Lat: between(a.Lat, b.Lat)}, metres
		}
		rest -= d
	}
	return p, metres
}
