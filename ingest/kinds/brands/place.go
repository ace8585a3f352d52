package brands

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas"
)

// locationSet has the locations of a brand: codes, circles and names of custom outlines.
type locationSet struct {
	Include []json.RawMessage `json:"include"`
	Exclude []json.RawMessage `json:"exclude"`
}

// places are the locations of a brand by code: countries ("ca"), their states ("us-tx"), UN regions ("150").
// No codes: everywhere.
type places struct{ codes []string }

// american are the UN regions that contain both Canada and the United States.
var american = []string{"003", "019", "021"}

const world = "001"

// locationCode is a code with a meaning: country, country with a part of ISO 3166-2, UN region. Custom outlines
// (us-peoples_bank_oh.geojson) have longer names.
var locationCode = regexp.MustCompile(`^([a-z]{2}|[a-z]{2}-[a-z0-9]{1,3}|[0-9]{3})$`)

// locate sets the item's locations; false if there are none with a code, which is counted.
func (it *item) locate(out source.Sink) bool {
	include, custom := codes(it.LocationSet.Include)
	exclude, _ := codes(it.LocationSet.Exclude)
	if len(include) == 0 {
		out.Issue(customLocationOnly, it.where)
		return false
	}
	it.customLocations = custom > 0
	it.places = resolve(include, exclude)
	if len(it.places.codes) == 0 && !slices.Contains(include, world) {
		out.Issue(emptyLocationSet, it.where)
		return false
	}
	return true
}

func codes(raw []json.RawMessage) (codes []string, custom int) {
	for _, r := range raw {
		var code string
		if json.Unmarshal(r, &code) != nil {
			custom++
			continue
		}
		code = strings.TrimSuffix(strings.ToLower(code), ".geojson")
		if !locationCode.MatchString(code) {
			custom++
			continue
		}
		codes = append(codes, code)
	}
	return codes, custom
}

// resolve removes the exclusions in Canada and the United States: a country with an excluded state becomes the list of
// its other states. For example, ca without ca-qc becomes ca-ab, ca-bc, ca-mb …
func resolve(include, exclude []string) places {
	if slices.Contains(include, world) {
		if !slices.ContainsFunc(exclude, func(code string) bool { return country(code) == "ca" || country(code) == "us" }) {
			return places{}
		}
		include = []string{"ca", "us"}
	}
	var kept []string
	for _, code := range include {
		if slices.Contains(american, code) {
			kept = append(kept, "ca", "us")
		}
		kept = append(kept, code)
	}
	var left []string
	for _, code := range kept {
		left = append(left, without(code, exclude)...)
	}
	slices.Sort(left)
	return places{slices.Compact(left)}
}

// without returns the parts of one code that are not excluded.
func without(code string, exclude []string) []string {
	if slices.Contains(exclude, code) || slices.Contains(exclude, country(code)) {
		return nil
	}
	if !slices.ContainsFunc(exclude, func(e string) bool { return strings.HasPrefix(e, code+"-") }) {
		return []string{code}
	}
	var parts []string
	for _, state := range schemas.States {
		part := strings.ToLower(state.Country + "-" + state.Code)
		if country(part) == code && !slices.Contains(exclude, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// country returns the country of a code; that of a UN region is the region.
func country(code string) string {
	c, _, _ := strings.Cut(code, "-")
	return c
}

// overlap reports whether the brand has locations in one of the countries; "*" is all.
func (p places) overlap(countries []string) bool {
	if len(p.codes) == 0 || slices.Contains(countries, "*") {
		return true
	}
	return slices.ContainsFunc(p.codes, func(code string) bool {
		return slices.ContainsFunc(countries, func(c string) bool { return strings.EqualFold(c, country(code)) })
	})
}
