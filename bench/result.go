package main

import (
	"fmt"
	"time"

	"quartier/bench/ratio"
)

// defaultSlice is the time per side and round.
const defaultSlice = 300 * time.Millisecond

// bench is one run: its folders, the servers it started and the results.
type bench struct {
	out, dir, bin       string
	scale, bare, places int
	listings            int // of market statistics
	addresses           int // generated ones
	attacks             string
	release             string // of the groups endpoints, worst, export and enrich; "": the synthetic world
	rounds              int
	slice               time.Duration

	world    *world
	city     *world // for demographics
	postgres *postgres
	stops    []func() // of the processes started
	results  []ratio.Result
	figures  []string // absolute figures, in the order of results
}

// result is a ratio.Result.
type result struct {
	Name, Against string
	Concurrency   int
	Unit          string
	Ratio         spread
	Target        float64
	Met           bool
}

// spread and the others are those of package ratio.
type spread = ratio.Spread

var (
	spreadOf = ratio.SpreadOf
	round3   = ratio.Round
)

// record adds a result; figure is its absolute value.
func (b *bench) record(r result, figure string) {
	r.Met = r.Target == 0 || r.Ratio.Median >= r.Target
	b.results = append(b.results, ratio.Result(r))
	b.figures = append(b.figures, figure)
	fmt.Printf("%s against %s at %d: %.3g (%s)\n", r.Name, r.Against, r.Concurrency, r.Ratio.Median, figure)
}
