package timetable

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/geo"
)

// Blank is a time that a feed does not say.
const Blank = math.MaxUint32

// maxDays is how many days after its first one a trip may still run: the longest trains of the world take seven.
const maxDays = 7

// Call is a stop of a trip. Either time may be Blank, but not both of the first and of the last call.
type Call struct {
	Stop               uint32
	Arrival, Departure uint32
	Flags              CallFlags
}

// Headway repeats a trip, see Frequency.
type Headway struct {
	First, End, Headway uint32
	Exact               bool
}

func (h Headway) of(trip uint32) Frequency {
	f := Frequency{Trip: trip, First: h.First, End: h.End, Headway: h.Headway}
	if h.Exact {
		f.Exact = 1
	}
	return f
}

// Fault is what is wrong with a trip. Those up to LastRefusal are not added.
type Fault uint8

const (
	// NoFault: the trip is as the feed has it.
	NoFault Fault = iota
	// OneCall: fewer than two calls.
	OneCall
	// NoEnds: the first or the last call has no time.
	NoEnds
	// GoesBack: a time is before one of an earlier call.
	GoesBack
	// TooLate: a time is over a week after the service day.
	TooLate
	// NeverRuns: its service has no date.
	NeverRuns
	// NoHeadway: it has headways, but none of them makes it run.
	NoHeadway
	// LeavesEarly: it left a call before it arrived there; it leaves when it arrives. It is repaired.
	LeavesEarly
	// BadHeadway: some of its headways have no length or end before they begin; the others count. It is repaired.
	BadHeadway
)

// LastRefusal is the last fault with which a trip is not added; with later ones it is repaired.
const LastRefusal = NoHeadway

// Refused reports whether the trip is not added.
func (f Fault) Refused() bool { return f != NoFault && f <= LastRefusal }

// String is the fault as a code for an issue.
func (f Fault) String() string {
	return [...]string{"", "one_call", "no_ends", "goes_back", "too_late", "never_runs", "no_headway", "leaves_early", "bad_headway"}[f]
}

// AddTrip adds a trip of a route. Calls are in their order; a stop may come more than once, also twice in a row. A trip with
// headways runs only by them. Its blank times are completed by the great-circle distance between the stops. What is wrong with
// the trip is returned, of several things the first one by number; calls is changed.
func (b *Builder) AddTrip(name, headsign string, route, service uint32, calls []Call, headways []Headway) Fault {
	within(int(route), len(b.t.Routes), "route")
	within(int(service), len(b.services), "service")
	fault := b.complete(calls)
	if fault.Refused() {
		return fault
	}
	if len(b.services[service]) == 0 {
		return NeverRuns
	}
	good := slices.DeleteFunc(slices.Clone(headways), func(h Headway) bool {
		return h.Headway == 0 || h.First >= h.End || h.End > maxDays*secondsOfDay
	})
	if len(good) < len(headways) {
		if len(good) == 0 {
			return NoHeadway
		}
		if fault == NoFault {
			fault = BadHeadway
		}
	}
	for i := range good {
		good[i].Headway = min(good[i].Headway, maxDays*secondsOfDay)
	}
	slices.SortFunc(good, func(a, c Headway) int { return cmp.Or(cmp.Compare(a.First, c.First), cmp.Compare(a.End, c.End)) })
	b.trips = append(b.trips, builtTrip{
		Trip:    Trip{service, b.headsign(headsign)},
		pattern: b.pattern(route, calls), name: b.t.TripNames.add(name), times: uint32(len(b.t.Arrivals)), frequencies: good,
	})
	for _, c := range calls {
		b.t.Arrivals = append(b.t.Arrivals, c.Arrival)
		b.t.Departures = append(b.t.Departures, c.Departure)
	}
	return fault
}

// complete fills the blank times of calls in and checks them.
func (b *Builder) complete(calls []Call) (fault Fault) {
	if len(calls) < 2 {
		return OneCall
	}
	for i := range calls {
		c := &calls[i]
		within(int(c.Stop), b.t.Stops(), "stop")
		if c.Arrival == Blank {
			c.Arrival = c.Departure
		}
		if c.Departure == Blank {
			c.Departure = c.Arrival
		}
		if c.Departure < c.Arrival {
			c.Departure, fault = c.Arrival, LeavesEarly
		}
	}
	if calls[0].Arrival == Blank || calls[len(calls)-1].Arrival == Blank {
		return NoEnds
	}
	last := 0 // with a time
	for i := 1; i < len(calls); i++ {
		if calls[i].Arrival == Blank {
			continue
		}
		if calls[i].Arrival < calls[last].Departure {
			return GoesBack
		}
		b.interpolate(calls[last : i+1])
		last = i
	}
	if calls[last].Departure > maxDays*secondsOfDay {
		return TooLate
	}
	return fault
}

// interpolate gives times to the calls between the first and the last one. A vehicle is as fast all the way; where all stops
// are at the same place, it is there at the first time.
func (b *Builder) interpolate(calls []Call) {
	if len(calls) < 3 {
		return
	}
	so := make([]float64, len(calls))
	for i := 1; i < len(calls); i++ {
		so[i] = so[i-1] + geo.Distance(b.t.StopAt[calls[i-1].Stop].Orb(), b.t.StopAt[calls[i].Stop].Orb())
	}
	begin, total := calls[0].Departure, so[len(so)-1]
	seconds := float64(calls[len(calls)-1].Arrival - begin)
	for i := range calls[1 : len(calls)-1] {
		part := 0.0
		if total > 0 {
			part = seconds * (so[i+1] / total)
		}
		if !b.rules.CutSeconds {
			part = math.Round(part)
		}
		calls[i+1].Arrival = begin + uint32(part)
		calls[i+1].Departure = calls[i+1].Arrival
	}
}
