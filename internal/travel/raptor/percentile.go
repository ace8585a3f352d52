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
	best        []uint64
	least, most uint32       // no value is outside
	counts      [bins]uint32 // by bin of 64 seconds
	sorted      []uint16     // by bin, within bins in no order
}

const (
	bins    = 512 // so that a bin of 15 bits needs no check
	binBits = 6
)

// percentiles writes the seconds of percentiles of the n values in best. Those over the limit are Unreached and come last.
func (t *tally) percentiles(n, minutes int, percentiles []int, into []uint16) {
	t.sorted = resize(t.sorted, n)
	values := single(t.best)[:n]
	first, last := t.least>>binBits, t.most>>binBits+1
	clear(t.counts[first : last+1])
	for _, value := range values {
		t.counts[(value>>binBits+1)%bins]++
	}
	so := uint32(0)
	for bin := first; bin <= last; bin++ { // counts of earlier bins become the places of the first
		so += t.counts[bin%bins]
		t.counts[bin%bins] = so
	}
	for _, value := range values {
		place := &t.counts[(value>>binBits)%bins]
		t.sorted[*place] = value
		*place++
	}
	for i, p := range percentiles {
		into[i] = at(t.counts[first:], t.sorted, uint32(Rank(p, n)))
		if int(into[i]) > 60*minutes {
			into[i] = Unreached
		}
	}
}

// at is the value at a rank. Ends are those of the bins.
func at(ends []uint32, sorted []uint16, rank uint32) uint16 {
	bin, begin := 0, uint32(0)
	for ends[bin] <= rank {
		begin = ends[bin]
		bin++
	}
	same := sorted[begin:ends[bin]]
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
