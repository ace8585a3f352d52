package brands

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas"
)

// locationSet is where a brand trades: codes, and circles that cannot be used here.
type locationSet struct {
	Include []json.RawMessage `json:"include"`
	Exclude []json.RawMessage `json:"exclude"`
}

// places is where a brand trades, in codes: countries ("ca"), their states ("us-tx"), UN regions ("150").
// No codes: everywhere.
type places struct{ codes []string }

// american are the UN's regions that hold both Canada and the United States.
var american = []string{"003", "019", "021"}

const world = "001"

// locationCode is a code that a row can be compared with: country, country with a part of ISO 3166-2, UN region.
// The index's own outlines (us-peoples_bank_oh.geojson) have longer names.
var locationCode = regexp.MustCompile(`^([a-z]{2}|[a-z]{2}-[a-z0-9]{1,3}|[0-9]{3})$`)

// locate works out the item's places; false where the file does not tell any, which is counted.
func (it *item) locate(out source.Sink) bool {
	include, lost := codes(it.LocationSet.Include)
	exclude, _ := codes(it.LocationSet.Exclude)
	if len(include) == 0 {
		out.Issue(source.Uncoded(source.Skipped, "trades only in a circle or an outline of the index's own"), it.where)
		return false
	}
	it.lostPlaces = lost > 0
	it.places = resolve(include, exclude)
	if len(it.places.codes) == 0 && !slices.Contains(include, world) {
		out.Issue(source.Uncoded(source.Skipped, "trades nowhere after its exclusions"), it.where)
		return false
	}
	return true
}

func codes(raw []json.RawMessage) (codes []string, lost int) {
	for _, r := range raw {
		var code string
		if json.Unmarshal(r, &code) != nil {
			lost++
			continue
		}
		code = strings.TrimSuffix(strings.ToLower(code), ".geojson")
		if !locationCode.MatchString(code) {
			lost++
			continue
		}
		codes = append(codes, code)
	}
	return codes, lost
}

// resolve takes the exclusions off. Only those inside Canada and the United States need work: a country of which a
// part is excluded becomes the list of its other parts.
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

// without is what of one code is not excluded.
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

// country is the country of a code; a UN region is its own.
func country(code string) string {
	c, _, _ := strings.Cut(code, "-")
	return c
}

// overlap reports whether the brand trades in one of the countries, "*" being all.
func (p places) overlap(countries []string) bool {
	if len(p.codes) == 0 || slices.Contains(countries, "*") {
		return true
	}
	return slices.ContainsFunc(p.codes, func(code string) bool {
		return slices.ContainsFunc(countries, func(c string) bool { return strings.EqualFold(c, country(code)) })
	})
}
