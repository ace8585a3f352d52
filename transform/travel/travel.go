// Package travel derives the timetables of a region for travel times: the trips of each feed on all days, the days that are typical
// of it, and the ground that it covers. Input: staged.schedule and its parts, stop, route, timetable, line_list and the extents.
// Output: derived.travel_feed and its parts.
//
// Feeds stay apart here. Build reads those of all regions, and leaves out trips that two of them have; what neighbours lend has no
// timetable, because the build reads the neighbours' own.
package travel

import (
	"context"
	"fmt"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/schedule"
	"quartier/schemas/staged"
	"quartier/transform/issue"
)

// Reasons are why trips are left out or changed.
var Reasons reason.List

var (
	tripWithoutStops = Reasons.Skipped("trip_without_valid_stops", "Fewer than two stops of the trip are valid; travel times are without it.")
	tripWithoutLine  = Reasons.Skipped("trip_without_valid_line", "The line of the trip is not valid; travel times are without the trip.")
	callRemoved      = Reasons.Repaired("stops_of_trip_removed", "Stops of the trip are not valid; the trip passes them.")
)

// Timetables derives the timetables of the region that is staged in from, and returns the trips that are left out or
// changed.
func Timetables(ctx context.Context, from, to *duck.DB, c *calibration.Hull) ([]issue.Issue, error) {
	d := &deriver{from: from, to: to, stops: map[key]bool{}, routes: map[key]bool{}, patterns: map[key]*pattern{}, trips: map[key]bool{},
		issues: issue.NewCounter("travel")}
	steps := []struct {
		name string
		run  func(context.Context) error
	}{
		{"feeds", func(ctx context.Context) error { return d.feeds(ctx, c) }},
		{"stops", d.copyStops}, {"lines", d.copyRoutes}, {"services", d.copyServices}, {"patterns", d.copyPatterns}, {"trips", d.copyTrips},
		{"headways", d.copyHeadways}, {"transfers", d.copyTransfers},
	}
	for _, step := range steps {
		if err := step.run(ctx); err != nil {
			return nil, fmt.Errorf("timetables: %s: %w", step.name, err)
		}
	}
	return d.issues.Issues(), nil
}

// deriver is a derivation under way.
type deriver struct {
	from, to *duck.DB
	stops    map[key]bool // that are valid
	routes   map[key]bool
	patterns map[key]*pattern
	trips    map[key]bool // that are derived
	issues   *issue.Counter
}

// key is what a source has with a number.
type key struct {
	source string
	number int32
}

// pattern is what becomes of a pattern of calls.
type pattern struct {
	line  bool // it is valid
	calls []bool
	valid int // calls
}

// copyRows converts the rows of a query to rows of a table; keep says whether a row is derived.
func copyRows[S, D any](ctx context.Context, d *deriver, table, query string, convert func(*S) (row D, keep bool, err error)) error {
	return duck.Fill(ctx, d.to, table, func(write func(D) error) error {
		for from, err := range sqlrow.Select[S](ctx, d.from, query) {
			if err != nil {
				return err
			}
			row, keep, err := convert(from)
			if err == nil && keep {
				err = write(row)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *deriver) copyStops(ctx context.Context) error {
	const query = `SELECT c.source_id, c.stop, c.stop_key, s.name, s.lng, s.lat
		FROM schedule_stop AS c JOIN stop AS s ON s.source_id = c.source_id AND s.source_key = c.stop_key ORDER BY c.source_id, c.stop`
	return copyRows(ctx, d, "travel_stop", query, func(s *derived.TravelStop) (derived.TravelStop, bool, error) {
		d.stops[key{s.SourceID, s.Stop}] = true
		return *s, true, nil
	})
}

func (d *deriver) copyRoutes(ctx context.Context) error {
	const query = `SELECT c.source_id, c.route, c.route_key, r.name, c.kind, c.color
		FROM schedule_route AS c JOIN route AS r ON r.source_id = c.source_id AND r.source_key = c.route_key ORDER BY c.source_id, c.route`
	return copyRows(ctx, d, "travel_route", query, func(r *derived.TravelRoute) (derived.TravelRoute, bool, error) {
		d.routes[key{r.SourceID, r.Route}] = true
		return *r, true, nil
	})
}

func (d *deriver) copyServices(ctx context.Context) error {
	const query = "SELECT * FROM schedule_service ORDER BY source_id, service"
	return copyRows(ctx, d, "travel_service", query, func(s *staged.ScheduleService) (derived.TravelService, bool, error) {
		return derived.TravelService(*s), true, nil
	})
}

// copyPatterns leaves out the stops that are not valid.
func (d *deriver) copyPatterns(ctx context.Context) error {
	const query = "SELECT * FROM schedule_pattern ORDER BY source_id, pattern"
	return copyRows(ctx, d, "travel_pattern", query, func(p *staged.SchedulePattern) (derived.TravelPattern, bool, error) {
		stops, err := schedule.Stops(p.Calls)
		if err == nil && len(stops) != len(p.Flags) {
			err = fmt.Errorf("pattern %d of %s: %d stops, %d flags", p.Pattern, p.SourceID, len(stops), len(p.Flags))
		}
		if err != nil {
			return derived.TravelPattern{}, false, err
		}
		of, row := &pattern{line: d.routes[key{p.SourceID, p.Route}]}, derived.TravelPattern(*p)
		row.Calls, row.Flags = nil, nil
		for i, stop := range stops {
			valid := d.stops[key{p.SourceID, int32(stop)}]
			of.calls = append(of.calls, valid)
			if valid {
				of.valid++
				row.Calls, row.Flags = schedule.AppendStops(row.Calls, stop), append(row.Flags, p.Flags[i])
			}
		}
		d.patterns[key{p.SourceID, p.Pattern}] = of
		return row, of.line && of.valid >= 2, nil
	})
}

func (d *deriver) copyTrips(ctx context.Context) error {
	const query = "SELECT * FROM schedule_trip ORDER BY source_id, trip"
	var times []uint32
	return copyRows(ctx, d, "travel_trip", query, func(t *staged.ScheduleTrip) (derived.TravelTrip, bool, error) {
		row, where := derived.TravelTrip(*t), t.SourceID+" trip "+t.TripKey
		of := d.patterns[key{t.SourceID, t.Pattern}]
		switch {
		case of == nil:
			return row, false, fmt.Errorf("%s: no pattern %d", where, t.Pattern)
		case !of.line:
			d.issues.Add(tripWithoutLine, where)
			return row, false, nil
		case of.valid < 2:
			d.issues.Add(tripWithoutStops, where)
			return row, false, nil
		}
		var err error
		if times, err = schedule.Times(times[:0], t.Times); err == nil && len(times) != 2*len(of.calls) {
			err = fmt.Errorf("%d times of %d calls", len(times), len(of.calls))
		}
		if err != nil {
			return row, false, fmt.Errorf("%s: %w", where, err)
		}
		if of.valid < len(of.calls) {
			d.issues.Add(callRemoved, where)
			kept := times[:0]
			for i, valid := range of.calls {
				if valid {
					kept = append(kept, times[2*i], times[2*i+1])
				}
			}
			row.Times = schedule.AppendTimes(nil, kept...)
		}
		d.trips[key{t.SourceID, t.Trip}] = true
		return row, true, nil
	})
}

func (d *deriver) copyHeadways(ctx context.Context) error {
	const query = "SELECT * FROM schedule_headway ORDER BY source_id, trip, start_s"
	return copyRows(ctx, d, "travel_headway", query, func(h *staged.ScheduleHeadway) (derived.TravelHeadway, bool, error) {
		return derived.TravelHeadway(*h), d.trips[key{h.SourceID, h.Trip}], nil
	})
}

func (d *deriver) copyTransfers(ctx context.Context) error {
	const query = "SELECT * FROM schedule_transfer ORDER BY source_id, from_stop, to_stop"
	return copyRows(ctx, d, "travel_transfer", query, func(t *staged.ScheduleTransfer) (derived.TravelTransfer, bool, error) {
		valid := d.stops[key{t.SourceID, t.FromStop}] && d.stops[key{t.SourceID, t.ToStop}]
		return derived.TravelTransfer(*t), valid, nil
	})
}
