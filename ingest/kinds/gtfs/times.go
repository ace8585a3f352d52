package gtfs

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"quartier/ingest/source"
	"quartier/schemas/reason"
	"quartier/schemas/schedule"
)

// stopTime is a stop of a trip, in 12 bytes. Only those of the timetable week are kept.
type stopTime struct {
	trip, sequence uint32
	stop           int32
}

// readTimes returns the stops of the trips that run in the seven days from week, and the calls of all trips, both ordered by trip
// and sequence.
func (s *stage) readTimes(ctx context.Context, week day) ([]stopTime, []call, error) {
	t, err := s.feed.required(s.out, stopTimesFile)
	if err != nil {
		return nil, nil, err
	}
	s.scaleToWeek(week)
	read := &timesReader{stage: s, t: t, trip: t.Column("trip_id"), stop: t.Column("stop_id"), sequence: t.Column("stop_sequence"),
		pickup: t.Column("pickup_type"), dropOff: t.Column("drop_off_type"), arrival: t.Column("arrival_time"),
		departure: t.Column("departure_time"),
		demanded:  onDemand(t)}
	if err := t.each(ctx, read.row, nil); err != nil {
		return nil, nil, err
	}
	if read.rows == 0 {
		return nil, nil, source.BadFile(s.feed.path, "%s has no stop times", stopTimesFile)
	}
	s.reportUntimed()
	if !slices.IsSortedFunc(read.times, compareTimes) {
		slices.SortStableFunc(read.times, compareTimes)
	}
	if !slices.IsSortedFunc(read.calls, compareCalls) {
		slices.SortStableFunc(read.calls, compareCalls)
	}
	return read.times, read.calls, nil
}

func compareTimes(a, b stopTime) int {
	return cmp.Or(cmp.Compare(a.trip, b.trip), cmp.Compare(a.sequence, b.sequence))
}

// scaleToWeek converts the departures per day of every trip to departures per week.
func (s *stage) scaleToWeek(week day) {
	days := make([]int64, len(s.calendar.services))
	for i := range days {
		for d := week; d < week+7; d++ {
			if s.calendar.services[i].runs(d) {
				days[i]++
			}
		}
	}
	for i := range s.trips.rows {
		if trip := &s.trips.rows[i]; trip.route != notStaged {
			trip.runs *= days[trip.service]
		}
	}
}

// reportUntimed counts the trips without stop times as issues.
func (s *stage) reportUntimed() {
	s.out.Part(tripsFile)
	ids := s.trips.ids()
	for i, trip := range s.trips.rows {
		if trip.route != notStaged && !trip.timed {
			s.out.Issue(tripWithoutStops, "trip "+ids[i])
		}
	}
}

// timesReader reads the rows of stop_times.txt.
type timesReader struct {
	*stage
	t                                     *tableReader
	trip, stop, sequence, pickup, dropOff int // columns
	arrival, departure                    int
	demanded                              func() bool // nil: never
	rows                                  int
	times                                 []stopTime
	calls                                 []call
}

func (r *timesReader) row() reason.Reason {
	r.rows++
	i, known := r.stage.trips.place[string(r.t.At(r.trip))]
	if !known {
		return unknownTrip
	}
	stop, known := r.stops.place[string(r.t.At(r.stop))]
	sequence, err := strconv.ParseUint(string(r.t.At(r.sequence)), 10, 32)
	trip := &r.stage.trips.rows[i]
	switch {
	case trip.route == notStaged:
		return timeOfSkippedTrip
	case r.demanded != nil && r.demanded():
		trip.timed = true
		return demandResponsive
	case !known:
		return unknownStop
	case stop == notAStop:
		return notAtStop
	case err != nil:
		return invalidSequence
	}
	trip.timed = true
	const notAvailable = "1"
	c := call{trip: uint32(i), sequence: uint32(sequence), stop: stop}
	if string(r.t.At(r.pickup)) == notAvailable {
		c.flags |= schedule.NoBoarding
	}
	if string(r.t.At(r.dropOff)) == notAvailable {
		c.flags |= schedule.NoAlighting
	}
	passes := c.flags == schedule.NoBoarding|schedule.NoAlighting
	c.arrival, c.departure = r.time(r.arrival, passes), r.time(r.departure, passes)
	r.calls = append(r.calls, c)
	if passes {
		return noBoarding
	}
	if trip.runs > 0 {
		r.times = append(r.times, stopTime{uint32(i), uint32(sequence), stop})
	}
	return reason.Reason{}
}

// time is a time of a row; blank where there is none, or a wrong one, which is reported unless the vehicle passes the stop.
func (r *timesReader) time(column int, passes bool) uint32 {
	at := r.t.At(column)
	if len(at) == 0 {
		return blank
	}
	t, ok := seconds(at)
	if !ok {
		if !passes {
			r.t.repaired(timeRemoved)
		}
		return blank
	}
	return uint32(t)
}
