package raptor

import "quartier/internal/travel/timetable"

// rows are the seconds to each stop by vehicle, for each departure of the window and each draw: four in a word, of 15 bits,
// so that all four are compared at once.
type rows struct {
	values, words int      // of a row
	row           []uint64 // by stop; of stops that are not reached from an earlier query
	least, most   []uint16 // of a row; Unreached: all, some of it
	reached       []uint32 // stops with a row
	window        int

	// Of the draw at hand: a stop is reached at best[stop] by those who leave in minutes before since[stop].
	best  []int32
	since []int32
}

const (
	lanes   = 0x0001_0001_0001_0001 // times a value: it in all four
	allHigh = 0x8000 * lanes
)

// begin prepares for a query.
func (r *rows) begin(stops, window, draws int) {
	if len(r.least) != stops {
		r.least, r.most = make([]uint16, stops), make([]uint16, stops)
		r.best, r.since = make([]int32, stops), make([]int32, stops)
		for i := range r.least {
			r.least[i], r.most[i], r.best[i] = Unreached, Unreached, never
		}
	}
	for _, stop := range r.reached {
		r.least[stop], r.most[stop] = Unreached, Unreached
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
		if r.least[stop] == Unreached {
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
	r.least[stop], r.most[stop] = Unreached-1, 0
}

func (r *rows) of(stop uint32) []uint64 { return r.row[int(stop)*r.words:][:r.words] }

// fill writes the seconds of those who leave from a minute on and before r.since.
func (r *rows) fill(stop uint32, draw, from int, q *Query) {
	row := r.of(stop)
	for minute := int(r.since[stop]) - 1; minute >= from; minute-- {
		seconds := r.best[stop] - q.Departs(minute)
		if seconds > int32(60*q.Minutes) {
			return // and still more for those who leave earlier
		}
		at := draw*r.window + minute
		shift := 16 * (at % 4)
		row[at/4] = row[at/4]&^(0xffff<<shift) | uint64(seconds)<<shift
		r.least[stop] = min(r.least[stop], uint16(seconds))
	}
}

// endDraw completes the rows of a draw.
func (r *rows) endDraw(draw int, q *Query) {
	for _, stop := range r.reached {
		if r.best[stop] < never {
			r.fill(stop, draw, 0, q)
			r.best[stop] = never
		}
	}
	if (draw+1)*r.window < r.values {
		return
	}
	for _, stop := range r.reached {
		for at := range r.values {
			r.most[stop] = max(r.most[stop], uint16(r.of(stop)[at/4]>>(16*(at%4))))
		}
	}
}

// Stop writes the seconds to where one gets off at a stop, for each departure of the window, of one draw after the other.
func (s *Search) Stop(stop uint32, into []uint16) {
	for at := range into[:s.values] {
		into[at] = Unreached
		if s.least[stop] < Unreached {
			into[at] = uint16(s.of(stop)[at/4] >> (16 * (at % 4)))
		}
	}
}

// Target is a point where one goes.
type Target struct {
	Legs []timetable.Leg // the walks from stops to it, by their seconds
	Walk uint32          // from the origin in seconds; NoWalk: too far
}

// Seconds writes the seconds to a target, for each departure of the window, of one draw after the other.
func (s *Search) Seconds(to Target, into []uint16) {
	s.gather(to)
	for at := range into[:s.values] {
		value := uint16(s.tally.best[at/4] >> (16 * (at % 4)))
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
	best := s.tally.best
	bound := uint32(Unreached) // no value is over it
	if to.Walk <= egress {
		bound, any = to.Walk, true
	}
	for i := range best {
		best[i] = uint64(bound) * lanes
	}
	for _, leg := range to.Legs {
		if leg.Seconds > egress {
			break
		}
		first := uint32(s.least[leg.Stop]) + leg.Seconds
		if first >= bound || first > end {
			continue
		}
		any = true
		bound = min(bound, uint32(s.most[leg.Stop])+leg.Seconds)
		lower(best, s.of(leg.Stop), uint64(leg.Seconds)*lanes)
	}
	return any
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
