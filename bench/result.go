package main

import (
	"time"

	"quartier/bench/ratio"
)

// defaultSlice is the time per side and round.
const defaultSlice = 300 * time.Millisecond

// bench is one run: its folders, the servers it started and the results.
type bench struct {
	ratio.Run
	out, dir, bin       string
	scale, bare, places int
	listings            int // of market statistics
	addresses           int // generated ones
	attacks             string
	release             string // of the groups endpoints, worst, export and enrich; "": the synthetic world
	slice               time.Duration

	world    *world
	city     *world // for demographics
	postgres *postgres
	stops    []func() // of the processes started
}

// ratios and the others are those of package ratio.
var (
	ratios   = ratio.Of
	inverse  = ratio.Limit
	spreadOf = ratio.SpreadOf
	round3   = ratio.Round
)
