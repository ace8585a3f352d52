package destination

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
)

// stops adds the stops served by lines of the timetables.
func (f *deriver) stops(ctx context.Context) error {
	var candidates []candidate
	var d Destination
	var s Service
	var spacing float64
	var busiest int
	err := sqlrow.Scan(ctx, f.staged, `
		SELECT s.source_id, s.source_key, s.name, coalesce(s.parent_key, s.source_key), s.lng, s.lat,
			r.source_key, r.name, r.mode, coalesce(r.spacing_m, 0), v.direction, v.trips_week,
			max(v.trips_week) OVER (PARTITION BY v.source_id, v.route_key)
		FROM stop_service AS v
		JOIN stop AS s ON s.source_id = v.source_id AND s.source_key = v.stop_key
		JOIN route AS r ON r.source_id = v.source_id AND r.source_key = v.route_key
		ORDER BY s.source_key, r.source_key, v.direction`,
		[]any{&d.Source, &d.Key, &d.Name, &d.Station, &d.Point[0], &d.Point[1], &s.Route, &s.RouteName, &s.Mode, &spacing,
			&s.Direction, &s.TripsWeek, &busiest}, func() error {
			s.Rapid = rapid(f.c.Transit.Rapid, s.Mode, spacing, busiest)
			if n := len(candidates); n == 0 || candidates[n-1].destination.Key != d.Key {
				candidates = append(candidates, candidate{d, []string{"stop"}})
			}
			last := &candidates[len(candidates)-1]
			last.destination.Services = append(last.destination.Services, s)
			return nil
		})
	if err != nil {
		return fmt.Errorf("read stops: %w", err)
	}
	for i := range candidates {
		candidates[i].classes = append(candidates[i].classes, stopClasses(candidates[i].destination.Services)...)
	}
	first := len(f.set.List)
	if err := f.add(ctx, candidates); err != nil {
		return err
	}
	for i := first; i < len(f.set.List); i++ {
		if f.set.List[i].Class != "stop" {
			f.set.List[i].Services = nil
		}
	}
	return nil
}

// rapid reports whether a line is rapid transit; busiest is the departures a week in one direction at its busiest stop.
func rapid(c calibration.Rapid, mode string, spacing float64, busiest int) bool {
	return slices.Contains(c.Modes, mode) ||
		slices.Contains(c.SpacedModes, mode) && spacing >= c.SpacingM ||
		slices.Contains(c.FrequentModes, mode) && spacing >= c.FrequentSpacing && busiest >= c.TripsWeek
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
