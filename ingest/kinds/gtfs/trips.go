package gtfs

import (
	"context"
	"math"
	"strconv"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// trips are the trips of a feed in the order of the file.
type trips struct {
	rows  []trip
	place map[string]int32 // index of an id in rows
	lost  map[reason.Reason]int
	signs signs

	windows map[int32][]window // of frequencies.txt, by trip
}

// window is a period in which a trip departs again and again.
type window struct {
	first, last, every int // departures and the time between them, in seconds
	exact              bool
}

// signs are the texts of where trips go, each once. The first is "": not known.
type signs struct {
	texts []string
	place map[string]int32
}

// of is the index of a text.
func (s *signs) of(text string) int32 {
	if s.place == nil {
		s.texts, s.place = []string{""}, map[string]int32{"": 0}
	}
	i, known := s.place[text]
	if !known {
		i = int32(len(s.texts))
		s.texts, s.place[text] = append(s.texts, text), i
	}
	return i
}

type trip struct {
	route     int32 // notStaged where the trip is not counted
	service   int32
	direction uint8
	sign      int32 // of where it goes, in trips.signs; 0: it has none
	headways  bool  // its departures are from frequencies.txt
	runs      int64 // departures per day of its service; after scaleToWeek, per week
	timed     bool  // it has a stop time
}

// ids returns the ids of the trips in their order.
func (t *trips) ids() []string {
	ids := make([]string, len(t.rows))
	for id, i := range t.place {
		ids[i] = id
	}
	return ids
}

func (s *stage) readTrips(ctx context.Context) error {
	s.trips = trips{place: map[string]int32{}, lost: map[reason.Reason]int{}, windows: map[int32][]window{}}
	t, err := s.feed.required(s.out, tripsFile)
	if err != nil {
		return err
	}
	id, route, service, direction := t.Column("trip_id"), t.Column("route_id"), t.Column("service_id"), t.Column("direction_id")
	sign := t.Column("trip_headsign")
	empty := make([]bool, len(s.calendar.services))
	for i := range empty {
		empty[i] = s.calendar.services[i].empty()
	}
	read := func() reason.Reason {
		if len(t.At(id)) == 0 {
			return source.MissingKey.With("trip_id")
		}
		if _, known := s.trips.place[string(t.At(id))]; known {
			return source.DuplicateKey.With("trip_id")
		}
		s.trips.place[t.Text(id)] = int32(len(s.trips.rows))
		s.trips.rows = append(s.trips.rows, trip{route: notStaged})
		of, isLine := s.routes.place[string(t.At(route))]
		on, isService := s.calendar.ids[string(t.At(service))]
		switch {
		case !isLine:
			return unknownRoute
		case !isService:
			return unknownService
		case of == notStaged:
			return tripOfSkippedRoute
		case empty[on]:
			return serviceWithoutDays
		}
		added := &s.trips.rows[len(s.trips.rows)-1]
		*added = trip{route: of, service: on, sign: s.trips.signs.of(t.Text(sign)), runs: 1}
		switch string(t.At(direction)) {
		case "", "0":
		case "1":
			added.direction = 1
		default:
			t.repaired(directionDefaulted)
		}
		return reason.Reason{}
	}
	err = t.each(ctx, func() reason.Reason {
		why := read()
		if !why.OK() {
			s.trips.lost[why]++
		}
		return why
	}, nil)
	if err == nil && len(s.trips.rows) == 0 {
		err = source.BadFile(s.feed.path, "%s has no trips", tripsFile)
	}
	return err
}

// minHeadway is the shortest plausible headway in seconds; shorter ones are usually given in minutes by mistake.
const minHeadway = 30

// readFrequencies converts headways to departures: one at the start and one after each headway before the end, for both
// values of exact_times:
//
//	from 06:00:00 to 07:00:00 every 600 s are 6 departures
func (s *stage) readFrequencies(ctx context.Context) error {
	t, err := s.feed.table(s.out, frequenciesFile)
	if err != nil || t == nil {
		return err
	}
	id, from, to, headway := t.Column("trip_id"), t.Column("start_time"), t.Column("end_time"), t.Column("headway_secs")
	exact := t.Column("exact_times")
	return t.each(ctx, func() reason.Reason {
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
		if every < minHeadway {
			return implausibleHeadway
		}
		trip := &s.trips.rows[i]
		if !trip.headways {
			trip.headways, trip.runs = true, 0
		}
		departures := (int64(end-start) + every - 1) / every
		trip.runs += departures
		s.trips.windows[i] = append(s.trips.windows[i], window{start, start + int((departures-1)*every), int(every), string(t.At(exact)) == "1"})
		return reason.Reason{}
	}, nil)
}

// departures returns the number of departures per day of each service.
func (t *trips) departures(services int) []int64 {
	all := make([]int64, services)
	for _, trip := range t.rows {
		if trip.route != notStaged {
			all[trip.service] += trip.runs
		}
	}
	return all
}

// maxSeconds is the latest time: of a train that departed three days before.
const maxSeconds = 4 * 86_400

// seconds parses a time of a feed, 7:05:00 or 25:35:00, in seconds since midnight.
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
	return total, colons == 2 && digits == 2 && total <= maxSeconds
}

// clamp limits a count of trips to the type of the staged column.
func clamp(n int64) int32 { return int32(min(n, math.MaxInt32)) }
