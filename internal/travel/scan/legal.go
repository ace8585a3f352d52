package scan

import (
	"fmt"
	"slices"

	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

// Legal returns what is wrong with a journey to a target, nil if one can travel like that.
func Legal(day *timetable.Day, rules raptor.Rules, q raptor.Query, to raptor.Target, j raptor.Journey, draw int) error {
	access, transfer, egress := q.Limits()
	at := j.Departs + int32(j.Walk)
	switch {
	case len(j.Rides) > q.Rides:
		return fmt.Errorf("%d rides", len(j.Rides))
	case j.Arrives-j.Departs > 60*int32(q.Minutes):
		return fmt.Errorf("%d seconds", j.Arrives-j.Departs)
	case len(j.Rides) == 0:
		if j.Walk != to.Walk || j.Walk > egress || at != j.Arrives {
			return fmt.Errorf("a walk of %d seconds", j.Walk)
		}
		return nil
	case j.Walk > access || !slices.Contains(q.Access, timetable.Leg{Stop: j.Rides[0].Board, Seconds: j.Walk}):
		return fmt.Errorf("no walk of %d seconds to stop %d", j.Walk, j.Rides[0].Board)
	}
	for i, ride := range j.Rides {
		if err := legalRide(day, rules, ride, at+rules.BoardWait, draw); err != nil {
			return fmt.Errorf("ride %d: %w", i, err)
		}
		at = ride.Arrives + int32(ride.Walk)
		walks, most, next := to.Legs, egress, ride.Alight
		if i+1 < len(j.Rides) {
			walks, most, next = day.Table.TransfersOf(ride.Alight), transfer, j.Rides[i+1].Board
			if next == ride.Alight && ride.Walk == 0 {
				continue
			}
		}
		if ride.Walk > most || !slices.Contains(walks, timetable.Leg{Stop: next, Seconds: ride.Walk}) {
			return fmt.Errorf("no walk of %d seconds after ride %d", ride.Walk, i)
		}
	}
	if at != j.Arrives {
		return fmt.Errorf("arrives at %d, not %d", j.Arrives, at)
	}
	return nil
}

// legalRide checks a ride of somebody who can board from second ready on.
func legalRide(day *timetable.Day, rules raptor.Rules, r raptor.Ride, ready int32, draw int) error {
	lane := &day.Lanes[r.Lane]
	t := day.Table
	arrivals, departures := t.TimesOf(lane.Pattern, r.Trip.Trip)
	stops, flags := t.CallsOf(lane.Pattern)
	takes := int32(arrivals[r.To]) - int32(departures[r.From])
	switch {
	case !t.Runs(t.Trips[r.Trip.Trip].Service, r.Trip.Date):
		return fmt.Errorf("trip %d does not run on %s", r.Trip.Trip, r.Trip.Date)
	case r.From >= r.To || stops[r.From] != r.Board || stops[r.To] != r.Alight:
		return fmt.Errorf("no ride from call %d to %d", r.From, r.To)
	case flags[r.From]&timetable.NoBoarding != 0 || flags[r.To]&timetable.NoAlighting != 0:
		return fmt.Errorf("not allowed at calls %d and %d", r.From, r.To)
	case r.Leaves < ready || r.Arrives-r.Leaves != takes:
		return fmt.Errorf("from %d, when one is ready at %d, to %d", r.Leaves, ready, r.Arrives)
	}
	feed := uint32(t.Routes[t.Patterns[lane.Pattern].Route].Feed)
	midnight := t.Midnight(feed, r.Trip.Date, day.Dates[feed])
	start := r.Leaves - midnight - int32(departures[r.From]) + int32(departures[0]) // from the first call
	if lane.Headway > 0 {
		want := rules.Start(lane, rules.Offset(draw, r.Lane, lane.Headway), ready-(int32(departures[r.From])-int32(departures[0])))
		if want != start+midnight {
			return fmt.Errorf("by headway it leaves at %d, not %d", want, start+midnight)
		}
		return nil
	}
	return legalStart(t, r.Trip.Trip, int32(departures[0]), start)
}

// legalStart checks that a trip leaves its first call at a second of its service day.
func legalStart(t *timetable.Timetable, trip uint32, planned, start int32) error {
	repeated := false
	for _, f := range t.Frequencies {
		if f.Trip == trip {
			repeated = true
			if f.Exact != 0 && start >= int32(f.First) && start < int32(f.End) && (start-int32(f.First))%int32(f.Headway) == 0 {
				return nil
			}
		}
	}
	if repeated || start != planned {
		return fmt.Errorf("trip %d does not leave at %d", trip, start)
	}
	return nil
}
