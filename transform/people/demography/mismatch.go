package demography

import (
	"context"
	"fmt"
	"math"

	"quartier/schemas/demographics"
)

// minPeople is the number of people below which the ratio of two counts is not compared.
const minPeople = 100

// populations compares a survey with the blocks: the people of the small areas that both count, and of those on which
// they disagree. People are those of the blocks, or of the survey if the blocks have none.
type populations struct {
	all, mismatched float64
	areas           int64  // mismatched
	example         string // the smallest key of them
	counts          string // of the example
}

// compareCounts compares the population of small areas in a survey with that of their blocks.
func (d *deriver) compareCounts(members []member) {
	for _, m := range members {
		survey := m.survey[demographics.Cells[populationTotal].Table]
		if survey < 0 || m.area == nil || m.area.number < 0 || math.IsNaN(m.area.counts[people]) {
			continue
		}
		published, counted := m.cells[populationTotal].Estimate, m.area.counts[people]
		n := counted
		if n == 0 {
			n = published
		}
		p := &d.mismatches[survey]
		p.all += n
		if !mismatched(published, counted, d.c.OddsFactor) {
			continue
		}
		p.mismatched += n
		p.areas++
		if p.example == "" || m.key < p.example {
			p.example, p.counts = m.key, fmt.Sprintf("%.0f people in the survey, %.0f in the blocks", published, counted)
		}
	}
}

// mismatched reports whether two counts cannot be of the same people: one is at least factor times the other, which is not
// small, or one is 0 and the other is not small. With a factor of 3, 100 and 300 are mismatched, 99 and 300 are not.
func mismatched(a, b, factor float64) bool {
	low, high := min(a, b), max(a, b)
	if high < minPeople {
		return false
	}
	return low == 0 || low >= minPeople && high >= factor*low
}

// checkCounts fails if a survey and the blocks disagree on too many people.
func (d *deriver) checkCounts(context.Context) error {
	for survey, p := range d.mismatches {
		if p.areas == 0 {
			continue
		}
		source, share := d.surveys[survey].source, p.mismatched/p.all
		what := fmt.Sprintf("source %s and the blocks disagree on %.3g %% of the people by a factor of %g or more, such as in %s: %s", source,
			100*share, d.c.OddsFactor, p.example, p.counts)
		if share > d.c.MaxUnmatched {
			return fmt.Errorf("%w: %s: the blocks or the tables are of another vintage, or were read from a wrong column", ErrMismatch, what)
		}
		d.count(mismatch.With(source), p.areas, p.example)
		d.result.Notes["counts of source "+source] = what
	}
	return nil
}
