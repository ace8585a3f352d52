package acs

import (
	"slices"
	"strings"
)

// formOf names who writes tables with such columns.
func (in *input) formOf(g grid) string {
	columns := g.columns()
	_, _, _, isLong := longColumns(columns)
	_, isAnswer := g.(*answer)
	_, isFeatures := g.(*features)
	has := func(match func(string) bool) bool { return slices.ContainsFunc(columns, match) }
	switch {
	case in.nhgis:
		return "NHGIS"
	case isAnswer:
		return "Census API"
	case isLong:
		return "tidycensus, long"
	case has(finderName.MatchString):
		return "American FactFinder"
	case in.file.Ext() == ".dat" || has(func(name string) bool { return summaryName.MatchString(strings.ToUpper(name)) }):
		return "summary file"
	case has(reporterName.MatchString):
		return "Census Reporter"
	case isFeatures || column(columns, fullCodes...) < 0:
		return "tidycensus, wide"
	}
	return "data.census.gov"
}
