package gtfs

import (
	"math"
	"strconv"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// trips are the trips of a feed in the order of the file.
type trips struct {
	rows  []trip
	place map[string]int32 // of an id in rows
}

type trip struct {
	route     int32 // leftOut where the trip does not count
	service   int32
	direction uint8
	headways  bool  // told by frequencies
	runs      int64 // departures on a day of its service, later in the week
	timed     bool  // it has a time at a stop
}

func (s *stage) readTrips() error {
	s.trips = trips{place: map[string]int32{}}
	t, err := s.feed.needed(s.ctx, s.out, tripsFile, "trip_id", "route_id", "service_id")
	if err != nil {
		return err
	}
	id, route, service, direction := t.Column("trip_id"), t.Column("route_id"), t.Column("service_id"), t.Column("direction_id")
	never := make([]bool, len(s.calendar.services))
	for i := range never {
		never[i] = s.calendar.services[i].never()
	}
	err = t.each(func() reason.Reason {
		if len(t.At(id)) == 0 {
			return source.MissingKey.With("trip_id")
		}
		if _, known := s.trips.place[string(t.At(id))]; known {
			return source.DuplicateKey.With("trip_id")
		}
		s.trips.place[t.Text(id)] = int32(len(s.trips.rows))
		s.trips.rows = append(s.trips.rows, trip{route: leftOut})
		of, isLine := s.routes.place[string(t.At(route))]
		on, isService := s.calendar.ids[string(t.At(service))]
		switch {
		case !isLine:
			return unknownRoute
		case s.calendar.blank:
			return feedWithoutCalendar
		case !isService:
			return unknownService
		case of == leftOut:
			return tripOfSkippedRoute
		case never[on]:
			return serviceWithoutDays
		}
		added := &s.trips.rows[len(s.trips.rows)-1]
		*added = trip{route: of, service: on, runs: 1}
		switch string(t.At(direction)) {
		case "", "0":
		case "1":
			added.direction = 1
		default:
			t.repaired(directionDefaulted)
		}
		return reason.Reason{}
	}, nil)
	if err == nil && len(s.trips.rows) == 0 {
		err = source.BadFile(s.feed.path, "%s has no trips", tripsFile)
	}
	return err
}

// leastHeadway is the shortest time in seconds between vehicles of a line that is believed; less is told in minutes, as a
// rule.
const leastHeadway = 30

// readFrequencies makes departures of headways: one at the start and one after each headway before the end, whether
// they keep to exact times or not.
func (s *stage) readFrequencies() error {
	t, err := s.feed.table(s.ctx, s.out, frequenciesFile, "trip_id", "start_time", "end_time", "headway_secs")
	if err != nil || t == nil {
		return err
	}
	id, from, to, headway := t.Column("trip_id"), t.Column("start_time"), t.Column("end_time"), t.Column("headway_secs")
	return t.each(func() reason.Reason {
		i, known := s.trips.place[string(t.At(id))]
		if !known {
			return unknownTrip
		}
		start, ok1 := seconds(t.At(from))
		end, ok2 := seconds(t.At(to))
		every, err := strconv.ParseInt(string(t.At(headway)), 10, 32)
		if !ok1 || !ok2 || end <= start || err != nil || every <= 0 {
			return invalidHeadway
		}
		if every < leastHeadway {
			return implausibleHeadway
		}
		trip := &s.trips.rows[i]
		if !trip.headways {
			trip.headways, trip.runs = true, 0
		}
		trip.runs += (int64(end-start) + every - 1) / every
		return reason.Reason{}
	}, nil)
}

// departures are how many a day each service has.
func (t *trips) departures(services int) []int64 {
	all := make([]int64, services)
	for _, trip := range t.rows {
		if trip.route != leftOut {
			all[trip.service] += trip.runs
		}
	}
	return all
}

// mostSeconds is the latest time: a train that left three days ago.
const mostSeconds = 4 * 86_400

// seconds reads a time since midnight as feeds write it, 7:05:00 or 25:35:00.
func seconds(text []byte) (int, bool) {
	total, digits, colons := 0, 0, 0
	part := 0
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9' && digits < 2:
			part, digits = 10*part+int(c-'0'), digits+1
		case c == ':' && digits > 0 && colons < 2:
			total, part, digits, colons = 60*(total+part), 0, 0, colons+1
		default:
			return 0, false
		}
		if colons > 0 && part > 59 {
			return 0, false
		}
	}
	total += part
	return total, colons == 2 && digits == 2 && total <= mostSeconds
}

// most is a count of trips that fits into the staged table.
func most(n int64) int { return int(min(n, math.MaxInt32)) }
