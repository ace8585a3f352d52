package addresses

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"quartier/internal/address"
	"quartier/internal/coord"
)

// Suggestions is what an address that is begun can become. It may be reused.
type Suggestions struct {
	Matches []Match
	all     []suggestion
	visited int
}

// suggestion is a street that is suggested, or an address of it.
type suggestion struct {
	candidate
	order float64 // the smaller the better
}

// mostStreets is how many streets are looked at, so that a single letter does not read all of them.
const mostStreets = 4096

// Suggest finds streets, and addresses of them where a number is typed, whose name or town begins with what is typed: the
// nearest to a point first, or those with the most addresses without one.
func (t *Table) Suggest(typed string, near *coord.Point, limit int, regions []bool, s *Suggestions) {
	s.Matches, s.all, s.visited = s.Matches[:0], s.all[:0], 0
	a := address.Read(typed)
	for r := range a.Streets {
		if s.visited >= mostStreets {
			break
		}
		t.suggest(&a, &r, near, regions, s)
	}
	slices.SortFunc(s.all, func(a, b suggestion) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.order, b.order), cmp.Compare(a.street, b.street))
	})
	seen := map[string]bool{}
	for i := range s.all {
		if m := t.match(&s.all[i].candidate); len(s.Matches) < limit && !seen[m.Text] {
			seen[m.Text] = true
			s.Matches = append(s.Matches, m)
		}
		if len(s.Matches) == limit {
			return
		}
	}
}

// suggest adds the streets of a reading: those whose name begins with its name, or which have that name and a town that
// begins with its place.
func (t *Table) suggest(a *address.Address, r *address.Reading, near *coord.Point, regions []bool, s *Suggestions) {
	name := r.Street.Name
	for n := findText(t.name, name); n < t.name.Len() && s.visited < mostStreets; n++ {
		key := string(t.name.At(n))
		if !strings.HasPrefix(key, name) || r.Place != "" && key != name {
			return
		}
		first, last := span(t.nameStreet, uint32(n), len(t.place))
		for street := first; street < last && s.visited < mostStreets; street++ {
			s.visited++
			p := int(t.place[street])
			if regions != nil && !at(regions, int(at(t.placeIn, p))) || r.Place != "" && !strings.HasPrefix(string(t.placeKey.At(p)), r.Place) ||
				r.Street.Type != 0 && address.Type(t.streetType[street]) != r.Street.Type {
				continue
			}
			t.offer(a, r, street, near, s)
		}
	}
}

// offer adds a street, or the address of it with the number that is typed.
func (t *Table) offer(a *address.Address, r *address.Reading, street uint32, near *coord.Point, s *Suggestions) {
	first, last := span(t.addresses, street, t.Len())
	c := candidate{level: Street, score: 1, street: street}
	if first < last {
		c.at, _ = t.point(first + (last-first)/2)
	}
	if n := a.Number.Value; n > 0 && !r.Whole {
		i := first + uint32(sort.Search(int(last-first), func(i int) bool { return t.number[first+uint32(i)] >= n }))
		if i >= last || t.number[i] != n {
			return
		}
		c.level, c.address = Exact, i
		c.at, _ = t.point(i)
		c.metres, c.source = at(uncertaintyM[:], int(t.accuracy[i])), at(t.sources, int(t.source[i]))
	}
	order := -float64(last - first)
	if near != nil {
		plane := coord.NewPlane(*near)
		order = plane.Square(c.at)
	}
	s.all = append(s.all, suggestion{c, order})
}
