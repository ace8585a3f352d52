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

// region is a country and a state; codes of two capital letters, or "" if not known.
type region struct{ country, state string }

func (r region) String() string { return strings.Trim(r.country+"-"+r.state, "-") }

// countryOf is the country of each state. No code is used in both countries.
var countryOf = func() map[string]string {
	of := map[string]string{}
	for _, s := range schemas.States {
		of[s.Code] = s.Country
	}
	return of
}()

// isoRegion reads the tags ISO3166-1 and ISO3166-2; the boundary of a state without them is recognised by its name.
// States outside of Canada and the United States are not known.
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

// taggedRegion returns the country and state in a boundary's own tags, if there are any.
func taggedRegion(tags map[string]string) region {
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

// votes counts the elements whose tags name each state: addresses and imported data.
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

// winner returns the state with the most votes; "" without votes or if tied.
func (v votes) winner() (state string, n int) {
	tied := false
	for code, count := range v {
		switch {
		case count > n:
			state, n, tied = code, count, false
		case count == n:
			tied = true
		}
	}
	if tied {
		return "", n
	}
	return state, n
}

// claim is a state whose relation is in the file, with the number of its ways and of those in the file.
type claim struct {
	region
	relation      int64
	ways, present int
}

// choose returns the country and state of the data and the explanation.
func choose(given region, v votes, claims []claim) (region, string) {
	if given.state != "" {
		return region{countryOf[given.state], given.state}, "given by the region or the options"
	}
	claims = slices.DeleteFunc(slices.Clone(claims), func(c claim) bool {
		return c.state == "" || given.country != "" && c.country != given.country
	})
	if state, n := v.winner(); state != "" && (given.country == "" || countryOf[state] == given.country) {
		return region{countryOf[state], state}, fmt.Sprintf("tags of %d elements name it", n)
	}
	if len(claims) == 0 {
		return given, ""
	}
	best := slices.MinFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(b.present, a.present), cmp.Compare(a.relation, b.relation))
	})
	return best.region, fmt.Sprintf("relation %d has %d of its %d outline ways in the file", best.relation, best.present, best.ways)
}
