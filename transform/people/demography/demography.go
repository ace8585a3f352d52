// Package demography computes who lives where: the small areas of a region with the parts that they are made of, and the
// figures of small areas and geographies. Input: staged blocks, zones, streets, buildings, land, surveys, statistics and home values,
// derived.geography and the coverage. Output: derived.small_area, small_area_part, small_area_value, water,
// geography_value, home_value and vintage.
//
// A small area is a census block group or a dissemination area, or a census tract where the region has an outline of it and
// none of its block groups. A table that no survey has for a block group is allocated from its tract, whose key the block
// group's begins with. In Canada nothing is allocated: no larger area is near
// enough in size and known from the key.
//
// A small area without blocks is divided into cells by where its people live, as far as streets, buildings and land use show
// it (package settlement).
//
// Parts and figures are streamed; some hundred bytes a small area, 24 a block and 64 a cell stay in memory,
// and the known water with the outlines that it cuts.
package demography

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
	"quartier/schemas/reason"
	"quartier/transform/issue"
	"quartier/transform/places/geography"
)

const step = "demography"

// Reasons are those of this package.
var Reasons reason.List

var (
	incompleteTable = Reasons.Skipped("incomplete_table", "A survey does not have all required cells of the table for the area.")
	supersededTable = Reasons.Skipped("superseded_table",
		"The table of the area was taken from a newer survey or a source of higher priority.")
	cellNotInCountry = Reasons.Skipped("cell_not_in_country", "The cell is not part of the country's tables.")
	tractBeyond      = Reasons.Skipped("tract_beyond_region",
		"The table of the tract was not allocated, because an inhabited block group without it is outside the region.")
	noTable = Reasons.Skipped("small_area_without_table",
		"The survey has no complete table, or no data at all, for the inhabited small area.")
	mismatch = Reasons.Repaired("population_mismatch",
		"The survey and the blocks disagree on the population of the small area; the survey's is used.")
	noOutline       = Reasons.Skipped("statistic_without_outline", "The statistic is of an area whose outline the region does not have.")
	skippedBoundary = Reasons.Skipped("statistic_of_skipped_boundary", "The statistic is of a boundary that is no geography.")
	noGeography     = Reasons.Skipped("home_value_without_geography", "The home value is of an area that is no geography.")
	_               = Reasons.Skipped("block_without_small_area", "The block has no key of a small area.") // issues.sql, with the next three
	_               = Reasons.Skipped("unknown_area_scheme", "The key is not of a block group, tract or dissemination area.")
	_               = Reasons.Skipped("tract_with_block_groups", "Block groups of the tract are known and used instead of its zone.")
	_               = Reasons.Skipped("zone_with_blocks", "The blocks of the zone are known and used instead.")
)

//go:embed *.sql
var queries embed.FS

// query returns the text of a file, with areas preceded by the common table expressions of areas.sql.
func query(name string, areas bool) string {
	text := ""
	if areas {
		text = read("areas.sql")
	}
	return text + read(name)
}

func read(name string) string {
	text, err := queries.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Result counts the written rows.
type Result struct {
	Areas, Parts int
	Described    int               // small areas with figures of a survey
	Published    int               // geographies with figures of a survey
	Notes        map[string]string // rows of derived.note, text by topic
}

// Derive writes the small areas of a region and the figures of its areas and geographies; derived.geography must be
// complete. It fails with ErrMismatch if a survey has no data for too many people in the small areas of its states, or
// disagrees with the blocks on too many.
func Derive(ctx context.Context, staged, derived *duck.DB, coverage *geography.Coverage,
	c calibration.Demographics) (*Result, []issue.Issue, error) {
	d := &deriver{staged: staged, derived: derived, coverage: coverage, c: c, issues: issue.NewCounter(step),
		allocated: make([]int, len(demographics.Tables)), used: map[string][]bool{}, fromBlocks: map[string]int{},
		result: &Result{Notes: map[string]string{}}}
	defer d.water.close()
	for _, step := range []func(context.Context) error{
		d.readSurveys, d.readBlockYears, d.readWater, d.measureAreas, d.numberAreas, d.writeAreaValues, d.divideZones, d.writeAreas, d.writeWater,
		d.writeGeographyValues, d.writeHomeValues,
		d.checkSurveys, d.checkCounts, d.notePartialOutlines, d.writeVintages, d.countUnused,
	} {
		if err := step(ctx); err != nil {
			return nil, nil, err
		}
	}
	d.addNotes()
	return d.result, append(d.counted, d.issues.Issues()...), nil
}

// deriver is the state that the steps share.
type deriver struct {
	staged, derived *duck.DB
	coverage        *geography.Coverage
	c               calibration.Demographics
	issues          *issue.Counter
	counted         []issue.Issue // counted by a query or a check
	result          *Result

	surveys    []survey // the newest first
	areas      []*smallArea
	kept       []*smallArea        // those that are written, by number
	used       map[string][]bool   // by country and survey: a small area has a table of the survey
	water      water               // the known water, by which parts are cut
	blockYears map[string][]string // by country: the censuses that blocks are of, the newest first
	fromBlocks map[string]int      // by country: small areas whose population is that of their blocks
	mismatches []populations       // by survey
	allocated  []int               // by table: block groups that it was allocated to
}

func (d *deriver) count(why reason.Reason, rows int64, example string) {
	d.counted = append(d.counted, issue.Issue{Step: step, Reason: why, Rows: rows, Example: example})
}

// countUnused counts the staged rows that are in no derived table.
func (d *deriver) countUnused(ctx context.Context) error {
	type row struct {
		Code    string `col:"code"`
		Detail  string `col:"detail"`
		Rows    int64  `col:"n"`
		Example string `col:"example"`
	}
	byCode := map[string]reason.Reason{}
	for _, r := range append(issue.Reasons[:len(issue.Reasons):len(issue.Reasons)], Reasons...) {
		byCode[r.Code] = r
	}
	for row, err := range sqlrow.Select[row](ctx, d.staged, query("issues.sql", true)) {
		if err != nil {
			return fmt.Errorf("count unused rows: %w", err)
		}
		d.count(byCode[row.Code].With(row.Detail), row.Rows, row.Example)
	}
	return nil
}

// addNotes notes what figures are based on if it is not the survey of the area itself.
func (d *deriver) addNotes() {
	var tables []string
	for t, areas := range d.allocated {
		if areas > 0 {
			tables = append(tables, fmt.Sprintf("%s to %d", demographics.Tables[t].ID, areas))
		}
	}
	if len(tables) > 0 {
		d.result.Notes["demographics of tracts"] = "tables missing for block groups are allocated from their tracts by blocks: " +
			strings.Join(tables, ", ")
	}
	for _, country := range []string{"CA", "US"} {
		if n := d.fromBlocks[country]; n > 0 {
			d.result.Notes["demographics by blocks "+country] = fmt.Sprintf(
				"the population of %d of %d small areas is that of their blocks, without a margin of error", n, d.areasOf(country))
		}
	}
}

// areasOf is the number of small areas of a country that are written.
func (d *deriver) areasOf(country string) (n int) {
	for _, a := range d.areas {
		if a.country == country && a.number >= 0 {
			n++
		}
	}
	return n
}

// use records that a small area of a country has a table of a survey.
func (d *deriver) use(country string, survey int) {
	if d.used[country] == nil {
		d.used[country] = make([]bool, len(d.surveys))
	}
	d.used[country][survey] = true
}

// countryOf is the country of a small area, by the scheme of its key.
func countryOf(key string) string {
	if strings.HasPrefix(key, "statcan:") {
		return "CA"
	}
	return "US"
}

// isSmall reports whether a key is that of a block group or dissemination area; tracts are small areas in some regions.
func isSmall(key string) bool {
	return strings.HasPrefix(key, "census:bg:") || strings.HasPrefix(key, "statcan:da:")
}
