package osm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/address"
	"quartier/ingest/formats/element"
	"quartier/schemas"
)

// region is a country and, where it is known, a state of it; both codes of two capital letters or ”.
type region struct{ country, state string }

func (r region) String() string { return strings.Trim(r.country+"-"+r.state, "-") }

// countryOf names the country that a state lies in: no code is used in both.
var countryOf = func() map[string]string {
	of := map[string]string{}
	for _, s := range schemas.States {
		of[s.Code] = s.Country
	}
	return of
}()

// isoRegion reads ISO3166-1 and ISO3166-2 tags; a state's own boundary without them is known by its name. States that
// are not of Canada or the United States are unknown.
func isoRegion(tags map[string]string) region {
	country := cmp.Or(tags["ISO3166-1"], tags["ISO3166-1:alpha2"])
	if of, state, ok := strings.Cut(tags["ISO3166-2"], "-"); ok && countryOf[state] == of {
		return region{of, state}
	}
	if tags["boundary"] == "administrative" && tags["admin_level"] == "4" && tags["ISO3166-2"] == "" {
		state := address.State(tags["name"])
		return region{countryOf[state], state}
	}
	return region{country: country}
}

// saidRegion is the country and state that a boundary's own tags put it in, empty where they say nothing.
func saidRegion(tags map[string]string) region {
	for _, key := range []string{"is_in:state_code", "gnis:ST_alpha"} {
		if code := tags[key]; countryOf[code] != "" {
			return region{countryOf[code], code}
		}
	}
	for _, key := range []string{"tiger:STATEFP", "nist:state_fips"} {
		if state, known := schemas.StateByFIPS(tags[key]); known {
			return region{state.Country, state.Code}
		}
	}
	return region{}
}

// votes counts the elements whose tags name a state. Addresses and imported data do so all over a file.
type votes map[string]int

func (v votes) count(tags element.Tags) {
	for key, value := range tags.All() {
		code := ""
		switch key {
		case "addr:state", "addr:province", "is_in:state_code", "gnis:ST_alpha":
			code = strings.ToUpper(value)
		case "tiger:county":
			code = value[max(len(value)-2, 0):]
		}
		if code != "" && countryOf[code] != "" {
			v[code]++
			return
		}
	}
}

// winner is the state with the most votes, "" without any or with a draw.
func (v votes) winner() (state string, n int) {
	draw := false
	for code, count := range v {
		switch {
		case count > n:
			state, n, draw = code, count, false
		case count == n:
			draw = true
		}
	}
	if draw {
		return "", n
	}
	return state, n
}

// claim is a state whose relation is in the file, and how much of its outline is.
type claim struct {
	region
	relation      int64
	ways, present int
	closed        bool
}

// choose decides in which country and state the data lies, and says why.
func choose(given region, v votes, claims []claim) (region, string) {
	if given.state != "" {
		return region{countryOf[given.state], given.state}, "as the region or the options say"
	}
	claims = slices.DeleteFunc(slices.Clone(claims), func(c claim) bool {
		return c.state == "" || given.country != "" && c.country != given.country
	})
	if state, n := v.winner(); state != "" && (given.country == "" || countryOf[state] == given.country) {
		return region{countryOf[state], state}, fmt.Sprintf("%d elements name it in their tags", n)
	}
	if len(claims) == 0 {
		return given, ""
	}
	best := slices.MinFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(b.present, a.present), cmp.Compare(a.relation, b.relation))
	})
	return best.region, fmt.Sprintf("relation %d has %d of its %d outline ways here", best.relation, best.present, best.ways)
}
