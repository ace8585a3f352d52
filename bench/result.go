package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// defaultSlice is the time per side and round.
const defaultSlice = 300 * time.Millisecond

// bench is one run: its folders, the servers it started and the results.
type bench struct {
	out, dir, bin       string
	scale, bare, places int
	listings            int // of market statistics
	attacks             string
	release             string // of the groups endpoints, worst, export and enrich; "": the synthetic world
	rounds              int
	slice               time.Duration

	world    *world
	city     *world // for demographics
	postgres *postgres
	stops    []func() // of the processes started
	results  []result
	figures  []string // absolute figures, in the order of results
}

// result is one line of the table. A ratio is our throughput divided by that of the other side, or a limit divided by the
// measured value: larger is better.
type result struct {
	Name        string  `json:"name"`
	Against     string  `json:"against"`
	Concurrency int     `json:"concurrency"`
	Unit        string  `json:"unit"`
	Ratio       spread  `json:"ratio"`
	Target      float64 `json:"target"` // 0: no target
	Met         bool    `json:"met"`
}

// spread is the median and range over the rounds.
type spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	median := sorted[n/2]
	if n%2 == 0 {
		median = (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return spread{round3(median), round3(sorted[0]), round3(sorted[n-1])}
}

func round3(x float64) float64 {
	var y float64
	fmt.Sscanf(fmt.Sprintf("%.4g", x), "%g", &y)
	return y
}

// record adds a result; figure is its absolute value.
func (b *bench) record(r result, figure string) {
	r.Met = r.Target == 0 || r.Ratio.Median >= r.Target
	b.results = append(b.results, r)
	b.figures = append(b.figures, figure)
	fmt.Printf("%s against %s at %d: %.3g (%s)\n", r.Name, r.Against, r.Concurrency, r.Ratio.Median, figure)
}

func (b *bench) print(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nwhat\tagainst\tat\tratio\trange\ttarget\tmet\tmeasured\n")
	for i, r := range b.results {
		target, met := "–", "–"
		if r.Target > 0 {
			target, met = fmt.Sprintf("%g", r.Target), "no"
			if r.Met {
				met = "yes"
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%.3g\t%.3g–%.3g\t%s\t%s\t%s\n", r.Name, r.Against, r.Concurrency, r.Ratio.Median, r.Ratio.Low,
			r.Ratio.High, target, met, b.figures[i])
	}
	table.Flush()
}
