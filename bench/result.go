package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// defaultSlice is the time each side gets in a round.
const defaultSlice = time.Second

// bench is one run: where things lie, the servers that were started, and what came out.
type bench struct {
	out, dir, bin string
	scale, places int
	rounds        int
	slice         time.Duration

	world    *world
	city     *world // of people
	postgres *postgres
	results  []result
	figures  []string // absolute figures beside the ratios, in the order of results
}

// result is one line of the table. Ratios are ours to the other side's in throughput, or the limit to what was
// measured, so that more is always better.
type result struct {
	Name        string  `json:"name"`
	Against     string  `json:"against"`
	Concurrency int     `json:"concurrency"`
	Unit        string  `json:"unit"`
	Ratio       spread  `json:"ratio"`
	Target      float64 `json:"target"` // 0: reported without a target
	Met         bool    `json:"met"`
}

// spread is the middle and the range over the rounds.
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

// record keeps a result; figure is the absolute measure that people want to see beside it.
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
		fmt.Fprintf(table, "%s\t%s\t%d\t%.3g\t%.3g–%.3g\t%s\t%s\t%s\n", r.Name, r.Against, r.Concurrency, r.Ratio.Median, r.Ratio.Low, r.Ratio.High, target, met, b.figures[i])
	}
	table.Flush()
}
