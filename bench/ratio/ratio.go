// Package ratio runs measurements in rounds and has their results: our throughput divided by that of a peer, or a limit divided by the
// measured value, so that larger is better. In: values by round. Out: medians with their range, and a table.
package ratio

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Result is one line of the table.
type Result struct {
	Name        string  `json:"name"`
	Against     string  `json:"against"`
	Concurrency int     `json:"concurrency"`
	Unit        string  `json:"unit"`
	Ratio       Spread  `json:"ratio"`
	Target      float64 `json:"target"` // 0: no target
	Met         bool    `json:"met"`
}

// Spread is the median and range over the rounds.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Run is measurements with their results.
type Run struct {
	Rounds  int // of a measurement
	Results []Result
	figures []string // absolute figures, by result
}

// Record adds a result; target 0 is none, and figure is the absolute value.
func (r *Run) Record(name, against string, concurrency int, unit string, ratio Spread, target float64, figure string) {
	r.Results = append(r.Results, Result{name, against, concurrency, unit, ratio, target, target == 0 || ratio.Median >= target})
	r.figures = append(r.figures, figure)
	fmt.Printf("%s against %s at %d: %.3g (%s)\n", name, against, concurrency, ratio.Median, figure)
}

// Repeat measures several values in every round, after an uncounted warm-up round, and returns them by value and round.
func (r *Run) Repeat(measure func() []float64) [][]float64 {
	values := make([][]float64, len(measure()))
	for range r.Rounds {
		for i, v := range measure() {
			values[i] = append(values[i], v)
		}
	}
	return values
}

// Of divides our values by theirs, round by round.
func Of(ours, theirs []float64) Spread {
	values := make([]float64, len(ours))
	for i := range ours {
		values[i] = ours[i] / theirs[i]
	}
	return SpreadOf(values)
}

// Limit divides a limit by the value of each round.
func Limit(limit float64, values []float64) Spread {
	return Of(slices.Repeat([]float64{limit}, len(values)), values)
}

// Goal divides the value of each round by a goal.
func Goal(values []float64, goal float64) Spread {
	return Of(values, slices.Repeat([]float64{goal}, len(values)))
}

// SpreadOf is the spread of the values of at least one round, with four digits.
func SpreadOf(values []float64) Spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	median := sorted[n/2]
	if n%2 == 0 {
		median = (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return Spread{Round(median), Round(sorted[0]), Round(sorted[n-1])}
}

// Round is a value with four digits.
func Round(x float64) float64 {
	var y float64
	fmt.Sscanf(fmt.Sprintf("%.4g", x), "%g", &y)
	return y
}

// Table writes the results, each with its absolute figure.
func (r *Run) Table(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nwhat\tagainst\tat\tratio\trange\ttarget\tmet\tmeasured\n")
	for i, of := range r.Results {
		target, met := "–", "–"
		if of.Target > 0 {
			target, met = fmt.Sprintf("%g", of.Target), "no"
			if of.Met {
				met = "yes"
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%.3g\t%.3g–%.3g\t%s\t%s\t%s\n", of.Name, of.Against, of.Concurrency, of.Ratio.Median, of.Ratio.Low,
			of.Ratio.High, target, met, r.figures[i])
	}
	table.Flush()
}
