package travel

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"quartier/internal/coord"
	"quartier/internal/duck"
	packed "quartier/internal/pack/travel"
	"quartier/internal/sqlrow"
	"quartier/internal/travel/timetable"
	"quartier/schemas/derived"
	"quartier/schemas/schedule"
)

// dates are days in ascending order.
type dates []timetable.Date

// digest is equal for trips that are the same but for their days.
type digest [16]byte

// feedMaker reads the rows of a feed. Stops and lines get a number when the first trip has them.
type feedMaker struct {
	*maker
	db       *duck.DB
	row      *derived.TravelFeed
	number   uint16
	first    timetable.Date
	stops    map[int32]*item[derived.TravelStop]
	routes   map[int32]*item[derived.TravelRoute]
	patterns map[int32]*pattern
	days     map[int32]dates
	headways map[int32][]timetable.Headway
	fresh    map[digest][]dates // of the trips of the feed

	times []uint32 // of the trip under way
	calls []timetable.Call
	key   []byte
}

// item is a stop or a line.
type item[T any] struct {
	row    T
	at     coord.Point // of a stop
	number uint32
	added  bool
}

// pattern is calls of trips.
type pattern struct {
	route int32
	stops []uint32 // as in the rows
	flags []byte
}

func (f *feedMaker) read(ctx context.Context) error {
	for _, step := range []func(context.Context) error{f.readParts, f.readPatterns, f.readTrips, f.readTransfers} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	for key, list := range f.fresh {
		f.seen[key] = append(f.seen[key], list...)
	}
	return nil
}

// eachRow visits the rows of the feed in a table.
func eachRow[T any](ctx context.Context, f *feedMaker, table, order string, visit func(*T) error) error {
	for row, err := range sqlrow.Select[T](ctx, f.db, "SELECT * FROM "+table+" WHERE source_id = ? ORDER BY "+order, f.row.SourceID) {
		if err == nil {
			err = visit(row)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}

// readParts reads stops, lines, services and headways.
func (f *feedMaker) readParts(ctx context.Context) error {
	f.stops, f.routes, f.days, f.headways = map[int32]*item[derived.TravelStop]{}, map[int32]*item[derived.TravelRoute]{}, map[int32]dates{},
		map[int32][]timetable.Headway{}
	err := eachRow(ctx, f, "travel_stop", "stop", func(s *derived.TravelStop) error {
		at, ok := coord.NewPoint(s.Lng, s.Lat)
		if !ok {
			return fmt.Errorf("stop %s: invalid position %v, %v", s.StopKey, s.Lng, s.Lat)
		}
		f.stops[s.Stop] = &item[derived.TravelStop]{row: *s, at: at}
		return nil
	})
	if err != nil {
		return err
	}
	err = eachRow(ctx, f, "travel_route", "route", func(r *derived.TravelRoute) error {
		f.routes[r.Route] = &item[derived.TravelRoute]{row: *r}
		return nil
	})
	if err != nil {
		return err
	}
	err = eachRow(ctx, f, "travel_service", "service", func(s *derived.TravelService) error {
		var list dates
		for day := range int(f.row.Days) {
			if schedule.Days(s.Days).Has(day) {
				list = append(list, f.first+timetable.Date(day))
			}
		}
		f.days[s.Service] = list
		return nil
	})
	if err != nil {
		return err
	}
	return eachRow(ctx, f, "travel_headway", "trip, start_s", func(h *derived.TravelHeadway) error {
		f.headways[h.Trip] = append(f.headways[h.Trip], timetable.Headway{First: uint32(h.StartS), End: uint32(h.LastS) + 1,
			Headway: uint32(h.HeadwayS), Exact: h.Exact})
		return nil
	})
}

func (f *feedMaker) readPatterns(ctx context.Context) error {
	f.patterns = map[int32]*pattern{}
	return eachRow(ctx, f, "travel_pattern", "pattern", func(p *derived.TravelPattern) error {
		stops, err := schedule.Stops(p.Calls)
		if err == nil && (len(stops) != len(p.Flags) || f.routes[p.Route] == nil) {
			err = fmt.Errorf("pattern %d: %d stops with %d flags, line %d", p.Pattern, len(stops), len(p.Flags), p.Route)
		}
		for _, stop := range stops {
			if err == nil && f.stops[int32(stop)] == nil {
				err = fmt.Errorf("pattern %d: no stop %d", p.Pattern, stop)
			}
		}
		f.patterns[p.Pattern] = &pattern{p.Route, stops, p.Flags}
		return err
	})
}

func (f *feedMaker) readTrips(ctx context.Context) error {
	return eachRow(ctx, f, "travel_trip", "trip", func(t *derived.TravelTrip) error {
		p, days := f.patterns[t.Pattern], f.days[t.Service]
		if p == nil || days == nil {
			return fmt.Errorf("trip %s: pattern %d, service %d", t.TripKey, t.Pattern, t.Service)
		}
		var err error
		if f.times, err = schedule.Times(f.times[:0], t.Times); err == nil && len(f.times) != 2*len(p.stops) {
			err = fmt.Errorf("%d times of %d calls", len(f.times), len(p.stops))
		}
		if err != nil {
			return fmt.Errorf("trip %s: %w", t.TripKey, err)
		}
		key := f.digest(p, f.headways[t.Trip])
		left := days
		for _, others := range f.seen[key] {
			left = left.without(others)
		}
		if len(left) == 0 {
			return nil
		}
		f.fresh[key] = append(f.fresh[key], left)
		f.calls = f.calls[:0]
		for i, stop := range p.stops {
			f.calls = append(f.calls, timetable.Call{Stop: f.stop(int32(stop)), Arrival: f.times[2*i], Departure: f.times[2*i+1],
				Flags: timetable.CallFlags(p.flags[i])})
		}
		fault := f.builder.AddTrip(t.TripKey, t.Headsign, f.route(p.route), f.service(left), f.calls, f.headways[t.Trip])
		if fault != timetable.NoFault {
			return fmt.Errorf("trip %s: %v", t.TripKey, fault)
		}
		return nil
	})
}

// digest is that of the trip whose times are read.
func (f *feedMaker) digest(p *pattern, headways []timetable.Headway) digest {
	route := &f.routes[p.route].row
	key := fmt.Appendf(f.key[:0], "%s\x00%d\x00%d\x00", route.Name, route.Kind, len(headways))
	for _, h := range headways {
		key = fmt.Append(key, h)
	}
	for i, stop := range p.stops {
		at := f.stops[int32(stop)].at
		for _, n := range []uint32{uint32(at.Lng), uint32(at.Lat), f.times[2*i], f.times[2*i+1], uint32(p.flags[i])} {
			key = binary.LittleEndian.AppendUint32(key, n)
		}
	}
	f.key = key
	sum := sha256.Sum256(key)
	return digest(sum[:16])
}

// without are the days that others do not have.
func (d dates) without(others dates) dates {
	if len(others) == 0 {
		return d
	}
	left := dates{}
	for _, day := range d {
		if _, found := slices.BinarySearch(others, day); !found {
			left = append(left, day)
		}
	}
	return left
}

// stop is the number of a stop.
func (f *feedMaker) stop(row int32) uint32 {
	s := f.stops[row]
	if !s.added {
		s.number, s.added = f.builder.AddStop(s.row.Name, f.number, s.at), true
	}
	return s.number
}

// route is the number of a line.
func (f *feedMaker) route(row int32) uint32 {
	r := f.routes[row]
	if !r.added {
		color, _ := strconv.ParseUint(r.row.Color, 16, 24) // "": black
		r.number = f.builder.AddRoute(r.row.Name, timetable.Route{Color: uint32(color), Feed: f.number, Kind: uint16(r.row.Kind)})
		r.added = true
	}
	return r.number
}

// service is the number of the service that runs on some days.
func (f *feedMaker) service(days dates) uint32 {
	key := make([]byte, 0, 4*len(days))
	for _, d := range days {
		key = binary.LittleEndian.AppendUint32(key, uint32(d))
	}
	number, known := f.services[string(key)]
	if !known {
		number = f.builder.AddService(days)
		f.services[string(key)] = number
	}
	return number
}

// readTransfers adds the changes between stops of trips. Those that take a time between two stops are walks, too.
func (f *feedMaker) readTransfers(ctx context.Context) error {
	return eachRow(ctx, f, "travel_transfer", "from_stop, to_stop", func(t *derived.TravelTransfer) error {
		from, to := f.stops[t.FromStop], f.stops[t.ToStop]
		if from == nil || to == nil || !from.added || !to.added {
			return nil
		}
		change := packed.Change{From: from.number, To: to.number, Kind: uint32(t.Kind)}
		if t.MinS != nil {
			change.Seconds = uint32(*t.MinS)
		}
		f.table.Changes = append(f.table.Changes, change)
		if t.Kind == schedule.TakesTime && t.MinS != nil {
			f.builder.AddTransfer(from.number, to.number, change.Seconds)
		}
		return nil
	})
}
