// Package issue counts the staged rows that a step of transform skipped or repaired, by reason.
package issue

import (
	"cmp"
	"slices"

	"quartier/schemas/reason"
)

// Reasons are those that several steps raise.
var Reasons reason.List

var (
	OutsideCoverage        = Reasons.Skipped("outside_coverage", "The row is outside every state and province of the region's coverage.")
	NoInteriorPoint        = Reasons.Skipped("no_interior_point", "The outline has no interior point.")
	DuplicateKey           = Reasons.Skipped("duplicate_key_in_other_source", "A source of higher priority has a row with the same key.")
	CorrectionApplied      = Reasons.Noted("correction_applied", "The correction was applied.")
	CorrectionWithoutPlace = Reasons.Rejected("correction_without_place",
		"The place of the correction is not in the region, or an earlier correction dropped it.")
	NoStreet = Reasons.Skipped("no_street_within_snap_distance",
		"No street is within the snapping distance without a barrier in between.")
)

// Issue counts the rows of a step that have one reason and detail.
type Issue struct {
	Step string // 'geography', 'poi' …
	reason.Reason
	Rows    int64
	Example string // the row with the smallest key
}

// Counter counts the issues of one step. The outcome does not depend on the order of the calls.
type Counter struct {
	step   string
	counts map[reason.Reason]*Issue
}

// NewCounter counts for a step.
func NewCounter(step string) *Counter {
	return &Counter{step: step, counts: map[reason.Reason]*Issue{}}
}

// Add counts one row; example names it.
func (c *Counter) Add(why reason.Reason, example string) {
	known, ok := c.counts[why]
	if !ok {
		c.counts[why] = &Issue{c.step, why, 1, example}
		return
	}
	known.Rows++
	known.Example = min(known.Example, example)
}

// Issues returns what was counted, in order of code and detail.
func (c *Counter) Issues() []Issue {
	list := make([]Issue, 0, len(c.counts))
	for _, i := range c.counts {
		list = append(list, *i)
	}
	slices.SortFunc(list, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	return list
}
