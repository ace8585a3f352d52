// Package scan finds what package raptor finds by other means, slowly: a connection scan (Dibbelt, Pajor, Strasser, Wagner:
// Connection Scan Algorithm, 2013/2018) over the trips of a timetable themselves, for one departure at a time. It checks the
// fast one, and says of a journey whether it is a legal one.
package scan

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

const never = math.MaxInt32

// connection is a run of a vehicle from one call to the next.
type connection struct {
	from, to            uint32
	leaves, arrives     int32
	run                 uint32
	wait                int32 // to board, besides that of the rules
	noBoard, noAlighted bool
}

// Scan has the connections of a day between two times, in a draw of the rules.
type Scan struct {
	day         *timetable.Day
	rules       raptor.Rules
	connections []connection // by departure
	runs        uint32

	rides, reaches []int32 // by stop and number of rides
	aboard         []bool  // by run and number of rides
}

// New returns the scan of a day for what happens from a second until another one.
func New(day *timetable.Day, rules raptor.Rules, draw int, from, until int32) *Scan {
	s := &Scan{day: day, rules: rules}
	s.addTimes(from, until)
	for number := range day.Lanes {
		if day.Lanes[number].Headway > 0 {
			s.addHeadway(uint32(number), rules.Offset(draw, uint32(number), day.Lanes[number].Headway), from, until)
		}
	}
	slices.SortStableFunc(s.connections, func(a, b connection) int { return cmp.Compare(a.leaves, b.leaves) })
	return s
}

// addTimes adds the trips with times, from the timetable and not from the lanes of the day.
func (s *Scan) addTimes(from, until int32) {
	t := s.day.Table
	next := 0 // of the frequencies
	for pattern := range uint32(len(t.Patterns) - 1) {
		feed := uint32(t.Routes[t.Patterns[pattern].Route].Feed)
		date := s.day.Dates[feed]
		first, end := t.TripsOf(pattern)
		for trip := first; trip < end; trip++ {
			begin := next
			for next < len(t.Frequencies) && t.Frequencies[next].Trip == trip {
				next++
			}
			for back := timetable.Date(7); back >= -1 && date != timetable.NoDate; back-- {
				if t.Runs(t.Trips[trip].Service, date-back) {
					s.addTrip(pattern, trip, t.Midnight(feed, date-back, date), t.Frequencies[begin:next], from, until)
				}
			}
		}
	}
}

func (s *Scan) addTrip(pattern, trip uint32, midnight int32, frequencies []timetable.Frequency, from, until int32) {
	arrivals, departures := s.day.Table.TimesOf(pattern, trip)
	stops, flags := s.day.Table.CallsOf(pattern)
	r := run{stops: stops, flags: flags}
	for i := range arrivals {
		r.arrivals, r.departures = append(r.arrivals, int32(arrivals[i])), append(r.departures, int32(departures[i]))
	}
	if len(frequencies) == 0 {
		s.add(r, midnight, 0, from, until)
	}
	for _, f := range frequencies {
		for start := f.First; start < f.End && f.Exact != 0; start += f.Headway {
			s.add(r, midnight+int32(start)-int32(departures[0]), 0, from, until)
		}
	}
}

// addHeadway adds the vehicles of a lane without times: those of a draw, or one each second that is boarded half a headway
// after one is there.
func (s *Scan) addHeadway(number uint32, offset, from, until int32) {
	lane := &s.day.Lanes[number]
	r := run{
		s.day.CallStops[lane.Call:][:lane.Calls], s.day.CallFlags[lane.Call:][:lane.Calls],
		s.day.Arrivals[lane.Times:][:lane.Calls], s.day.Departures[lane.Times:][:lane.Calls],
	}
	first, each, wait := lane.First+offset, lane.Headway, int32(0)
	if s.rules.Wait == raptor.HalfHeadway {
		first, each, wait = lane.First+lane.Headway/2, 1, lane.Headway/2
	}
	for start := first; start < lane.End && start <= until; start += each {
		s.add(r, start, wait, from, until)
	}
}

type run struct {
	stops                []uint32
	flags                []timetable.CallFlags
	arrivals, departures []int32
}

func (s *Scan) add(r run, shift, wait, from, until int32) {
	last := len(r.stops) - 1
	if r.arrivals[last]+shift < from || r.departures[0]+shift > until {
		return
	}
	for i := range last {
		s.connections = append(s.connections, connection{
			r.stops[i], r.stops[i+1], r.departures[i] + shift, r.arrivals[i+1] + shift, s.runs, wait,
			r.flags[i]&timetable.NoBoarding != 0, r.flags[i+1]&timetable.NoAlighting != 0,
		})
	}
	s.runs++
}

// Depart returns when those who leave at a second get off at each stop with at most so many rides, by stop and number of
// rides less one; math.MaxInt32: never. The answer is good until the next one.
func (s *Scan) Depart(q raptor.Query, at int32) []int32 {
	stops := s.day.Table.Stops()
	s.rides, s.reaches = filled(s.rides, stops*q.Rides, never), filled(s.reaches, stops*q.Rides, never)
	s.aboard = filled(s.aboard, int(s.runs)*q.Rides, false)
	if q.Rides == 0 {
		return s.rides
	}
	access, _, _ := q.Limits()
	for _, leg := range q.Access {
		if leg.Seconds <= access && leg.Seconds <= 60*uint32(q.Minutes) {
			s.reach(q, leg.Stop, 0, at+int32(leg.Seconds))
		}
	}
	first, _ := slices.BinarySearchFunc(s.connections, at, func(c connection, at int32) int { return cmp.Compare(c.leaves, at) })
	horizon := at + 60*int32(q.Minutes)
	for first < len(s.connections) && s.connections[first].leaves <= horizon {
		end := first + 1
		for end < len(s.connections) && s.connections[end].leaves == s.connections[first].leaves {
			end++
		}
		for changed := true; changed; { // vehicles that take no time may be boarded one after the other in the same second
			changed = false
			for i := first; i < end; i++ {
				if s.take(q, &s.connections[i], horizon) {
					changed = true
				}
			}
		}
		first = end
	}
	return s.rides
}

func filled[T any](list []T, length int, value T) []T {
	if cap(list) < length {
		list = make([]T, length)
	}
	list = list[:length]
	for i := range list {
		list[i] = value
	}
	return list
}

func (s *Scan) reach(q raptor.Query, stop uint32, rides int, at int32) {
	for ; rides < q.Rides; rides++ {
		label := &s.reaches[int(stop)*q.Rides+rides]
		*label = min(*label, at)
	}
}

// take rides a connection, and reports whether something became better.
func (s *Scan) take(q raptor.Query, c *connection, horizon int32) (better bool) {
	_, transfer, _ := q.Limits()
	for round := range q.Rides {
		on := &s.aboard[int(c.run)*q.Rides+round]
		ready := int64(s.reaches[int(c.from)*q.Rides+round]) + int64(s.rules.BoardWait+c.wait)
		if !*on && !c.noBoard && ready <= int64(c.leaves) {
			*on, better = true, true
		}
		label := &s.rides[int(c.to)*q.Rides+round]
		if !*on || c.noAlighted || c.arrives > horizon || c.arrives >= *label {
			continue
		}
		*label, better = c.arrives, true
		s.reach(q, c.to, round+1, c.arrives)
		for _, leg := range s.day.Table.TransfersOf(c.to) {
			if leg.Seconds <= transfer && int64(c.arrives)+int64(leg.Seconds) <= int64(horizon) {
				s.reach(q, leg.Stop, round+1, c.arrives+int32(leg.Seconds))
			}
		}
	}
	return better
}

// Seconds is how long those who leave at a second take to a target; raptor.Unreached if longer than the query allows.
func (s *Scan) Seconds(q raptor.Query, to raptor.Target, at int32) uint16 {
	rides := s.Depart(q, at)
	_, _, egress := q.Limits()
	best := int64(raptor.Unreached)
	if to.Walk <= egress {
		best = int64(to.Walk)
	}
	for _, leg := range to.Legs {
		for round := range q.Rides {
			if arrives := rides[int(leg.Stop)*q.Rides+round]; arrives < never && leg.Seconds <= egress {
				best = min(best, int64(arrives-at)+int64(leg.Seconds))
			}
		}
	}
	if best > 60*int64(q.Minutes) {
		return raptor.Unreached
	}
	return uint16(best)
}
