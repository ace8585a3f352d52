// Package addressing is the words and bodies of answers about written addresses.
package addressing

import "quartier/schemas"

// Levels are how near to a written address a match is, the best first, with what they are called.
var Levels = []struct {
	ID    string
	Label schemas.Text
}{
	{"exact", schemas.Text{EN: "Address", FR: "Adresse"}},
	{"range", schemas.Text{EN: "Number along the street", FR: "Numéro le long de la rue"}},
	{"street", schemas.Text{EN: "Street", FR: "Rue"}},
	{"postal", schemas.Text{EN: "Postal area", FR: "Zone postale"}},
	{"place", schemas.Text{EN: "Town", FR: "Localité"}},
}

// The levels of an address without one match, as Levels.
const (
	Ambiguous = "ambiguous" // two matches are equally good
	None      = "none"      // there is none
)

// Changes are the parts of a written address that a match may have otherwise.
var Changes = []string{"street_name", "street_type", "direction", "number", "unit", "place", "postal_code", "other_words"}

// AddressesAnswer is the answer of GET /v3/addresses.
type AddressesAnswer struct {
	Data AddressesData `json:"data" doc:"What the text means, and what it can become."`
	Meta schemas.Meta  `json:"meta" doc:"That the call succeeded."`
}

// AddressesData has the matches of a written address.
type AddressesData struct {
	MatchLevel  string          `json:"match_level" enum:"AddressResult" doc:"Level of the match; ambiguous with two matches, none without."`
	Matches     []AddressMatch  `json:"matches" doc:"What the text as a whole means: none, one, or two that are equally good, of which none is chosen."`
	Suggestions []AddressRecord `json:"suggestions" doc:"What the text can become where it is typed on: streets, and addresses where it has a number; the nearest first where a point is given, else those of the streets with the most addresses."`
	Sources     []AddressSource `json:"sources" doc:"The sources of these addresses, with what their licences ask to be shown."`
}

// AddressRecord is an address, street, postal area or town of the data.
type AddressRecord struct {
	Address    string  `json:"address" column:"enrich.address_matched"`
	MatchLevel string  `json:"match_level" enum:"AddressLevel" doc:"What it is: how near to a written address a match of it is."`
	Label      string  `json:"label" doc:"What the level is called, in the language asked for."`
	Lat        float64 `json:"lat" column:"all.lat"`
	Lng        float64 `json:"lng" column:"all.lng"`
	Source     string  `json:"source,omitempty" column:"enrich.address_source"`
}

// AddressMatch is what a written address means, or the address nearest to a point.
type AddressMatch struct {
	AddressRecord
	MatchScore   float64                `json:"match_score" column:"enrich.address_score"`
	UncertaintyM float64                `json:"uncertainty_m" column:"enrich.address_uncertainty_m"`
	Changed      []string               `json:"changed" enum:"AddressChange" doc:"Parts of the written address that it has otherwise, possibly none."`
	Proximity    *schemas.BaseProximity `json:"proximity,omitempty" doc:"How near it is to the point that was asked about; absent if none was."`
}

// AddressSource is a source of addresses.
type AddressSource struct {
	ID          string `json:"id" doc:"Region and id of the source in the release."`
	Attribution string `json:"attribution" doc:"What the licence asks to be shown, in the language asked for."`
	Licence     string `json:"licence" doc:"The licence, by its SPDX id if it has one."`
}

// AddressAtPointAnswer is the answer of GET /v3/addresses/reverse.
type AddressAtPointAnswer struct {
	Data AddressAtPoint `json:"data" doc:"The nearest address."`
	Meta schemas.Meta   `json:"meta" doc:"That the call succeeded."`
}

// AddressAtPoint is the address nearest to a point.
type AddressAtPoint struct {
	Match   AddressMatch    `json:"match" doc:"The address, with its distance."`
	Sources []AddressSource `json:"sources" doc:"Its source, with what the licence asks to be shown."`
}
