package explore

import (
	"slices"
	"strings"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/pack/addresses"
	"quartier/schemas/addressing"
)

// addresses adds what a text is the address of, and addresses and streets that begin with it. What is found by a typing error in the
// name of the street is only what may have been meant.
func (s *searching) addresses() {
	read := address.Read(s.text.V)
	var found addresses.Found
	if s.release.FindAddress(&addresses.Query{Address: read, Level: addresses.Street}, &found) != nil {
		return // there are none
	}
	for i := range found.Matches {
		m, class := &found.Matches[i], same
		switch {
		case m.Changed&addresses.ChangedName != 0:
			class = nearly
		case read.Number == (address.Number{}): // a street alone, of which there are many
			class = begun
		case m.Changed != 0:
			class = allOf
		}
		s.addAddress(m, class)
	}
	var near *coord.Point
	if s.lat.Given {
		at, _ := coord.NewPoint(s.lng.V, s.lat.V) // which the set has checked
		near = &at
	}
	var begins addresses.Suggestions
	if s.release.SuggestAddresses(s.text.V, near, maxFound, &begins) != nil {
		return
	}
	for i := range begins.Matches {
		m := &begins.Matches[i]
		if !slices.ContainsFunc(found.Matches, func(f addresses.Match) bool { return f.Text == m.Text }) {
			s.addAddress(m, begun)
		}
	}
}

func (s *searching) addAddress(m *addresses.Match, class int) {
	name, within, _ := strings.Cut(m.Text, ", ")
	metres := 0.0
	if s.lat.Given {
		metres = distance(s.lng.V, s.lat.V, m.Lng, m.Lat)
	}
	s.add(candidate{class: class, kind: ofAddresses, near: s.near(metres), Found: Found{Kind: "address", Name: name, Within: within,
		Lat: m.Lat, Lng: m.Lng, Type: addressing.Levels[m.Level].Label.In(s.language.V)}})
}
