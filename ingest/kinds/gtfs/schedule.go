package gtfs

import (
	"context"

	"quartier/ingest/source"
	"quartier/schemas/reason"
	"quartier/schemas/schedule"
)

// scheduler stages the whole timetable: what its trips refer to gets a number when the first one does.
type scheduler struct {
	*stage
	first    day
	days     int
	calls    numbers // of stops
	lines    numbers // of routes
	runs     numbers // of services
	patterns map[string]int32
	staged   int32    // trips
	ids      []string // of trips
}

// numbers are the numbers of what is staged, by index.
type numbers map[int32]int32

// stageSchedule stages the trips of all days with their calls, of which the blank times are filled. Trips without a timetable are
// issues.
func (s *stage) stageSchedule(ctx context.Context, h *dailyTrips, calls []call) error {
	w := &scheduler{stage: s, first: h.first, days: len(h.trips), calls: numbers{}, lines: numbers{}, runs: numbers{},
		patterns: map[string]int32{}, ids: s.trips.ids()}
	err := s.out.Row(source.Schedule{Timezone: s.publisher.timezone, FirstDay: h.first.String(), Days: int32(len(h.trips))})
	s.out.Part(tripsFile)
	for first := 0; err == nil && first < len(calls); {
		end := first + 1
		for end < len(calls) && calls[end].trip == calls[first].trip {
			end++
		}
		why := s.complete(calls[first:end])
		if !why.OK() {
			s.out.Issue(why, "trip "+w.ids[calls[first].trip])
		}
		if why.OK() || why.Severity == reason.Repaired {
			err = w.trip(calls[first:end])
		}
		first = end
	}
	if err != nil {
		return err
	}
	return w.transfers(ctx)
}

// trip stages a trip, and what it refers to first.
func (w *scheduler) trip(calls []call) error {
	index := int32(calls[0].trip)
	trip := w.trips.rows[index]
	service, err := w.number(w.runs, trip.service, w.service)
	if err != nil {
		return err
	}
	pattern, err := w.pattern(trip, calls)
	if err != nil {
		return err
	}
	times := make([]uint32, 0, 2*len(calls))
	for _, c := range calls {
		times = append(times, c.arrival, c.departure)
	}
	sign := w.trips.signs.texts[trip.sign]
	if sign == "" {
		sign = w.stops.names[calls[len(calls)-1].stop]
	}
	number := w.staged
	w.staged++
	if err := w.out.Row(source.ScheduleTrip{Trip: number, TripKey: w.ids[index], Pattern: pattern, Service: service, Headsign: sign,
		Times: schedule.AppendTimes(nil, times...)}); err != nil {
		return err
	}
	seen := map[int]bool{}
	for _, v := range w.trips.windows[index] {
		if seen[v.first] {
			w.out.Issue(headwayTwice, "trip "+w.ids[index])
			continue
		}
		seen[v.first] = true
		if err := w.out.Row(source.ScheduleHeadway{Trip: number, StartS: int32(v.first), LastS: int32(v.last), HeadwayS: int32(v.every),
			Exact: v.exact}); err != nil {
			return err
		}
	}
	return nil
}

// number is the number of an index, which is staged if it is new.
func (w *scheduler) number(of numbers, index int32, stage func(index, number int32) error) (int32, error) {
	number, known := of[index]
	if known {
		return number, nil
	}
	number = int32(len(of))
	of[index] = number
	return number, stage(index, number)
}

func (w *scheduler) stop(index, number int32) error {
	return w.out.Row(source.ScheduleStop{Stop: number, StopKey: w.key(w.stops.ids[index])})
}

func (w *scheduler) route(index, number int32) error {
	return w.out.Row(source.ScheduleRoute{Route: number, RouteKey: w.routes.rows[index].SourceKey, Kind: w.routes.kinds[index],
		Color: w.routes.color[index]})
}

func (w *scheduler) service(index, number int32) error {
	days := schedule.NewDays(w.days)
	for i := range w.days {
		if w.calendar.services[index].runs(w.first + day(i)) {
			days.Add(i)
		}
	}
	return w.out.Row(source.ScheduleService{Service: number, ServiceKey: w.calendar.services[index].id, Days: days})
}

// pattern is the number of the stops of a trip, with its route and direction.
func (w *scheduler) pattern(trip trip, calls []call) (int32, error) {
	route, err := w.number(w.lines, trip.route, w.route)
	if err != nil {
		return 0, err
	}
	stops, flags := make([]uint32, len(calls)), make([]byte, len(calls))
	for i, c := range calls {
		number, err := w.number(w.calls, c.stop, w.stop)
		if err != nil {
			return 0, err
		}
		stops[i], flags[i] = uint32(number), c.flags
	}
	row := source.SchedulePattern{Pattern: int32(len(w.patterns)), Route: route, Direction: int32(trip.direction),
		Calls: schedule.AppendStops(nil, stops...), Flags: flags}
	key := string(append(append(schedule.AppendStops(nil, uint32(route), uint32(trip.direction)), row.Calls...), flags...))
	if number, known := w.patterns[key]; known {
		return number, nil
	}
	w.patterns[key] = row.Pattern
	return row.Pattern, w.out.Row(row)
}

// transfers stages the transfers between stops of trips: one of a station is of each of its stops. Of two for the same stops the
// first counts.
func (w *scheduler) transfers(ctx context.Context) error {
	t, err := w.feed.table(w.out, transfersFile)
	if err != nil || t == nil {
		return err
	}
	read := &transferReader{scheduler: w, t: t, seen: map[[2]int32]bool{}}
	read.from, read.to, read.kind = t.Column("from_stop_id"), t.Column("to_stop_id"), t.Column("transfer_type")
	read.min = t.Column("min_transfer_time")
	for _, name := range []string{"from_route_id", "to_route_id", "from_trip_id", "to_trip_id"} {
		read.limits = append(read.limits, t.Column(name))
	}
	return t.each(ctx, func() reason.Reason { return read.row() }, &read.failed)
}
