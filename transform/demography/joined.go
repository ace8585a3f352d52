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

// cover is a state or province that a survey tells small areas of.
type cover struct {
	state   string // scheme and two digits
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
	for survey, s := range d.surveys {
		list := covers[s.source]
		d.countStrays(s.source, list)
		if err := d.joined(survey, list); err != nil {
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
		if err := rows.Scan(&source, &c.state, &c.strays, &c.example); err != nil {
			return nil, fmt.Errorf("read the states of surveys: %w", err)
		}
		covers[source] = append(covers[source], c)
	}
	return covers, rows.Err()
}

// countStrays counts figures of areas that are not there, which is no fault: tables reach farther than regions.
func (d *deriver) countStrays(source string, covers []cover) {
	stray := issue.Issue{Step: step, Reason: "statistic of source " + source + " of a small area without an outline"}
	for _, c := range covers {
		stray.Rows += c.strays
		stray.Example = cmp.Or(stray.Example, c.example)
	}
	if stray.Rows > 0 {
		d.counted = append(d.counted, stray)
	}
}

// joined fails where too many people live in small areas of the survey's states that it tells nothing of. Where nobody
// counted the people of all of them each area counts as one; areas without people do not count.
func (d *deriver) joined(survey int, covers []cover) error {
	areas, whom := d.inhabited(covers)
	var all, left float64
	var missing []string
	for _, a := range areas {
		n := 1.0
		if whom == "people" {
			n = a.told[people]
		}
		all += n
		if !slices.Contains(a.surveys, survey) {
			left += n
			missing = append(missing, a.key)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	source, percent := d.surveys[survey].source, 100*left/all
	if left > d.c.MostUnjoined*all {
		return fmt.Errorf("%w: source %s tells nothing of %.1f %% of the %s of its states, such as those of %s: %s", ErrMismatch, source, percent, whom, missing[0], suspicion(covers, areas))
	}
	d.counted = append(d.counted, issue.Issue{Step: step, Reason: "inhabited small area of which source " + source + " tells nothing", Rows: int64(len(missing)), Example: missing[0]})
	d.result.Notes["demographics of source "+source] = fmt.Sprintf("source %s: %.2g %% of the %s live in areas of which it tells nothing", source, percent, whom)
	if whom != "people" {
		d.result.Notes["demographics of source "+source] = fmt.Sprintf("source %s: it tells nothing of %.2g %% of the %s", source, percent, whom)
	}
	return nil
}

// inhabited are the small areas of some states that people may live in, and what they are counted by: "people", or
// "small areas" where nobody counted these.
func (d *deriver) inhabited(covers []cover) (areas []*smallArea, whom string) {
	whom = "people"
	for _, a := range d.areas {
		covered := slices.ContainsFunc(covers, func(c cover) bool { return strings.HasPrefix(a.key, c.state) })
		if !covered || a.number < 0 || a.told[people] == 0 {
			continue
		}
		areas = append(areas, a)
		if math.IsNaN(a.told[people]) {
			whom = "small areas"
		}
	}
	return areas, whom
}

// suspicion says what is likely wrong where tables and areas do not join.
func suspicion(covers []cover, areas []*smallArea) string {
	for _, c := range covers {
		here := slices.ContainsFunc(areas, func(a *smallArea) bool { return strings.HasPrefix(a.key, c.state) })
		if here && c.strays > 0 {
			return fmt.Sprintf("it tells of areas that have no outline, such as %s, so that the outlines look like those of another vintage of boundaries than the tables'", c.example)
		}
	}
	return "its tables are incomplete, or the outlines are those of another vintage of boundaries"
}
