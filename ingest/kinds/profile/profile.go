// Package profile is the kind for Canadian census profiles: lines of characteristics with their values, area by area. It
// reads a profile of Statistics Canada, or the long form by ward of the City of Ottawa in English, French or both, into
// rows of staged.statistic. mapping.tsv maps lines to the cells of package demographics.
package profile

import (
	"context"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/census"
	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var reasons reason.List

var (
	missingCharacteristic = reasons.Rejected("missing_characteristic_id", "The row has no valid CHARACTERISTIC_ID.")
	usedWithCaution       = reasons.Repaired("estimate_use_with_caution",
		"An estimate is marked to be used with caution (E); it is staged as it is.")
	numberInferred = reasons.Repaired("ward_number_inferred",
		"A column of a ward has no number and got the one between its neighbours.")
	notAProfile    = reasons.Skipped("file_without_profile", "The file of a folder or .zip is not a census profile.")
	cityWithoutKey = reasons.Skipped("city_total_without_key",
		"The column of the entire city is left out, because the option whole gives it no key.")
)

// kind has beside a declaration the schemes of its tables.
type kind struct{ source.Declaration[Options] }

// Tables returns the schemes of the levels that the options select.
func (k kind) Tables(in source.Input) (schemes []string) {
	o, _ := k.Settings(in) // Check reports the error
	if o.Layout == "ottawa-wards" {
		return []string{o.Scheme}
	}
	for _, name := range levelNames() {
		if o.Areas == nil || slices.ContainsFunc(o.Areas,
			func(area string) bool { level, _, _ := strings.Cut(area, ":"); return level == name }) {
			schemes = append(schemes, "statcan:"+name)
		}
	}
	return schemes
}

// Kind is the source kind "census-profile".
var Kind = kind{source.Declaration[Options]{
	Kind:  "census-profile",
	Title: "Census profiles of Canada",
	Formats: []string{
		"98-401-X2021 Census Profile CSV of Statistics Canada, English or French, for any geography: a file, such as one province, or the " +
			"comprehensive download as a .zip or folder, with the files that come with it",
		"CSV of the package cancensus of R, with vectors of 2021 (v_CA21_…): population, households and median household income",
		"2021 long form by ward of the City of Ottawa, CSV, English or French, or a folder with both",
	},
	Yields: []string{"statistic", "survey"},
	Own:    &reasons,
	Reasons: slices.Concat(census.Reasons(), table.Reasons(),
		[]reason.Reason{source.DuplicateKey, source.MissingKey, source.UnreadSummaryLevel, source.ExcludedByOption}),
	Notes: "Lines are identified by the heading of their section and their name, in either language; the numbers of lines and the year are " +
		"checked too, so that the profile of another census is refused.\n" +
		"A table of an area is staged completely or not at all: it is left out and counted where one of its estimates is suppressed (x), not " +
		"available (..), not applicable (...), too unreliable (F), negative or above its total. An estimate to be used with caution (E) is " +
		"staged and counted.\n" +
		"Margins of error are computed from 95 % confidence limits where the file has them. Otherwise counts of 100 % data have the error of " +
		"random rounding and those of the 25 % sample none; population and dwellings are not rounded. " +
		"Data quality flags and total non-response rates (TNR) are not read, because Statistics Canada suppresses what fails them. " +
		"Population is that of the census, not the total of the sample. Total income is that of 2020. Employment status is not read, because " +
		"the census was taken during a lockdown. " +
		"A column of a ward without number gets the one between its neighbours. Layouts: " + strings.Join(layoutNames(), ", ") + ".",
	Decode: options,
	Inspect: func(_ context.Context, in source.Input, o *Options) error {
		if layout, known := layouts[o.Layout]; known {
			return layout.check(in)
		}
		return nil
	},
	Read: func(ctx context.Context, in source.Input, o *Options, out source.Sink) error {
		return layouts[o.Layout].stage(ctx, in, *o, out)
	},
}}

// layouts are the readers by layout, with what checks the headers of their files.
var layouts = map[string]struct {
	stage func(context.Context, source.Input, Options, source.Sink) error
	check func(source.Input) error
}{
	cancensus:         {stageVectors, checkVectors},
	"ottawa-wards":    {stageWards, checkWards},
	"statcan-profile": {stageProfile, checkProfile},
}

func layoutNames() []string { return slices.Sorted(maps.Keys(layouts)) }

// censusYear is the census of both layouts.
const censusYear = "2021"
