package featuretags

import (
	"cmp"
	"strings"

	"quartier/ingest/formats/element"
)

// rail returns the class of a track. Sidings, yards and spurs are known by service. A line without usage is a main line
// if it is electrified, high-speed or carries passengers, and a branch otherwise.
func rail(class string, tags element.Tags) string {
	service, usage := tags.Get("service"), tags.Get("usage")
	switch class {
	case "light_rail", "subway", "tram":
		if service == "yard" {
			return "yard"
		}
		return class
	}
	switch service {
	case "yard", "siding", "crossover":
		return "yard"
	case "spur":
		return "industrial"
	}
	switch usage {
	case "main", "branch":
		return usage
	case "industrial", "military", "test", "scientific":
		return "industrial"
	case "tourism":
		return "branch"
	}
	power := tags.Get("electrified")
	if class == "main" && (power != "" && power != "no" || tags.Get("highspeed") == "yes" || tags.Get("passenger_lines") != "") {
		return "main"
	}
	return "branch"
}

// aerodrome returns the class of an airfield by its type or name. One with an IATA code or a military one is at least
// regional.
func aerodrome(class string, tags element.Tags) string {
	sort := strings.ToLower(cmp.Or(tags.Get("aerodrome:type"), tags.Get("aerodrome"), tags.Get("type")))
	name := strings.ToLower(Name(tags))
	has := func(text string, words ...string) bool {
		for _, word := range words {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	switch {
	case class == "heliport" || has(sort, "heliport", "helipad") || tags.Get("helipad") == "yes" || tags.Get("heliport") == "yes" ||
		has(name, "heliport", "helistop", "helipad", "héliport"):
		return "heliport"
	case has(sort, "international") || has(name, "international"):
		return "international"
	case has(sort, "private", "airstrip", "gliding") || restricted[tags.Get("access")] && tags.Get("icao") == "":
		return "general"
	case has(sort, "regional", "continental", "military") || tags.Get("military") != "" || tags.Get("iata") != "",
		has(name, "air force base", "naval air station", "forces base"):
		return "regional"
	}
	return "general"
}
