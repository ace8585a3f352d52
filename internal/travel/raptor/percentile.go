package raptor

import (
	"context"
	"slices"

	"quartier/internal/travel/timetable"
)

// Rank is where the value of a percentile stands among n values in their order, from 0: the nearest rank.
func Rank(percentile, n int) int { return max((percentile*n+99)/100-1, 0) }

// tally has the values of a target and orders them.
type tally struct {
	best   []uint64
	counts []uint32 // by minute
	sorted []uint16 // by minute, within minutes in no order
}

// percentiles writes the seconds of percentiles of the n values in best. Those over the limit are Unreached and come last.
func (t *tally) percentiles(n, minutes int, percentiles []int, into []uint16) {
	counts := resize(t.counts, minutes+3)
	t.counts, t.sorted = counts, resize(t.sorted, n)
	clear(counts)
	for at := range n {
		value := uint16(t.best[at/4] >> (16 * (at % 4)))
		counts[min(int(value/60), minutes+1)+1]++
	}
	for minute := range counts[1:] { // counts of earlier minutes become the places of the first
		counts[minute+1] += counts[minute]
	}
	for at := range n {
		value := uint16(t.best[at/4] >> (16 * (at % 4)))
		place := &counts[min(int(value/60), minutes+1)]
		t.sorted[*place] = value
		*place++
	}
	for i, p := range percentiles {
		into[i] = t.at(uint32(Rank(p, n)))
		if int(into[i]) > 60*minutes {
			into[i] = Unreached
		}
	}
}

// at is the value at a rank. Counts are the ends of the minutes.
func (t *tally) at(rank uint32) uint16 {
	minute, _ := slices.BinarySearchFunc(t.counts, rank, func(end, rank uint32) int {
		if end <= rank {
			return -1
		}
		return 1
	})
	begin := uint32(0)
	if minute > 0 {
		begin = t.counts[minute-1]
	}
	same := t.sorted[begin:t.counts[minute]]
	slices.Sort(same)
	return same[rank-begin]
}

// Percentiles writes the seconds of percentiles, from 1 to 100, of the values of a target.
func (s *Search) Percentiles(to Target, percentiles []int, into []uint16) {
	if !s.gather(to) {
		fill(into[:len(percentiles)], Unreached)
		return
	}
	s.tally.percentiles(s.values, s.query.Minutes, percentiles, into)
}

func fill(list []uint16, value uint16) {
	for i := range list {
		list[i] = value
	}
}

// Targets are many targets. Their walks from stops lie one after the other.
type Targets struct {
	First []uint32 // those of target i are Legs[First[i]:First[i+1]]
	Legs  []timetable.Leg
}

// Len is the number of targets.
func (t *Targets) Len() int { return max(len(t.First)-1, 0) }

// All writes the seconds of percentiles of all targets, one target after the other. Walk are the walks from the origin in
// seconds, nil: none. It stops early if ctx is done, with the error of ctx.
func (s *Search) All(ctx context.Context, targets *Targets, walk []uint32, percentiles []int, into []uint16) error {
	for i := range targets.Len() {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		to := Target{targets.Legs[targets.First[i]:targets.First[i+1]], NoWalk}
		if walk != nil {
			to.Walk = walk[i]
		}
		s.Percentiles(to, percentiles, into[i*len(percentiles):][:len(percentiles)])
	}
	return nil
}
