package raptor

import (
	"unsafe"

	"quartier/internal/travel/timetable"
)

// rows are the seconds to each stop by vehicle, for each departure of the window and each draw: four in a word, of 15 bits,
// so that all four are compared at once.
type rows struct {
	values, quads int      // of a row
	row           []quad   // by stop; of stops that are not reached from an earlier query
	span          []span   // by stop
	reached       []uint32 // stops with a row
	window        int

	// Of the draw at hand: a stop is reached at best[stop] by those who leave in minutes before since[stop].
	best  []int32
	since []int32
}

// quad is sixteen values.
type quad [4]uint64

const perQuad = 16

// span are the least and the most value of each part of a row, which are four of the same number of quads.
type span struct{ least, most uint64 }

const (
	lanes   = 0x0001_0001_0001_0001 // times a value: it in all four
	allHigh = 0x8000 * lanes
	nowhere = uint64(Unreached) * lanes
)

// begin prepares for a query.
func (r *rows) begin(stops, window, draws int) {
	if len(r.span) != stops {
		r.span = make([]span, stops)
		r.best, r.since = make([]int32, stops), make([]int32, stops)
		for i := range r.span {
			r.span[i], r.best[i] = span{nowhere, nowhere}, never
		}
	}
	for _, stop := range r.reached {
		r.span[stop] = span{nowhere, nowhere}
	}
	r.reached = r.reached[:0]
	r.window, r.values = window, window*draws
	r.quads = (r.values + perQuad - 1) / perQuad
	r.row = resize(r.row, stops*r.quads)
}

// note takes over what a departure improved.
func (s *Search) note(draw, minute int) {
	r := &s.rows
	for _, stop := range s.arrived {
		if r.span[stop].most == nowhere {
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
		row[i] = quadOf(uint32(Unreached))
	}
	r.span[stop] = span{}
}

func (r *rows) of(stop uint32) []quad { return r.row[int(stop)*r.quads:][:r.quads] }

// quadOf has one value 16 times.
func quadOf(value uint32) quad {
	four := uint64(value) * lanes
	return quad{four, four, four, four}
}

// single are the values of quads, one by one. Their order within a word is that of the machine, which nothing else depends on.
func single(quads []quad) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(quads))), perQuad*len(quads))
}

// fill writes the seconds of those who leave from a minute on and before r.since.
func (r *rows) fill(stop uint32, draw, from int, q *Query) {
	values := single(r.of(stop))[draw*r.window:][:r.window]
	end, seconds := int(r.since[stop]), r.best[stop]-q.Departs(int(r.since[stop])-1)
	most, step := int32(60*q.Minutes), q.step()
	if from >= end || seconds > most {
		return
	}
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
	part := r.part() * perQuad
	for _, stop := range r.reached {
		s := span{nowhere, nowhere}
		values := single(r.of(stop))[:r.values]
		for shift := 0; len(values) > 0; shift += 16 {
			end := min(part, len(values))
			least, most := Unreached, uint16(0)
			for _, value := range values[:end] {
				least, most = min(least, value), max(most, value)
			}
			s.least ^= uint64(least^Unreached) << shift
			s.most ^= uint64(most^Unreached) << shift
			values = values[end:]
		}
		r.span[stop] = s
	}
}

// part is how many quads a part of a row has.
func (r *rows) part() int { return (r.quads + 3) / 4 }

// Stop writes the seconds to where one gets off at a stop, for each departure of the window, of one draw after the other.
func (s *Search) Stop(stop uint32, into []uint16) {
	if s.span[stop].most == nowhere {
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

// gather takes the best seconds to a target over all ways into the tally; false if none can be within the limit. What is over
// the limit may be any value over it.
func (s *Search) gather(to Target) (any bool) {
	_, _, egress := s.query.Limits()
	end := uint32(60 * s.query.Minutes)
	egress = min(egress, end)
	first, legs := end+1, to.Legs
	if to.Walk <= egress {
		first, any = to.Walk, true
	}
	bound, spans := uint64(first)*lanes|allHigh, s.span // the smallest values of a part are not over it
	for i, leg := range legs {
		if leg.Seconds > egress {
			legs = legs[:i]
			break
		}
		bound = smaller(bound, spans[leg.Stop].most+uint64(leg.Seconds)*lanes)
	}
	s.near = resize(s.near, len(legs)+1)
	n := 0
	for _, leg := range legs {
		s.near[n] = leg
		counts := (bound - (spans[leg.Stop].least + uint64(leg.Seconds)*lanes)) & allHigh // 0: no value can be the smallest
		n += int((counts | -counts) >> 63)                                                // a branch would be guessed wrongly
	}
	best := s.tally.begin(s.quads, first)
	for i := range best {
		best[i] = s.lowest(i, s.near[:n], first)
	}
	return any || n > 0
}

// lowest are the smallest ones of a quad of values to stops plus the walk from there, and of first. Values are below 2^15:
// Unreached plus any seconds of a walk are.
func (s *Search) lowest(number int, from []timetable.Leg, first uint32) quad {
	rows, quads := s.row[number:], s.quads
	a := uint64(first)*lanes | allHigh
	b, c, d := a, a, a // in registers
	for _, leg := range from {
		row, walk := &rows[int(leg.Stop)*quads], uint64(leg.Seconds)*lanes
		a = smaller(a, row[0]+walk)
		b = smaller(b, row[1]+walk)
		c = smaller(c, row[2]+walk)
		d = smaller(d, row[3]+walk)
	}
	return quad{a &^ allHigh, b &^ allHigh, c &^ allHigh, d &^ allHigh}
}

// smaller are the smaller ones of four values each, of those of a, with the high bit, and b.
func smaller(a, b uint64) uint64 {
	more := a - b // by which a is larger, with the high bit where it is not smaller
	larger := more & allHigh
	return a - more&(larger-larger>>15)
}
