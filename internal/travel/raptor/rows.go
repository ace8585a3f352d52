package raptor

import (
	"slices"
	"unsafe"

	"quartier/internal/travel/timetable"
)

// rows are the seconds to each stop by vehicle, for each departure of the window and each draw: four in a word, of 15 bits,
// so that all four are compared at once.
type rows struct {
	values, words int      // of a row
	row           []uint64 // by stop; of stops that are not reached from an earlier query
	span          []span   // by stop
	reached       []uint32 // stops with a row
	window        int

	// Of the draw at hand: a stop is reached at best[stop] by those who leave in minutes before since[stop].
	best  []int32
	since []int32
}

// span are the least and the most value of a row; Unreached: all, some of it.
type span struct{ least, most uint16 }

const (
	lanes   = 0x0001_0001_0001_0001 // times a value: it in all four
	allHigh = 0x8000 * lanes
)

// begin prepares for a query.
func (r *rows) begin(stops, window, draws int) {
	if len(r.span) != stops {
		r.span = make([]span, stops)
		r.best, r.since = make([]int32, stops), make([]int32, stops)
		for i := range r.span {
			r.span[i], r.best[i] = span{Unreached, Unreached}, never
		}
	}
	for _, stop := range r.reached {
		r.span[stop] = span{Unreached, Unreached}
	}
	r.reached = r.reached[:0]
	r.window, r.values = window, window*draws
	r.words = (r.values + 3) / 4
	r.row = resize(r.row, stops*r.words)
}

// note takes over what a departure improved.
func (s *Search) note(draw, minute int) {
	r := &s.rows
	for _, stop := range s.arrived {
		if r.span[stop].least == Unreached {
			r.open(stop)
		}
		if r.best[stop] < never {
			r.fill(stop, draw, minute+1, &s.query)
		}
		r.best[stop], r.since[stop] = s.rides[(int(stop)+1)*s.rounds-1], int32(minute+1)
	}
}

// open begins the row of a stop that is reached for the first time.
func (r *rows) open(stop uint32) {
	r.reached = append(r.reached, stop)
	row := r.of(stop)
	for i := range row {
		row[i] = uint64(Unreached) * lanes
	}
	r.span[stop] = span{Unreached - 1, 0}
}

func (r *rows) of(stop uint32) []uint64 { return r.row[int(stop)*r.words:][:r.words] }

// single are the values of words, one by one. Their order within a word is that of the machine, which nothing else depends on.
func single(words []uint64) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

// fill writes the seconds of those who leave from a minute on and before r.since.
func (r *rows) fill(stop uint32, draw, from int, q *Query) {
	values := single(r.of(stop))[draw*r.window:][:r.window]
	end, seconds := int(r.since[stop]), r.best[stop]-q.Departs(int(r.since[stop])-1)
	most, step := int32(60*q.Minutes), q.step()
	if from >= end || seconds > most {
		return
	}
	r.span[stop].least = min(r.span[stop].least, uint16(seconds))
	for minute := end - 1; minute >= from && seconds <= most; minute-- { // those who leave earlier take longer
		values[minute] = uint16(seconds)
		seconds += step
	}
}

// writeKnown writes the values from a minute on that are known, after which nothing is.
func (r *rows) writeKnown(draw, from int, q *Query) {
	for _, stop := range r.reached {
		if r.best[stop] < never {
			r.fill(stop, draw, from, q)
			r.best[stop] = never
		}
	}
}

// end completes the rows.
func (r *rows) end() {
	for _, stop := range r.reached {
		r.span[stop].most = slices.Max(single(r.of(stop))[:r.values])
	}
}

// Stop writes the seconds to where one gets off at a stop, for each departure of the window, of one draw after the other.
func (s *Search) Stop(stop uint32, into []uint16) {
	if s.span[stop].least == Unreached {
		fill(into[:s.values], Unreached)
		return
	}
	copy(into, single(s.of(stop))[:s.values])
}

// Target is a point where one goes.
type Target struct {
	Legs []timetable.Leg // the walks from stops to it, by their seconds
	Walk uint32          // from the origin in seconds; NoWalk: too far
}

// Seconds writes the seconds to a target, for each departure of the window, of one draw after the other.
func (s *Search) Seconds(to Target, into []uint16) {
	s.gather(to)
	for at, value := range single(s.tally.best)[:s.values] {
		if int(value) > 60*s.query.Minutes {
			value = Unreached
		}
		into[at] = value
	}
}

// gather takes the best seconds to a target over all ways into the tally; false if none can be within the limit.
func (s *Search) gather(to Target) (any bool) {
	_, _, egress := s.query.Limits()
	end := uint32(60 * s.query.Minutes)
	egress = min(egress, end)
	s.tally.best = resize(s.tally.best, s.words)
	best, least := s.tally.best, uint32(Unreached)
	bound := uint32(Unreached) // no value is over it
	if to.Walk <= egress {
		bound, least = to.Walk, to.Walk
	}
	for i := range best {
		best[i] = uint64(bound) * lanes
	}
	for _, leg := range to.Legs {
		if leg.Seconds > egress {
			break
		}
		span := s.span[leg.Stop]
		first := uint32(span.least) + leg.Seconds
		if first >= bound || first > end {
			continue
		}
		least = min(least, first)
		bound = min(bound, uint32(span.most)+leg.Seconds)
		lower(best, s.of(leg.Stop), uint64(leg.Seconds)*lanes)
	}
	s.tally.least, s.tally.most = least, bound
	return least <= end
}

// lower takes the smaller one of each value and that of a row plus some seconds. Values are below 2^15: Unreached plus any
// seconds of a walk are.
func lower(best, row []uint64, plus uint64) {
	row = row[:len(best)]
	for i, a := range best {
		b := row[i] + plus
		larger := ((a | allHigh) - b) & allHigh // where a is not smaller
		best[i] = a ^ (a^b)&(larger-larger>>15)
	}
}
