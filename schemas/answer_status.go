package schemas

import (
	"cmp"
	_ "embed"
	"slices"

	"quartier/schemas/tsv"
)

// StatusAnswer is the answer of GET /v3/status.
type StatusAnswer struct {
	Data Status `json:"data" doc:"The data that answer."`
	Meta Meta   `json:"meta" doc:"That the call succeeded."`
}

// Status is which data answer a customer.
type Status struct {
	Type         string              `json:"type" enum:"StatusType" doc:"Kind of the data."`
	Release      string              `json:"release" doc:"Name of the release."`
	AsOf         string              `json:"as_of" doc:"Latest date of its components, YYYY-MM-DD."`
	NextUpdate   string              `json:"next_update,omitempty" doc:"Day on which the operator expects the next general update, YYYY-MM-DD; absent if none is announced, and after that day."`
	Components   []StatusComponent   `json:"components" doc:"What the release consists of, as far as the agreement has it. Private geographies are in none of them."`
	Attributions []StatusAttribution `json:"attributions" doc:"What the licences of the sources ask to be shown, each once: of all sources that answers for the products of the agreement can be made of."`
}

// StatusComponent is a component of a release.
type StatusComponent struct {
	Name   string `json:"name" enum:"StatusComponentName" doc:"Name of the component."`
	Digest string `json:"digest" doc:"Identifies its content, 64 hexadecimal digits."`
	AsOf   string `json:"as_of" doc:"Latest date of its sources, YYYY-MM-DD; of market, the day of the statistics."`
}

// StatusAttribution is a line that a licence asks for.
type StatusAttribution struct {
	Text
	Licence string `json:"licence" doc:"The licence, by its SPDX id if it has one."`
}

//go:embed attributions_fr.tsv
var attributionsFR string

var frenchAttributions = readFrenchAttributions()

func readFrenchAttributions() map[string]string {
	lines := map[string]string{}
	for _, c := range tsv.MustParse("attributions_fr.tsv", attributionsFR, "attribution", "french") {
		lines[c[0]] = cmp.Or(c[1], c[0])
	}
	return lines
}

// Attributions are the lines that the licences of sources ask for, each once, in their order. A line whose French wording is not
// known is the same in both languages.
func Attributions(sources []ReleaseSource) []StatusAttribution {
	list := []StatusAttribution{}
	for _, s := range sources {
		line := StatusAttribution{Text{s.Attribution, cmp.Or(frenchAttributions[s.Attribution], s.Attribution)}, s.Licence}
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}
