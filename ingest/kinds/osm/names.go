package osm

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/internal/geo"
	"quartier/schemas"
)

// names are the English name of a boundary and, where it is another one, the French name. In Quebec the name as such
// is French. Imported outlines of the United States keep their name in place_name and tiger:NAME, often those alone,
// and some carry their state in the name ("Bear, Delaware"), which is cut off.
func names(tags map[string]string, around region) (en, fr string) {
	plain := cmp.Or(tags["place_name"], tags["tiger:NAME"])
	name := cmp.Or(tags["name"], plain)
	if plain != "" && strings.HasPrefix(name, plain+",") {
		name = plain
	}
	if state, ok := schemas.StateName(around.country, around.state); ok {
		name = strings.TrimSuffix(name, ", "+state.EN)
	}
	en, fr = cmp.Or(tags["name:en"], name), tags["name:fr"]
	if fr == "" && around.state == "QC" {
		fr = name
	}
	if fr == en {
		fr = ""
	}
	return en, fr
}

// isNamed reports whether names, or a postal code, can be made of tags.
func isNamed(tags element.Tags) bool {
	for key := range tags.All() {
		switch key {
		case "name", "name:en", "place_name", "tiger:NAME", "postal_code":
			return true
		}
	}
	return false
}

// settlement is a place that is mapped as a point and says how many people live there.
type settlement struct {
	at     orb.Point
	state  bool // a state or province, else a municipality
	people int64
}

// settlements are found by their name in lower case.
type settlements map[string][]settlement

// settlementPlaces are the values of place that a municipality, or (true) a state, has as a point.
var settlementPlaces = map[string]bool{
	"city": false, "town": false, "village": false, "hamlet": false, "municipality": false,
	"state": true, "province": true,
}

func (s settlements) add(n *element.Node) {
	state, known := settlementPlaces[n.Tags.Get("place")]
	people, ok := parsePeople(n.Tags.Get("population"))
	if name := n.Tags.Get("name"); known && ok && name != "" {
		name = strings.ToLower(strings.Clone(name))
		s[name] = append(s[name], settlement{n.Point, state, people})
	}
}

// within is the number of people of the settlement of that name that lies in a municipality or state.
func (s settlements) within(b *border, name string) *int64 {
	if b.level != schemas.Municipality && b.level != schemas.State {
		return nil
	}
	for _, place := range s[strings.ToLower(name)] {
		if place.state == (b.level == schemas.State) && geo.Contains(b.geometry, place.at) {
			people := place.people
			return &people
		}
	}
	return nil
}

// parsePeople reads a population; ok is false where it is absent or no whole number.
func parsePeople(text string) (n int64, ok bool) {
	n, err := strconv.ParseInt(strings.NewReplacer(",", "", " ", "", "\u00a0", "").Replace(text), 10, 64)
	return n, err == nil && n >= 0
}
