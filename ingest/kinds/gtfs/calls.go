package gtfs

import (
	"cmp"
	"math"

	"quartier/internal/geo"
	"quartier/schemas/reason"
)

// call is a stop of a trip with its times, in 24 bytes: those of a metro, 2,000,000, take 48 MB.
type call struct {
	trip, sequence     uint32
	stop               int32
	arrival, departure uint32 // seconds after midnight; blank: not published
	flags              uint8
}

// blank is a time that is not published.
const blank = math.MaxUint32

func compareCalls(a, b call) int {
	return cmp.Or(cmp.Compare(a.trip, b.trip), cmp.Compare(a.sequence, b.sequence))
}

// complete fills the blank times of a trip, and returns what is wrong with it: with what is not a repair it has no timetable. Where one
// of the two times of a stop is blank it is the other one. Between two stops with times a vehicle is taken to be at the same speed
// along the straight lines from stop to stop, seconds cut off, as R5 does; it departs at once.
func (s *stage) complete(trip []call) reason.Reason {
	if len(trip) < 2 {
		return tripWithOneCall
	}
	leavesEarly := false
	for i := range trip {
		c := &trip[i]
		switch {
		case c.arrival == blank:
			c.arrival = c.departure
		case c.departure == blank:
			c.departure = c.arrival
		case c.departure < c.arrival:
			c.departure, leavesEarly = c.arrival, true
		}
	}
	last := len(trip) - 1
	if trip[0].arrival == blank || trip[last].arrival == blank {
		return tripUntimed
	}
	for timed, i := 0, 1; i <= last; i++ {
		if trip[i].arrival == blank {
			continue
		}
		if trip[i].arrival < trip[timed].departure {
			return tripGoesBack
		}
		s.interpolate(trip[timed : i+1])
		timed = i
	}
	if leavesEarly {
		return departureMoved
	}
	return reason.Reason{}
}

// interpolate fills the times between the first and the last call.
func (s *stage) interpolate(part []call) {
	if len(part) == 2 {
		return
	}
	so := make([]float64, len(part)) // metres from the first stop
	for i := 1; i < len(part); i++ {
		so[i] = so[i-1] + geo.Distance(s.stops.points[part[i-1].stop], s.stops.points[part[i].stop])
	}
	last := len(part) - 1
	from, metres := part[0].departure, so[last]
	for i := 1; i < last; i++ {
		at := from
		if metres > 0 {
			at = uint32(float64(from) + float64(part[last].arrival-from)*(so[i]/metres))
		}
		part[i].arrival, part[i].departure = at, at
	}
}
