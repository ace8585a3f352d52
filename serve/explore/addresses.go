package explore

import (
	"strings"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/pack/addresses"
	"quartier/schemas/addressing"
)

// addresses adds what a text is the address of, and addresses and streets that begin with it. What is found by a typing error in the
// name of the street is only what may have been meant, unless it begins so.
func (s *searching) addresses() {
	var near *coord.Point
	if s.lat.Given {
		at, _ := coord.NewPoint(s.lng.V, s.lat.V) // which the set has checked
		near = &at
	}
	read := address.Read(s.text.V)
	var found addresses.Found
	var begins addresses.Suggestions
	if s.release.FindAddress(&addresses.Query{Address: read, Level: addresses.Street}, &found) != nil ||
		s.release.SuggestAddresses(s.text.V, near, maxFound, &begins) != nil {
		return // there are none
	}
	classes := map[string]int{} // by text
	for i := range begins.Matches {
		classes[begins.Matches[i].Text] = begun
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
		if known, ok := classes[m.Text]; ok {
			class = min(class, known)
		}
		classes[m.Text] = -1 // is added
		s.addAddress(m, class)
	}
	for i := range begins.Matches {
		if m := &begins.Matches[i]; classes[m.Text] == begun {
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
