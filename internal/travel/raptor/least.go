package raptor

import "quartier/internal/travel/timetable"

// aboard is a vehicle of a journey, with the least walking by which one can get on at each of its calls.
type aboard struct {
	number uint32 // of the lane
	lane   *timetable.Lane
	trip   uint32 // of the lane
	shift  int32  // of its times; of a lane with a headway when it leaves its first call
	on     []boarding
}

// boarding is how one comes to a call on foot to get on there.
type boarding struct {
	total uint32 // seconds on foot since the origin; NoWalk: one does not get on
	walk  uint32 // of them from the vehicle before, or from the origin
	call  uint32 // of the vehicle before, where one gets off it
}

// aboard is the vehicle of a label.
func (s *Search) aboard(way leg) *aboard {
	a := &aboard{number: way.lane, lane: &s.day.Lanes[way.lane], trip: uint32(way.trip)}
	if a.lane.Headway > 0 {
		a.trip, a.shift = 0, way.trip
	}
	a.on = make([]boarding, a.lane.Calls)
	for call := range a.on {
		a.on[call].total = NoWalk
	}
	return a
}

func (s *Search) leaves(a *aboard, call uint32) int32 {
	return s.day.Departures[a.lane.Times+call*a.lane.Trips+a.trip] + a.shift
}

func (s *Search) arrives(a *aboard, call uint32) int32 {
	return s.day.Arrivals[a.lane.Times+a.trip*a.lane.Calls+call] + a.shift
}

// catches reports whether somebody who is at the stop of a call from a second on gets on the vehicle there.
func (s *Search) catches(a *aboard, call uint32, at int32) bool {
	if s.day.CallFlags[a.lane.Call+call]&timetable.NoBoarding != 0 {
		return false
	}
	if a.lane.Headway > 0 { // waits may depend on when one is there
		since := s.leaves(a, call) - a.shift
		return s.rules.Start(a.lane, s.offsets[a.number], at+s.rules.MeetWait-since) == a.shift
	}
	return at+s.rules.BoardWait <= s.leaves(a, call)
}

// board notes a walk to a stop, where one is at a second, at the calls there.
func (s *Search) board(a *aboard, stop uint32, at int32, how boarding) {
	for call, stopOf := range s.day.CallStops[a.lane.Call:][:a.lane.Calls] {
		if stopOf == stop && how.total < a.on[call].total && s.catches(a, uint32(call), at) {
			a.on[call] = how
		}
	}
}

// before is the call before another one where one gets on with the least walking, of several the last one.
func (a *aboard) before(call uint32) (best uint32) {
	for i, how := range a.on[:call] {
		if how.total <= a.on[best].total {
			best = uint32(i)
		}
	}
	return best
}

// alightings visits the calls where one can get off, with the seconds on foot until then.
func (s *Search) alightings(a *aboard, visit func(call, stop uint32, at int32, total uint32)) {
	for call := uint32(1); call < a.lane.Calls; call++ {
		total, stop := a.on[a.before(call)].total, s.calls[a.lane.Call+call]
		if total < NoWalk && stop < noAlighting {
			visit(call, stop, s.arrives(a, call), total)
		}
	}
}

// leastWalk completes a journey that arrives when it does and takes some vehicles: one gets on and off so that one walks least.
func (s *Search) leastWalk(j *Journey, to Target, list []*aboard) {
	access, transfer, egress := s.query.Limits()
	for _, leg := range s.query.Access {
		if leg.Seconds <= access && leg.Seconds <= uint32(j.Arrives-j.Departs) {
			s.board(list[0], leg.Stop, j.Departs+int32(leg.Seconds), boarding{total: leg.Seconds, walk: leg.Seconds})
		}
	}
	for i, next := range list[1:] {
		s.alightings(list[i], func(call, stop uint32, at int32, total uint32) {
			s.board(next, stop, at, boarding{total, 0, call})
			for _, leg := range s.day.Table.TransfersOf(stop) {
				if leg.Seconds > transfer || leg.Seconds > uint32(max(j.Arrives-at, 0)) {
					break
				}
				s.board(next, leg.Stop, at+int32(leg.Seconds), boarding{total + leg.Seconds, leg.Seconds, call})
			}
		})
	}
	end := boarding{total: NoWalk}
	s.alightings(list[len(list)-1], func(call, stop uint32, at int32, total uint32) {
		for _, leg := range to.Legs {
			fits := leg.Stop == stop && leg.Seconds <= egress && int64(at)+int64(leg.Seconds) == int64(j.Arrives)
			if fits && total+leg.Seconds < end.total {
				end = boarding{total + leg.Seconds, leg.Seconds, call}
			}
		}
	})
	j.Rides = make([]Ride, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		from := list[i].before(end.call)
		j.Rides[i] = s.rideOf(list[i], from, end.call)
		j.Rides[i].Walk = end.walk
		end = list[i].on[from]
	}
	j.Walk = end.walk
}

// rideOf is the ride on a vehicle from a call to another one.
func (s *Search) rideOf(a *aboard, from, to uint32) Ride {
	stops := s.day.CallStops[a.lane.Call:]
	return Ride{Lane: a.number, Trip: s.day.LaneTrips[a.lane.Trip+a.trip], From: from, To: to, Board: stops[from], Alight: stops[to],
		Leaves: s.leaves(a, from), Arrives: s.arrives(a, to), FromHeadway: a.lane.Headway > 0}
}
