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
	nearby  Nearby
	found   []uint32 // addresses around the point
	streets []uint32 // of these, ascending
}

// suggestion is a street that is suggested, or an address of it.
type suggestion struct {
	candidate
	order float64 // the smaller the better
}

// Limits of what is looked at: streets of a name, so that a single letter does not read all of them; addresses around a point.
const (
	mostStreets = 4096
	mostAround  = 1000
	aroundM     = 3000
)

// Suggest finds streets, and addresses of them where a number is typed, whose name or town begins with what is typed: the
// nearest to a point first, or those with the most addresses without one.
func (t *Table) Suggest(typed string, near *coord.Point, limit int, regions []bool, s *Suggestions) {
	s.Matches, s.all, s.visited, s.streets = s.Matches[:0], s.all[:0], 0, s.streets[:0]
	if near != nil {
		t.streetsAround(*near, s)
	}
	if t.suggestAll(address.ReadBegun(typed), near, limit, regions, s); len(s.all) == 0 { // its last word may be a state after all
		t.suggestAll(address.Read(typed), near, limit, regions, s)
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

// suggestAll adds what an address can become: first of the streets around the point, then of all.
func (t *Table) suggestAll(a address.Address, near *coord.Point, limit int, regions []bool, s *Suggestions) {
	for _, local := range []bool{true, false} {
		for r := range a.Streets {
			if local {
				for _, street := range s.streets {
					name := sort.Search(len(t.nameStreet), func(i int) bool { return t.nameStreet[i] > street }) - 1
					t.offer(&a, &r, street, t.name.At(max(name, 0)), near, regions, s)
				}
			} else if len(s.all) < limit && s.visited < mostStreets {
				t.suggest(&a, &r, near, regions, s)
			}
		}
	}
}

// streetsAround finds the streets of the addresses nearest to a point.
func (t *Table) streetsAround(near coord.Point, s *Suggestions) {
	lng, lat := near.Degrees()
	t.around(lng, lat, aroundM, mostAround, &s.nearby)
	s.found = s.found[:0]
	for _, hit := range s.nearby.hits {
		s.found = append(s.found, t.nearest[hit.Index])
	}
	slices.Sort(s.found)
	end := uint32(0) // of the last street
	for _, i := range s.found {
		if len(s.streets) == 0 || i >= end {
			street := t.streetOf(i)
			_, end = span(t.addresses, street, t.Len())
			s.streets = append(s.streets, street)
		}
	}
}

// suggest adds the streets of a reading: those whose name begins with its name, or which have that name and what follows.
func (t *Table) suggest(a *address.Address, r *address.Reading, near *coord.Point, regions []bool, s *Suggestions) {
	name := r.Street.Name
	begin, end := findText(t.placeKey, r.Place), findText(t.placeKey, r.Place+"\xff")
	for n := findText(t.name, name); n < t.name.Len() && s.visited < mostStreets; n++ {
		key := t.name.At(n)
		if !hasPrefix(key, name) || r.Place != "" && len(key) != len(name) {
			return
		}
		first, last := span(t.nameStreet, uint32(n), len(t.place))
		if r.Place != "" && end-begin < mostStreets/16 {
			for p := begin; p < end; p++ {
				from, to := t.within(first, last, int(t.placeIn[p]), p)
				t.offerAll(a, r, from, to, key, near, regions, s)
			}
		}
		t.offerAll(a, r, first, last, key, near, regions, s)
	}
}

// offerAll offers the streets of a name from first to before last.
func (t *Table) offerAll(a *address.Address, r *address.Reading, first, last uint32, name []byte, near *coord.Point, regions []bool,
	s *Suggestions) {
	for street := first; street < last && s.visited < mostStreets; street++ {
		s.visited++
		t.offer(a, r, street, name, near, regions, s)
	}
}

func hasPrefix(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// begins reports whether a street of a name is what a reading can become: the last word may be the beginning of its name, of its
// type, or of the town.
func (t *Table) begins(r *address.Reading, street uint32, name []byte) bool {
	p := int(t.place[street])
	if p >= len(t.placeText) {
		return false
	}
	typ := address.Type(t.streetType[street])
	if r.Street.Type != 0 && typ != r.Street.Type {
		return false
	}
	if !hasPrefix(name, r.Street.Name) { // boule of boulevard
		return r.Place == "" && strings.HasPrefix(address.Fold(string(t.text.At(int(t.streetText[street])))), r.Text)
	}
	return r.Place == "" || len(name) == len(r.Street.Name) && (hasPrefix(t.placeKey.At(p), r.Place) ||
		r.Street.Type == 0 && strings.HasPrefix(strings.ToLower(typ.Word(false)), r.Place))
}

// offer adds a street that is what a reading can become, or the address of it with the number that is typed.
func (t *Table) offer(a *address.Address, r *address.Reading, street uint32, name []byte, near *coord.Point, regions []bool,
	s *Suggestions) {
	if regions != nil && !at(regions, int(at(t.placeIn, int(t.place[street])))) || !t.begins(r, street, name) {
		return
	}
	first, last := span(t.addresses, street, t.Len())
	c := candidate{level: Street, score: 1, street: street}
	if n := a.Number.Value; n > 0 && !r.Whole {
		i := first + uint32(sort.Search(int(last-first), func(i int) bool { return t.number[first+uint32(i)] >= n }))
		if i >= last || t.number[i] != n {
			return
		}
		c.level, c.address = Exact, i
		c.at, _ = t.point(i)
		c.metres, c.source = at(uncertaintyM[:], int(t.accuracy[i])), at(t.sources, int(t.source[i]))
	} else if first < last {
		c.at, _ = t.point(first + (last-first)/2)
	}
	order := -float64(last - first)
	if near != nil {
		plane := coord.NewPlane(*near)
		order = plane.Square(c.at)
	}
	s.all = append(s.all, suggestion{c, order})
}
