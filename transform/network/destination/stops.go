package destination

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/transform/places/near"
	"quartier/transform/places/transitstop"
)

// stops adds the stops of public transport with the lines that serve them: those of timetables, then those of lines and
// poles that no timetable has.
func (f *deriver) stops(ctx context.Context) error {
	timed, err := f.timedStops(ctx)
	if err != nil {
		return err
	}
	others, err := f.untimedStops(ctx, timed)
	if err != nil {
		return err
	}
	first := len(f.set.List)
	if err := f.add(ctx, append(timed.candidates, others...)); err != nil {
		return err
	}
	for i := first; i < len(f.set.List); i++ {
		if f.set.List[i].Class != "stop" {
			f.set.List[i].Services = nil
		}
	}
	return nil
}

// lists reads which sources are timetables and lists of lines, and the modes of lines by their tracks.
func (f *deriver) lists(ctx context.Context) (err error) {
	f.set.Lists = map[string]List{}
	var source string
	var l List
	err = sqlrow.Scan(ctx, f.staged, `
		SELECT source_id, partial, source_id IN (SELECT source_id FROM stop_service WHERE trips_week IS NOT NULL) FROM line_list`,
		[]any{&source, &l.Partial, &l.Timed}, func() error {
			f.set.Lists[source] = l
			f.set.SomeLines = f.set.SomeLines || l.Partial
			return nil
		})
	if err != nil {
		return fmt.Errorf("read lists of lines: %w", err)
	}
	f.modes, err = transitstop.ReadModes(ctx, f.staged, f.c.Transit.Rapid.TracksM)
	return err
}

// timed are the stops of timetables.
type timed struct {
	candidates []candidate
	complete   []bool // of each, whether its timetable has all lines
	near       near.Points
}

// timedStops reads the stops served by lines of the timetables.
func (f *deriver) timedStops(ctx context.Context) (*timed, error) {
	all := &timed{}
	s, d := Service{Basis: schemas.TimetableBasis}, Destination{}
	var spacing float64
	var busiest int
	var partial bool
	err := sqlrow.Scan(ctx, f.staged, `
		SELECT s.source_id, s.source_key, s.name, coalesce(s.parent_key, s.source_key), s.lng, s.lat,
			r.source_key, r.name, r.mode, coalesce(r.spacing_m, 0), v.direction, coalesce(v.headsign, ''), v.trips_week,
			max(v.trips_week) OVER (PARTITION BY v.source_id, v.route_key), coalesce(l.partial, false)
		FROM stop_service AS v
		JOIN stop AS s ON s.source_id = v.source_id AND s.source_key = v.stop_key
		JOIN route AS r ON r.source_id = v.source_id AND r.source_key = v.route_key
		LEFT JOIN line_list AS l ON l.source_id = v.source_id
		WHERE v.trips_week IS NOT NULL
		ORDER BY s.source_key, r.source_key, v.direction`,
		[]any{&d.Source, &d.Key, &d.Name, &d.Station, &d.Point[0], &d.Point[1], &s.Route, &s.RouteName, &s.Mode, &spacing,
			&s.Direction, &s.Headsign, &s.TripsWeek, &busiest, &partial}, func() error {
			s.Mode = f.modes.Of(d.Source, s.Route, s.Mode)
			s.Rapid = rating.Rapid(f.c.Transit.Rapid, s.Mode, spacing, busiest)
			if n := len(all.candidates); n == 0 || all.candidates[n-1].destination.Key != d.Key {
				all.candidates = append(all.candidates, candidate{d, []string{"stop"}})
				all.complete = append(all.complete, !partial)
			}
			last := &all.candidates[len(all.candidates)-1]
			last.destination.Services = append(last.destination.Services, s)
			f.set.knows(s, listed{!partial, partial})
			return nil
		})
	if err != nil {
		return nil, fmt.Errorf("read stops: %w", err)
	}
	for i := range all.candidates {
		d := &all.candidates[i].destination
		all.candidates[i].classes = append(all.candidates[i].classes, stopClasses(d.Services)...)
		all.near.List = append(all.near.List, d.Point)
	}
	all.near.Build()
	return all, nil
}

// listed is in what lists of lines a line is: neither for one that a map alone has.
type listed struct {
	complete bool // one of all lines
	partial  bool // one of some of the lines
}

// knows records the channels of a line by the lists that have it.
func (s *Set) knows(v Service, in listed) {
	if s.AllLines == nil {
		s.AllLines, s.PartialLines = map[string]bool{}, map[string]bool{}
	}
	channels := rating.TransitChannels(v.Mode, v.Rapid)
	if len(channels) == 1 {
		channels = append(channels, v.Mode)
	}
	for _, channel := range channels {
		if in.complete {
			s.AllLines[channel] = true
		}
		if in.partial {
			s.PartialLines[channel] = true
		}
	}
}

// stopClasses are the classes of a stop by the lines that serve it.
func stopClasses(services []Service) []string {
	var classes []string
	for _, s := range services {
		if rating.IsBus(s.Mode) {
			classes = append(classes, "bus_stop")
		}
		if rating.IsTrain(s.Mode) {
			classes = append(classes, "train_station")
		}
		if s.Rapid {
			classes = append(classes, "rapid_station")
		}
	}
	slices.SortFunc(classes, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	return slices.Compact(classes)
}
