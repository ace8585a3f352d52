package osm

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/kinds/osm/groundtags"
	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas"
)

// names returns the English name of a boundary and, if it differs, the French name. In Quebec the tag name is French.
// Imported outlines of the United States have their name in place_name and tiger:NAME, often only there, and some have
// their state in the name ("Bear, Delaware"), which is removed.
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

// nameKinds are the kinds of the tags with further names.
var nameKinds = map[string]string{
	"name": "alternate", "alt_name": "alternate", "short_name": "short", "official_name": "official", "old_name": "old",
	"loc_name": "local", "nat_name": "alternate", "reg_name": "alternate", "int_name": "alternate", "place_name": "alternate",
	"tiger:NAME": "alternate",
}

// furtherNames returns the names of a boundary in all tags: alt_name, short_name …, and name in every language. Several in
// one tag are separated by semicolons. name:etymology, name:left and the like are not names.
func furtherNames(tags map[string]string) []source.FurtherName {
	var names []source.FurtherName
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		base, language, tagged := strings.Cut(key, ":")
		kind := nameKinds[base]
		if whole := nameKinds[key]; whole != "" {
			kind, language = whole, ""
		} else if kind == "" || tagged && !isLanguage(language) {
			continue
		}
		if base == "name" && tagged && language != "en" && language != "fr" {
			kind = "translation"
		}
		for _, name := range strings.Split(tags[key], ";") {
			names = append(names, source.FurtherName{Name: strings.TrimSpace(name), Kind: kind, Language: language})
		}
	}
	return names
}

// isLanguage reports whether the end of a key is an IETF tag: two or three lower-case letters, then script or region.
func isLanguage(tag string) bool {
	language, _, _ := strings.Cut(tag, "-")
	return (len(language) == 2 || len(language) == 3) && strings.Trim(language, "abcdefghijklmnopqrstuvwxyz") == ""
}

// isNamed reports whether tags have a name or a postal code.
func isNamed(tags element.Tags) bool {
	for key := range tags.All() {
		switch key {
		case "name", "name:en", "place_name", "tiger:NAME", "postal_code":
			return true
		}
	}
	return false
}

// settlement is a place that is mapped as a point with its population.
type settlement struct {
	at         orb.Point
	state      bool // a state or province, else a municipality
	population int64
}

// settlements are those of each name in lower case.
type settlements map[string][]settlement

// settlementPlaces are the values of place of municipalities and (true) states that are points.
var settlementPlaces = map[string]bool{
	"city": false, "town": false, "village": false, "hamlet": false, "municipality": false,
	"state": true, "province": true,
}

func (s settlements) add(n *element.Node) {
	state, known := settlementPlaces[n.Tags.Get("place")]
	population, ok := groundtags.Population(n.Tags.Get("population"))
	if name := n.Tags.Get("name"); known && ok && name != "" {
		name = strings.ToLower(strings.Clone(name))
		s[name] = append(s[name], settlement{n.Point, state, population})
	}
}

// within returns the population of the settlement of the given name inside a municipality or state.
func (s settlements) within(b *boundaryCandidate, name string) *int64 {
	if b.level != schemas.Municipality && b.level != schemas.State {
		return nil
	}
	for _, place := range s[strings.ToLower(name)] {
		if place.state == (b.level == schemas.State) && geo.Contains(b.geometry, place.at) {
			population := place.population
			return &population
		}
	}
	return nil
}
