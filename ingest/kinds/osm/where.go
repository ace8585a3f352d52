package osm

import (
	"cmp"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/address"
	"quartier/internal/outline"
	"quartier/schemas"
)

// region is a country and a state; codes of two capital letters, or "" if not known.
type region struct{ country, state string }

func (r region) String() string { return strings.Trim(r.country+"-"+r.state, "-") }

// regionAt returns the country and state of a point.
func regionAt(p orb.Point) region {
	country, state, _ := strings.Cut(outline.At(p), "_")
	return region{country, state}
}

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
