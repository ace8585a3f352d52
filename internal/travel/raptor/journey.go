package raptor

import (
	"slices"

	"quartier/internal/travel/timetable"
)

// Journey is a way to a target at a departure.
type Journey struct {
	Departs, Arrives int32  // seconds after midnight
	Walk             uint32 // to the first stop; the whole way where there are no rides
	Rides            []Ride
}

// Ride is a ride with the walk after it.
type Ride struct {
	Lane        uint32 // of the day
	Trip        timetable.LaneTrip
	From, To    uint32 // calls of the lane, from 0
	Board       uint32 // stops
	Alight      uint32
	Leaves      int32  // the stop Board; of a line with a headway at the end of the expected wait
	Arrives     int32  // at the stop Alight
	Walk        uint32 // seconds to the next stop, or to the target after the last ride
	FromHeadway bool   // the times are expected ones
}

// leg is how one came to a stop by a ride.
type leg struct {
	lane, from uint32 // call of the day
	trip       int32
}

// parents are how the labels of a search came about.
type parents struct {
	ride  []leg    // by stop and round
	reach []uint32 // by stop and round: where one came from on foot
}

// Median is the first departure of the window, and its draw, that takes as long as a percentile says; false if unreached.
func (s *Search) Median(to Target, percentile int) (minute, draw int, ok bool) {
	var value [1]uint16
	s.Percentiles(to, []int{percentile}, value[:])
	if value[0] == Unreached {
		return 0, 0, false
	}
	at := slices.Index(single(s.tally.best), value[0])
	return at % s.window, at / s.window, true
}

// Journey is the fastest way to a target for those who leave in a minute of the window, in a draw; of several one with the
// fewest rides, and on its vehicles the one with the least walking. False if there is none within the limits.
func (s *Search) Journey(to Target, minute, draw int) (Journey, bool) {
	return s.JourneyOf(s.query, to, minute, draw)
}

// JourneyOf is Journey for a query that need not have been run, and may take all the day.
func (s *Search) JourneyOf(q Query, to Target, minute, draw int) (Journey, bool) {
	if s.journey == nil {
		s.journey = New(s.day, s.rules)
		s.journey.parents = &parents{}
	}
	one := s.journey
	one.query = q
	one.prepareRounds(q.Rides)
	one.parents.ride = resize(one.parents.ride, len(one.rides))
	one.parents.reach = resize(one.parents.reach, len(one.reaches))
	one.draw(q.Draw(draw, minute))
	departs := q.Departs(minute)
	one.depart(departs)
	return one.find(to, departs)
}

// find is the journey to a target after depart.
func (s *Search) find(to Target, departs int32) (Journey, bool) {
	j := Journey{Departs: departs, Arrives: s.horizon + 1}
	_, _, egress := s.query.Limits()
	if to.Walk <= egress && int32(min(to.Walk, never-uint32(departs))) <= s.horizon-departs {
		j.Arrives, j.Walk = departs+int32(to.Walk), to.Walk
	}
	last, rides := uint32(0), 0
	for round := range s.rounds {
		for _, leg := range to.Legs {
			at := s.rides[int(leg.Stop)*s.rounds+round]
			if leg.Seconds <= egress && at <= s.horizon && at+int32(min(leg.Seconds, timetable.Horizon)) < j.Arrives {
				j.Arrives, last, rides = at+int32(leg.Seconds), leg.Stop, round+1
			}
		}
	}
	if rides > 0 {
		s.leastWalk(&j, to, s.trace(last, rides))
	}
	return j, j.Arrives <= s.horizon
}

// trace are the vehicles by which one first got off at a stop after some rides, from the labels.
func (s *Search) trace(stop uint32, rides int) (list []*aboard) {
	for round := rides - 1; ; round-- {
		for round > 0 && s.rides[int(stop)*s.rounds+round-1] <= s.rides[int(stop)*s.rounds+round] {
			round--
		}
		way := s.parents.ride[int(stop)*s.rounds+round]
		list = append(list, s.aboard(way))
		board := s.day.CallStops[way.from]
		labels := s.reaches[int(board)*s.rounds:][:s.rounds]
		for round > 0 && labels[round-1] <= labels[round] {
			round--
		}
		if round == 0 {
			slices.Reverse(list)
			return list
		}
		stop = s.parents.reach[int(board)*s.rounds+round]
	}
}
