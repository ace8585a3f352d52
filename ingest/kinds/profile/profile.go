// Package profile is the kind for census profiles of Canada: lines of characteristics with their figures, area by area.
// In goes a profile of Statistics Canada, or the long form by ward of the City of Ottawa in English, French or both; out
// come rows of staged.statistic, each a canonical cell of package demographics. mapping.tsv says which line is what.
package profile

import (
	"context"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/census"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	missingCharacteristic = reasons.Rejected("missing_characteristic_id", "The row has no valid CHARACTERISTIC_ID.")
	usedWithCaution       = reasons.Repaired("estimate_use_with_caution", "An estimate is marked to be used with caution (E); it is staged as it is.")
	numberInferred        = reasons.Repaired("ward_number_inferred", "A column of a ward has no number and got the one between its neighbours.")
	cityWithoutKey        = reasons.Skipped("city_total_without_key", "The column of the entire city is left out, because the option whole gives it no key.")
)

// Kind is the source kind "census-profile".
type Kind struct{}

// Info describes the kind.
func (Kind) Info() source.Info {
	return source.Info{
		Kind:  "census-profile",
		Title: "Census profiles of Canada",
		Formats: []string{
			"98-401-X2021 Census Profile CSV of Statistics Canada, English or French, of any geography",
			"2021 long form by ward of the City of Ottawa, CSV, English, French or a folder with both",
		},
		Yields:  []string{"statistic", "survey"},
		Options: Options{},
		Reasons: slices.Concat(reasons, census.Reasons(), []reason.Reason{source.DuplicateKey, source.MissingKey, source.UnreadSummaryLevel, source.ExcludedByOption}),
		Notes: "Lines are known by the heading of their section and their name, in either language; the census's own numbers of lines and its year are checked, so that another census's profile is refused. " +
			"A table is staged of an area whole or not at all: one of which a figure is suppressed (x), not available (..), not applicable (...), too unreliable (F), negative or over its total is left out and counted; an estimate to be used with caution (E) is taken and counted. " +
			"Margins of error come from 95 % confidence limits where the file has them; counts of 100 % data else carry the error of random rounding; of the 25 % sample no error is told, and population and dwellings are not rounded. " +
			"Data quality flags and non-response rates (TNR) are not read: Statistics Canada suppresses what they rule out. " +
			"Population is that of the census alone, not the total of the sample. Total income is that of 2020. Employment status is not read: the census asked in a lockdown. " +
			"A ward's head that lacks its number has that between its neighbours'. Layouts: " + strings.Join(layoutNames(), ", ") + ".",
	}
}

// layouts are the readers by the name of their layout.
var layouts = map[string]func(context.Context, source.Input, Options, source.Sink) error{
	"ottawa-wards":    stageWards,
	"statcan-profile": stageProfile,
}

func layoutNames() []string { return slices.Sorted(maps.Keys(layouts)) }

// Stage reads the file or folder.
func (Kind) Stage(ctx context.Context, in source.Input, out source.Sink) error {
	o, err := options(in)
	if err != nil {
		return err
	}
	return layouts[o.Layout](ctx, in, o, out)
}

// census is what both layouts tell of.
const censusYear = "2021"
