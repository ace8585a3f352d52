package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quartier/internal/drill"
	"quartier/internal/drill/trial"
)

// try runs a check that has a time and ends within a limit, and cleans up after it.
func (e *environment) try(name string, span, limit time.Duration, check func(r *drill.Run)) (*trial.Trial, time.Duration) {
	label := fnv.New64a()
	label.Write([]byte(name)) // a row draws the same whichever rows run
	begun := time.Now()
	t := trial.Run(name, e.scratch, e.log, func(tb testing.TB) {
		check(&drill.Run{TB: tb, Random: rand.New(rand.NewPCG(e.seed, label.Sum64())), Span: span,
			More: func(int) bool { return time.Since(begun) < limit }})
	})
	return t, time.Since(begun)
}

// plantedSpan is the time of a check of a planted fault, beside that of its row. One that looks until it finds something may take
// longer, on a machine that is busy with other work.
const (
	plantedSpan  = 10 * time.Second
	plantedLimit = 3 * time.Minute
)

// row runs a row and its planted faults, prints a line for each, and returns how many checks failed.
func (e *environment) row(r row, span time.Duration) (failed int) {
	said := ""
	t, took := e.try(fmt.Sprintf("row %d", r.number), span, span, func(run *drill.Run) { said = r.do(e, run) })
	switch {
	case t.Failed():
		failed++
		e.line(r.number, "FAILED", r.name, t.Failures()[0], took)
		for _, more := range t.Failures()[1:] {
			t.Logf("%s", more)
		}
	case t.Reason() != "":
		failed++
		e.line(r.number, "FAILED", r.name, "not run: "+t.Reason(), took)
	default:
		e.line(r.number, "ok", r.name, said, took)
	}
	for _, p := range r.planted {
		t, took := e.try(fmt.Sprintf("row %d, planted: %s", r.number, p.name), max(plantedSpan/2, min(plantedSpan, span)), plantedLimit,
			func(run *drill.Run) { p.do(e, run) })
		said := "the check finds nothing " + t.Reason()
		if t.Failed() {
			said = t.Failures()[0]
		}
		if t.Failed() && strings.Contains(said, p.finding) {
			e.line(r.number, "found", "planted: "+p.name, said, took)
			continue
		}
		failed++
		e.line(r.number, "MISSED", "planted: "+p.name, said, took)
	}
	return failed
}

func (e *environment) line(number int, result, name, said string, took time.Duration) {
	said, _, _ = strings.Cut(said, "\n")
	if runes := []rune(said); len(runes) > 300 {
		said = string(runes[:300]) + " …"
	}
	fmt.Fprintf(e.screen, "%2d %-6s %s: %s (%.1f s)\n", number, result, name, said, took.Seconds())
}
