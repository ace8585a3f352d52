// Package attributions has the lines that licences of sources ask for, in both languages.
package attributions

import (
	"cmp"
	_ "embed"
	"slices"

	"quartier/schemas"
	"quartier/schemas/tsv"
)

//go:embed french.tsv
var table string

var french = readFrench()

func readFrench() map[string]string {
	lines := map[string]string{}
	for _, c := range tsv.MustParse("french.tsv", table, "attribution", "french") {
		lines[c[0]] = cmp.Or(c[1], c[0])
	}
	return lines
}

// Of are the lines that the licences of sources ask for, each once, in their order. A line whose French wording is not known is
// the same in both languages.
func Of(sources []schemas.ReleaseSource) []schemas.StatusAttribution {
	list := []schemas.StatusAttribution{}
	for _, s := range sources {
		line := schemas.StatusAttribution{Text: schemas.Text{EN: s.Attribution, FR: cmp.Or(french[s.Attribution], s.Attribution)},
			Licence: s.Licence}
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// Lines are the different texts of Of that are not empty.
func Lines(sources []schemas.ReleaseSource) []schemas.Text {
	list := []schemas.Text{}
	for _, line := range Of(sources) {
		if line.Text.EN != "" && !slices.Contains(list, line.Text) {
			list = append(list, line.Text)
		}
	}
	return list
}
