package travel

import "quartier/internal/coord"

// What parts of a question take on one processor, in nanoseconds, measured on a metro and rounded up.
const (
	workPerCall   = 20      // of the timetable, for a window of an hour
	workPerNode   = 100     // of streets
	workPerEgress = 800     // a node with the stops around it
	workPerTarget = 600_000 // the stops around a point
	workPerDay    = 300     // a call of a day that is not a typical one
)

// Work estimates what a question takes, in nanoseconds of one processor: the times from a point to some targets, or with all what is
// reached. It looks at options and sizes alone, so that a question can be refused before anything is computed for it.
func (w *World) Work(from coord.Point, o Options, targets int, all bool) (nanoseconds int64) {
	n := w.Network(o.Mode)
	if n == nil {
		return 0
	}
	nodes := float64(n.Nodes())
	if around := nodesWithin(o); around < nodes {
		nodes = around
	}
	work := workPerNode * nodes
	if o.Mode != Transit {
		return int64(work) + 1000*int64(targets)
	}
	work += workPerTarget * float64(targets)
	calls := 0
	for i, f := range w.Feeds {
		if o.Day.Date != 0 && !w.Timetable.Feeds[i].Covers(o.Day.Date) {
			continue
		}
		if len(f.Ground.Ends) == 0 || f.Ground.Contains(from) {
			calls += f.Calls
		}
	}
	searches := float64(o.Window) / 60
	if o.Rules == R5 {
		searches *= 10 // draws, which share nothing
	}
	work += workPerCall * float64(calls) * searches
	if o.Day.Date != 0 {
		work += workPerDay * float64(calls)
	}
	if all {
		work += workPerEgress * float64(n.Nodes()) * float64(o.MaxMinutes) / 120
	}
	return int64(work)
}

// nodesWithin are about as many nodes as a city has within the reach of a search along streets.
func nodesWithin(o Options) float64 {
	minutes := float64(o.MaxMinutes)
	switch o.Mode {
	case Bicycle:
		return 80 * minutes * minutes
	case Car:
		return 400 * minutes * minutes
	case Transit:
		minutes = float64(o.MaxWalk)
	}
	return 10 * minutes * minutes
}
