package demography

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/internal/sqlrow"
)

// ErrMismatch marks a survey whose statistics do not match the small areas of the region: the boundaries are of another
// vintage, or the data are incomplete or were read from a wrong column.
var ErrMismatch = errors.New("statistics do not match the areas")

// stateTable is a table that a survey has for small areas of a state or province.
type stateTable struct {
	SourceID  string `col:"source_id"`
	State     string `col:"state"` // scheme and two digits
	Table     string `col:"table_id"`
	Unmatched int64  `col:"unmatched"` // rows of areas without outline
	Example   string `col:"example"`   // one of these areas
}

// checkSurveys compares the tables of every survey with the small areas of its states. Tables and outlines of different
// vintages have most but not all of their keys in common, and the people of areas with new keys would be missing.
func (d *deriver) checkSurveys(ctx context.Context) error {
	states := map[string][]stateTable{} // by source
	for row, err := range sqlrow.Select[stateTable](ctx, d.staged, query("survey_states.sql", true)) {
		if err != nil {
			return fmt.Errorf("read the states of surveys: %w", err)
		}
		states[row.SourceID] = append(states[row.SourceID], *row)
	}
	tables, err := d.tablesBySource(ctx)
	if err != nil {
		return err
	}
	if len(d.areas) == 0 {
		if err := d.noteMissingOutlines(ctx); err != nil {
			return err
		}
	}
	for survey, s := range d.surveys {
		list := states[s.source]
		d.countUnmatched(s.source, list)
		if err := d.checkSurvey(ctx, survey, list); err != nil {
			return err
		}
		if err := d.checkTables(survey, list, tables[s.source]); err != nil {
			return err
		}
	}
	return nil
}

// countUnmatched counts statistics of areas that the region does not have. They are no error: files cover more than
// regions.
func (d *deriver) countUnmatched(source string, states []stateTable) {
	rows, example := int64(0), ""
	for _, s := range states {
		rows += s.Unmatched
		if s.Unmatched > 0 && (example == "" || s.Example < example) {
			example = s.Example
		}
	}
	if rows > 0 {
		d.count(noOutline.With(source), rows, example)
	}
}

// checkSurvey fails if a survey has no data for too many people in the small areas of its states for which no other survey
// has data either.
func (d *deriver) checkSurvey(ctx context.Context, survey int, states []stateTable) error {
	areas := d.inhabited(states)
	if len(areas.list) == 0 && len(states) > 0 {
		return d.checkNoneMatched(survey, states)
	}
	share, missing := areas.missing(func(a *smallArea) bool { return slices.Contains(a.surveys, survey) })
	if len(missing) == 0 {
		return nil
	}
	left, empty := areas.missing(func(a *smallArea) bool { return len(a.surveys) > 0 })
	source := d.surveys[survey].source
	others, err := d.unmatchedNearby(ctx, source)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("source %s has no data for %.1f %% of the %s of its states, in %d of %d small areas", source, 100*share, areas.unit,
		len(missing), len(areas.list))
	if others > 0 {
		what += fmt.Sprintf("; of its areas in the same counties %d have no outline", others)
	}
	if filled := len(missing) - len(empty); filled > 0 {
		what += fmt.Sprintf("; %d of these have data of other surveys", filled)
	}
	limit := d.c.MaxUnmatched
	if own := d.surveys[survey].maxUnmatched; own != nil {
		limit = *own
	}
	if left > limit {
		return fmt.Errorf("%w: %s, more than %.3g %%; without data is %s: %s", ErrMismatch, what, 100*limit, empty[0], areas.likelyCause(states))
	}
	d.count(noTable.With(source), int64(len(missing)), missing[0])
	d.result.Notes["demographics of source "+source] = what
	return nil
}

// unmatchedNearby counts the areas of a source in counties of the region's small areas that have no outline.
func (d *deriver) unmatchedNearby(ctx context.Context, source string) (areas int64, err error) {
	type row struct {
		Areas int64 `col:"areas"`
	}
	for row, err := range sqlrow.Select[row](ctx, d.staged, query("unmatched_nearby.sql", true), source) {
		if err != nil {
			return 0, fmt.Errorf("count areas of source %s without outline: %w", source, err)
		}
		areas = row.Areas
	}
	return areas, nil
}

// checkNoneMatched fails if a survey has data for small areas, but for none of the region's.
func (d *deriver) checkNoneMatched(survey int, states []stateTable) error {
	other := ""
	for _, a := range d.areas {
		if slices.Contains(a.surveys, survey) {
			return nil
		}
		if a.number >= 0 && a.counts[people] != 0 {
			other = cmp.Or(other, a.key)
		}
	}
	if other == "" {
		return nil
	}
	return fmt.Errorf("%w: source %s has data for small areas such as %s, but for none of the region's, such as %s", ErrMismatch,
		d.surveys[survey].source, states[0].Example, other)
}

// inhabitedAreas are small areas with people, or without counts.
type inhabitedAreas struct {
	list []*smallArea
	unit string // in which shares are measured: "people", or "small areas" if some have no counts
}

// inhabited returns the inhabited small areas of the states that a survey covers.
func (d *deriver) inhabited(states []stateTable) inhabitedAreas {
	areas := inhabitedAreas{unit: "people"}
	covered := map[string]bool{}
	for _, s := range states {
		covered[s.State] = true
	}
	for _, a := range d.areas {
		if !covered[stateOf(a.key)] || a.number < 0 || a.counts[people] == 0 {
			continue
		}
		areas.list = append(areas.list, a)
		if math.IsNaN(a.counts[people]) {
			areas.unit = "small areas"
		}
	}
	return areas
}

// stateOf is the scheme of a small area's key and the two digits of its state or province.
func stateOf(key string) string { return key[:strings.LastIndexByte(key, ':')+3] }

// missing returns the share, 0 to 1, of the people in areas for which has is false, and the keys of these areas.
func (areas inhabitedAreas) missing(has func(*smallArea) bool) (share float64, keys []string) {
	var all, missing float64
	for _, a := range areas.list {
		n := 1.0
		if areas.unit == "people" {
			n = a.counts[people]
		}
		all += n
		if !has(a) {
			missing += n
			keys = append(keys, a.key)
		}
	}
	if len(keys) == 0 {
		return 0, nil
	}
	return missing / all, keys
}

// likelyCause is the likely reason why tables and areas do not match.
func (areas inhabitedAreas) likelyCause(states []stateTable) string {
	for _, s := range states {
		here := slices.ContainsFunc(areas.list, func(a *smallArea) bool { return strings.HasPrefix(a.key, s.State) })
		if here && s.Unmatched > 0 {
			return fmt.Sprintf("it has data for areas without outline, such as %s, so that the outlines are probably of another vintage than the "+
				"tables", s.Example)
		}
	}
	return "its tables are incomplete, or the outlines are of another vintage"
}
