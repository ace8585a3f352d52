package demography

import (
	"context"
	"fmt"
	"math"

	"quartier/schemas/demographics"
	"quartier/transform/issue"
)

// fewPeople are too few for a factor between two counts of them to say anything.
const fewPeople = 100

// odds are the people of the small areas that both a survey and the blocks count, and of those where the two are at odds:
// by the blocks, and by the survey where the blocks have nobody.
type odds struct {
	all, apart float64
	areas      int64  // at odds
	example    string // the key of one
	counts     string // and what is told of it
}

// compareCounts holds the people that a table tells of small areas against those of their blocks.
func (d *deriver) compareCounts(members []member) {
	for _, m := range members {
		survey := m.survey[demographics.Cells[populationTotal].Table]
		if survey < 0 || m.area == nil || m.area.number < 0 || math.IsNaN(m.area.told[people]) {
			continue
		}
		told, counted := m.cells[populationTotal].Estimate, m.area.told[people]
		n := counted
		if n == 0 {
			n = told
		}
		o := &d.odds[survey]
		o.all += n
		if !atOdds(told, counted, d.c.OddsFactor) {
			continue
		}
		o.apart += n
		o.areas++
		if o.example == "" || m.key < o.example {
			o.example, o.counts = m.key, fmt.Sprintf("%.0f people, the blocks have %.0f", told, counted)
		}
	}
}

// atOdds reports whether two counts cannot be of the same people: one is a factor or more of the other, and neither is
// small, or one of them is nobody.
func atOdds(a, b, factor float64) bool {
	least, most := min(a, b), max(a, b)
	if most < fewPeople {
		return false
	}
	return least == 0 || least >= fewPeople && most >= factor*least
}

// checkCounts fails where a survey and the blocks are at odds over too many people.
func (d *deriver) checkCounts(context.Context) error {
	for survey, o := range d.odds {
		if o.areas == 0 {
			continue
		}
		source, share := d.surveys[survey].source, o.apart/o.all
		what := fmt.Sprintf("source %s and the blocks are at odds over %.3g %% of the people, by a factor of %g or more, such as in %s: it tells %s", source, 100*share, d.c.OddsFactor, o.example, o.counts)
		if share > d.c.MaxUnmatched {
			return fmt.Errorf("%w: %s: the blocks or the tables are of another vintage, or were read from a wrong column", ErrMismatch, what)
		}
		d.counted = append(d.counted, issue.Issue{Step: step, Reason: issue.Uncoded("small area of which the people by source " + source + " are at odds with the blocks'"), Rows: o.areas, Example: o.example})
		d.result.Notes["counts of source "+source] = what
	}
	return nil
}
