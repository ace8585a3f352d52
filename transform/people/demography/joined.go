package demography

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/transform/issue"
)

// ErrMismatch marks a survey whose figures are not those of the region's small areas: of another vintage of boundaries,
// incomplete, or read from a wrong column.
var ErrMismatch = errors.New("figures do not fit their areas")

// cover is a table that a survey tells of small areas of a state or province.
type cover struct {
	state   string // scheme and two digits
	table   string
	strays  int64  // figures of areas whose outlines nobody tells
	example string // one of these areas
}

// checkJoined holds the tables of every survey against the outlines of the states that it covers. Tables and outlines of
// two vintages share most of their keys and not all of them: who lives in areas whose keys are new would be nobody.
func (d *deriver) checkJoined(ctx context.Context) error {
	covers, err := d.covers(ctx)
	if err != nil {
		return err
	}
	tables, err := d.tablesOf(ctx)
	if err != nil {
		return err
	}
	if len(d.areas) == 0 {
		if err := d.noteMissingOutlines(ctx); err != nil {
			return err
		}
	}
	for survey, s := range d.surveys {
		list := covers[s.source]
		d.countStrays(s.source, list)
		if err := d.joined(survey, list); err != nil {
			return err
		}
		if err := d.tablesJoined(survey, list, tables[s.source]); err != nil {
			return err
		}
	}
	return nil
}

func (d *deriver) covers(ctx context.Context) (map[string][]cover, error) {
	rows, err := d.staged.QueryContext(ctx, query("covered.sql", true))
	if err != nil {
		return nil, fmt.Errorf("read the states of surveys: %w", err)
	}
	defer rows.Close()
	covers := map[string][]cover{}
	for rows.Next() {
		var source string
		var c cover
		if err := rows.Scan(&source, &c.state, &c.table, &c.strays, &c.example); err != nil {
			return nil, fmt.Errorf("read the states of surveys: %w", err)
		}
		covers[source] = append(covers[source], c)
	}
	return covers, rows.Err()
}

// countStrays counts figures of areas that are not there, which is no fault: tables reach farther than regions.
func (d *deriver) countStrays(source string, covers []cover) {
	stray := issue.Issue{Step: step, Reason: issue.Uncoded("statistic of source " + source + " of a small area without an outline")}
	for _, c := range covers {
		stray.Rows += c.strays
		if c.strays > 0 && (stray.Example == "" || c.example < stray.Example) {
			stray.Example = c.example
		}
	}
	if stray.Rows > 0 {
		d.counted = append(d.counted, stray)
	}
}

// joined fails where too many people live in small areas of the survey's states that it tells nothing of.
func (d *deriver) joined(survey int, covers []cover) error {
	areas := d.inhabited(covers)
	if len(areas.list) == 0 && len(covers) > 0 {
		return d.joinsNone(survey, covers)
	}
	left, missing := areas.without(func(a *smallArea) bool { return slices.Contains(a.surveys, survey) })
	if len(missing) == 0 {
		return nil
	}
	source := d.surveys[survey].source
	if left > d.c.MaxUnmatched {
		return fmt.Errorf("%w: source %s tells nothing of %.1f %% of the %s of its states, such as those of %s: %s", ErrMismatch, source, 100*left, areas.whom, missing[0], areas.suspicion(covers))
	}
	d.counted = append(d.counted, issue.Issue{Step: step, Reason: issue.Uncoded("inhabited small area of which source " + source + " tells nothing"), Rows: int64(len(missing)), Example: missing[0]})
	d.result.Notes["demographics of source "+source] = fmt.Sprintf("source %s: %.2g %% of the %s live in areas of which it tells nothing", source, 100*left, areas.whom)
	if areas.whom != "people" {
		d.result.Notes["demographics of source "+source] = fmt.Sprintf("source %s: it tells nothing of %.2g %% of the %s", source, 100*left, areas.whom)
	}
	return nil
}

// joinsNone fails where a survey tells small areas, and none of these is one of the region's.
func (d *deriver) joinsNone(survey int, covers []cover) error {
	other := ""
	for _, a := range d.areas {
		if slices.Contains(a.surveys, survey) {
			return nil
		}
		if a.number >= 0 && a.told[people] != 0 {
			other = cmp.Or(other, a.key)
		}
	}
	if other == "" {
		return nil
	}
	return fmt.Errorf("%w: source %s tells small areas such as %s and none of the region's, such as %s", ErrMismatch, d.surveys[survey].source, covers[0].example, other)
}

// inhabitedAreas are small areas that people may live in.
type inhabitedAreas struct {
	list []*smallArea
	whom string // what they are counted by: "people", or "small areas" where nobody counted the people of all of them
}

// inhabited are the inhabited small areas of the states that a survey covers.
func (d *deriver) inhabited(covers []cover) inhabitedAreas {
	areas := inhabitedAreas{whom: "people"}
	states := map[string]bool{}
	for _, c := range covers {
		states[c.state] = true
	}
	for _, a := range d.areas {
		if !states[stateOf(a.key)] || a.number < 0 || a.told[people] == 0 {
			continue
		}
		areas.list = append(areas.list, a)
		if math.IsNaN(a.told[people]) {
			areas.whom = "small areas"
		}
	}
	return areas
}

// stateOf is the scheme of a small area's key and the two digits of its state or province.
func stateOf(key string) string { return key[:strings.LastIndexByte(key, ':')+3] }

// without is the share of the people who live in areas that something does not hold of, 0 to 1, and the keys of these.
func (areas inhabitedAreas) without(holds func(*smallArea) bool) (share float64, missing []string) {
	var all, left float64
	for _, a := range areas.list {
		n := 1.0
		if areas.whom == "people" {
			n = a.told[people]
		}
		all += n
		if !holds(a) {
			left += n
			missing = append(missing, a.key)
		}
	}
	if len(missing) == 0 {
		return 0, nil
	}
	return left / all, missing
}

// suspicion says what is likely wrong where tables and areas do not join.
func (areas inhabitedAreas) suspicion(covers []cover) string {
	for _, c := range covers {
		here := slices.ContainsFunc(areas.list, func(a *smallArea) bool { return strings.HasPrefix(a.key, c.state) })
		if here && c.strays > 0 {
			return fmt.Sprintf("it tells of areas that have no outline, such as %s, so that the outlines look like those of another vintage of boundaries than the tables'", c.example)
		}
	}
	return "its tables are incomplete, or the outlines are those of another vintage of boundaries"
}
