// Package transitstop makes places of the stops of timetables and lists of lines: a record for package poi of each station,
// and of each stop without one, at which some line stops, with categories by the lines. Input: staged.stop, stop_service,
// route, route_shape and line_list, and the tracks among staged.feature.
package transitstop

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/transform/places/near"
	"quartier/transform/places/poi"
)

// classes are the categories and tags of a place at which a line stops, by mode; those of rapid transit on rails are of any
// rapid line of the mode. Stops of other modes are no places.
var classes = map[string][]string{
	"bus":        {"bus_stops"},
	"trolleybus": {"bus_stops"},
	"tram":       {"tram_stops"},
	"cable_car":  {"tram_stops"},
	"light_rail": {"subway_or_separated_rail_stations", "light_rail"},
	"subway":     {"subway_or_separated_rail_stations", "subway"},
	"monorail":   {"subway_or_separated_rail_stations"},
	"rail":       {"train_stations"},
	"ferry":      {"ferry_terminals"},
	"gondola":    {"cable_car_stations"},
	"funicular":  {"funicular_stations"},
}

// classesOf are the categories and tags of a place by a line that stops there.
func classesOf(mode string, rapid bool) []string {
	switch {
	case rapid && rating.IsBus(mode):
		return []string{"bus_stops", "rapid_transit_stations"}
	case rapid && mode == "tram":
		return classes["light_rail"]
	}
	return classes[mode]
}

// key is a row of a source.
type key struct{ source, id string }

// line is a line of a source with a timetable or a list of lines.
type line struct {
	mode  string
	rapid bool
	own   bool // its source says where it stops
}

// reader collects the lines that stop at stations and at stops without one.
type reader struct {
	db      *duck.DB
	c       *calibration.Transit
	modes   Modes
	stops   map[key]*staged.Stop
	lines   map[key]*line
	classes map[key][]string // of stations and stops
}

// Records passes a record for every station and stop at which a line stops to visit, in order of source and key.
func Records(ctx context.Context, db *duck.DB, c *calibration.Transit, visit func(poi.Record) error) error {
	modes, err := ReadModes(ctx, db, c.Rapid.TracksM)
	if err != nil {
		return err
	}
	r := &reader{db: db, c: c, modes: modes, stops: map[key]*staged.Stop{}, lines: map[key]*line{}, classes: map[key][]string{}}
	for _, read := range []func(context.Context) error{r.readStops, r.readLines, r.readServices, r.readCourses} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return r.pass(ctx, visit)
}

func (r *reader) readStops(ctx context.Context) error {
	for row, err := range sqlrow.Select[staged.Stop](ctx, r.db, "SELECT * FROM stop WHERE source_id IN (SELECT source_id FROM line_list)") {
		if err != nil {
			return fmt.Errorf("read stops: %w", err)
		}
		stop := *row
		r.stops[key{row.SourceID, row.SourceKey}] = &stop
	}
	return nil
}

func (r *reader) readLines(ctx context.Context) error {
	var at key
	var mode string
	var spacing float64
	var busiest int
	err := sqlrow.Scan(ctx, r.db, `
		SELECT r.source_id, r.source_key, any_value(r.mode), coalesce(any_value(r.spacing_m), 0), coalesce(max(v.trips_week), 0)
		FROM route AS r LEFT JOIN stop_service AS v ON v.source_id = r.source_id AND v.route_key = r.source_key
		WHERE r.source_id IN (SELECT source_id FROM line_list)
		GROUP BY r.source_id, r.source_key`,
		[]any{&at.source, &at.id, &mode, &spacing, &busiest}, func() error {
			mode := r.modes.Of(at.source, at.id, mode)
			r.lines[at] = &line{mode: mode, rapid: rating.Rapid(r.c.Rapid, mode, spacing, busiest)}
			return nil
		})
	if err != nil {
		return fmt.Errorf("read lines: %w", err)
	}
	return nil
}

// readServices reads which lines stop where.
func (r *reader) readServices(ctx context.Context) error {
	var source, stop, route string
	err := sqlrow.Scan(ctx, r.db, "SELECT source_id, stop_key, route_key FROM stop_service", []any{&source, &stop, &route}, func() error {
		if l := r.lines[key{source, route}]; l != nil {
			l.own = true
			r.serve(key{source, stop}, l)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read lines at stops: %w", err)
	}
	return nil
}

// serve adds the classes of a line to a stop, or to its station.
func (r *reader) serve(at key, l *line) {
	s := r.stops[at]
	if s == nil {
		return
	}
	if station := (key{at.source, s.ParentKey}); r.stops[station] != nil {
		at = station
	}
	for _, class := range classesOf(l.mode, l.rapid) {
		if !slices.Contains(r.classes[at], class) {
			r.classes[at] = append(r.classes[at], class)
		}
	}
}

// readCourses lets lines of which no stops are listed serve the stops of their source beside their course: buses all of
// them, others where the source has lines of one kind alone (as package destination does).
func (r *reader) readCourses(ctx context.Context) error {
	kinds := map[string]map[string]bool{}
	for at, l := range r.lines {
		if kinds[at.source] == nil {
			kinds[at.source] = map[string]bool{}
		}
		kinds[at.source][rating.ModeGroup(l.mode)] = true
	}
	var courses near.Segments
	var owners []key
	var at key
	var geom []byte
	err := sqlrow.Scan(ctx, r.db, "SELECT source_id, route_key, geom FROM route_shape", []any{&at.source, &at.id, &geom}, func() error {
		if l := r.lines[at]; l == nil || l.own || rating.ModeGroup(l.mode) != "bus" && len(kinds[at.source]) > 1 {
			return nil
		}
		g, err := wkb.Unmarshal(geom)
		course, _ := g.(orb.LineString)
		courses.Add(course, len(owners))
		owners = append(owners, at)
		return err
	})
	if err != nil {
		return fmt.Errorf("read courses of lines: %w", err)
	}
	courses.Build()
	for at, s := range r.stops {
		courses.Within(orb.Point{s.Lng, s.Lat}, r.c.WithoutTimes.ShapeM, func(i int, _ float64) {
			if owners[i].source == at.source {
				r.serve(at, r.lines[owners[i]])
			}
		})
	}
	return nil
}

// pass passes the records on.
func (r *reader) pass(ctx context.Context, visit func(poi.Record) error) error {
	priority := map[string]int{}
	for s, err := range sqlrow.Select[staged.Source](ctx, r.db, "SELECT * FROM source") {
		if err != nil {
			return fmt.Errorf("read sources: %w", err)
		}
		priority[s.SourceID] = int(s.Priority)
	}
	var keys []key
	for at := range r.classes {
		keys = append(keys, at)
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.id, b.id)) })
	for _, at := range keys {
		s := r.stops[at]
		slices.Sort(r.classes[at])
		record := poi.Record{Source: at.source, Key: at.id, Priority: priority[at.source], Point: orb.Point{s.Lng, s.Lat}, Scheme: "quartier",
			Classes: r.classes[at], Stop: true, Details: staged.Details{Name: s.Name, NameFR: s.NameFR}}
		if err := visit(record); err != nil {
			return err
		}
	}
	return nil
}
