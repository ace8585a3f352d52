// Package issue counts the staged rows that did not become a derived row, or not as they stood, by reason.
package issue

import (
	"cmp"
	"slices"
)

// Issue is one reason, how many rows it befell, and one of them.
type Issue struct {
	Step    string // 'geography' or 'poi'
	Reason  string // short and stable
	Rows    int64
	Example string // the row with the smallest key
}

// Counter counts the issues of one step. The outcome does not depend on the order of the calls.
type Counter struct {
	step   string
	counts map[string]*Issue
}

// NewCounter counts for a step.
func NewCounter(step string) *Counter {
	return &Counter{step: step, counts: map[string]*Issue{}}
}

// Add counts one row by reason; example names it.
func (c *Counter) Add(reason, example string) {
	known, ok := c.counts[reason]
	if !ok {
		c.counts[reason] = &Issue{c.step, reason, 1, example}
		return
	}
	known.Rows++
	known.Example = min(known.Example, example)
}

// Issues lists the reasons in alphabetical order.
func (c *Counter) Issues() []Issue {
	list := make([]Issue, 0, len(c.counts))
	for _, i := range c.counts {
		list = append(list, *i)
	}
	slices.SortFunc(list, func(a, b Issue) int { return cmp.Compare(a.Reason, b.Reason) })
	return list
}
