// Package ratio has the results of measurements: our throughput divided by that of a peer, or a limit divided by the measured
// value, so that larger is better. In: values by round. Out: medians with their range, and a table.
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
func Table(w io.Writer, results []Result, figures []string) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nwhat\tagainst\tat\tratio\trange\ttarget\tmet\tmeasured\n")
	for i, r := range results {
		target, met := "–", "–"
		if r.Target > 0 {
			target, met = fmt.Sprintf("%g", r.Target), "no"
			if r.Met {
				met = "yes"
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%.3g\t%.3g–%.3g\t%s\t%s\t%s\n", r.Name, r.Against, r.Concurrency, r.Ratio.Median, r.Ratio.Low,
			r.Ratio.High, target, met, figures[i])
	}
	table.Flush()
}
