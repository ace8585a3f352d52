package raptor

import (
	"context"
	"math/bits"

	"quartier/internal/travel/timetable"
)

// Rank is where the value of a percentile stands among n values in their order, from 0: the nearest rank.
func Rank(percentile, n int) int { return max((percentile*n+99)/100-1, 0) }

// tally has the values of a target and finds those at a rank.
type tally struct {
	best   []quad // whole blocks; what follows the values is as large as the largest one
	most   uint32 // no value is over it
	planes []block
	sought []sought
	among  []uint64 // of a rank among several blocks
}

// block is the bits of 64 values: a word for each bit, from the lowest one on.
type block [16]uint64

// sought is a value at a rank.
type sought struct {
	among uint64 // the values that it may be
	rank  int64  // among these, from 1
}

// begin makes room for the values of so many quads, of which none is over most.
func (t *tally) begin(quads int, most uint32) []quad {
	t.most = most
	t.best = resize(t.best, (quads+3)/4*4)
	for i := range t.best[quads:] {
		t.best[quads+i] = quadOf(most)
	}
	return t.best[:quads]
}

// percentiles writes the seconds of percentiles of the n values in best. Those over the limit are Unreached and come last.
func (t *tally) percentiles(n, minutes int, percentiles []int, into []uint16) {
	t.transpose()
	t.sought = resize(t.sought, len(percentiles))
	for i, p := range percentiles {
		t.sought[i] = sought{^uint64(0), int64(Rank(p, n) + 1)}
	}
	if len(t.planes) == 1 {
		t.inOne(into)
	} else {
		for i, v := range t.sought {
			into[i] = t.inSeveral(v.rank)
		}
	}
	for i, seconds := range into[:len(percentiles)] {
		if int(seconds) > 60*minutes {
			into[i] = Unreached
		}
	}
}

// inOne finds the values sought in one block.
func (t *tally) inOne(into []uint16) {
	list, planes := t.sought, &t.planes[0]
	for i := 0; i < len(list); i += 2 {
		a, b := list[i], list[min(i+1, len(list)-1)] // two at a time stay in registers
		for bit := bits.Len32(t.most) - 1; bit >= 0; bit-- {
			absent := ^planes[bit%len(planes)]
			a, b = a.narrow(absent), b.narrow(absent)
		}
		list[i], list[min(i+1, len(list)-1)] = a, b
	}
	for i := range list { // what is left is equal; a value is in the lane at/16 of the word at%16
		at := bits.TrailingZeros64(list[i].among)
		into[i] = uint16(t.best[at%16/4][at%4] >> (at &^ 15))
	}
}

// narrow leaves the values that have the same bit as the one sought, which some lack.
func (v sought) narrow(absent uint64) sought {
	without := v.among & absent
	n := int64(bits.OnesCount64(without))
	with := (n - v.rank) >> 63 // all bits set if the value has the bit, else 0: a branch would be guessed wrongly half the time
	return sought{without ^ v.among&uint64(with), v.rank - n&with}
}

// inSeveral is the value at a rank, from 1, in several blocks.
func (t *tally) inSeveral(rank int64) (value uint16) {
	t.among = resize(t.among, len(t.planes))
	for i := range t.among {
		t.among[i] = ^uint64(0)
	}
	for bit := bits.Len32(t.most) - 1; bit >= 0; bit-- {
		n := int64(0)
		for i, among := range t.among {
			n += int64(bits.OnesCount64(among &^ t.planes[i][bit]))
		}
		other := uint64(0) // what the bit of the value turns into 0
		if n < rank {
			rank -= n
			value |= 1 << bit
			other = ^other
		}
		for i := range t.among {
			t.among[i] &^= t.planes[i][bit] ^ other
		}
	}
	return value
}

// transpose makes planes of values: in each lane of a block, 16 words of 16 bits become 16 bits of 16 words.
func (t *tally) transpose() {
	t.planes = resize(t.planes, len(t.best)/4)
	for i := range t.planes {
		x := &t.planes[i]
		for j, q := range t.best[4*i:][:4] {
			copy(x[4*j:], q[:])
		}
		for i := range 8 {
			exchange(&x[i], &x[i+8], 8, 0x00ff*lanes)
		}
		for i := range 8 {
			exchange(&x[i+i&4], &x[i+i&4+4], 4, 0x0f0f*lanes)
		}
		for i := range 8 {
			exchange(&x[i+i&6], &x[i+i&6+2], 2, 0x3333*lanes)
		}
		for i := range 8 {
			exchange(&x[2*i], &x[2*i+1], 1, 0x5555*lanes)
		}
	}
}

// exchange exchanges squares of bits of a side: the high ones of a and the low ones of b.
func exchange(a, b *uint64, side int, low uint64) {
	change := (*a>>side ^ *b) & low
	*b ^= change
	*a ^= change << side
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
