package destination

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/rating"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
	"quartier/transform/places/near"
	"quartier/transform/places/normalize"
)

// line is a line of public transport of which no timetable is known.
type line struct {
	service Service  // its departures are assumed
	sources []string // by priority: extracts of one map may each have a part of it
	listed  listed
	own     bool  // a source says where it stops
	ref     bool  // stops of a map list it, and no source has it otherwise
	halts   []int // indexes of the halts that it serves

	directions, stops int // that sources say it has; 0: not known
}

// halt is where lines without a timetable stop: a staged stop, or a POI of a class of stops.
type halt struct {
	destination Destination
	classes     []string // of a POI
	lines       []int    // indexes, in order
}

// untimed collects the lines without a timetable and where they stop.
type untimed struct {
	f      *deriver
	timed  *timed
	lines  []line
	byLine map[string]int // lines
	halts  []halt
	near   near.Points    // the halts
	byKey  map[string]int // halts
	shapes near.Segments  // of lines
	refs   [][2]int       // lines and the halts that list them
}

// untimedStops are the stops of lines without a timetable, and of lines that only their poles show.
func (f *deriver) untimedStops(ctx context.Context, timed *timed) ([]candidate, error) {
	u := &untimed{f: f, timed: timed, byLine: map[string]int{}, byKey: map[string]int{}}
	for _, read := range []func(context.Context) error{u.readPOIs, u.readLines, u.readStops, u.readShapes} {
		if err := read(ctx); err != nil {
			return nil, err
		}
	}
	u.serveShapes()
	u.serveRefs()
	u.assumeTrips()
	u.dropTimed()
	for _, kind := range f.c.Transit.WithoutTimes.Unknown {
		u.addUnknown(kind)
	}
	var candidates []candidate
	for _, h := range u.halts {
		if len(h.lines) == 0 {
			continue
		}
		for _, l := range h.lines {
			h.destination.Services = append(h.destination.Services, u.lines[l].service)
		}
		candidates = append(candidates, candidate{h.destination, []string{"stop"}})
	}
	return candidates, nil
}

// readPOIs makes a halt of every POI of a class of stops; those of lists of lines are read with their lines.
func (u *untimed) readPOIs(context.Context) error {
	for _, d := range u.f.set.List {
		_, listed := u.f.set.Lists[d.Source]
		if listed || !slices.Contains([]string{"bus_stop", "rapid_station", "train_station"}, d.Class) {
			continue
		}
		i, known := u.byKey[d.Key]
		if !known {
			i = u.addHalt(d)
		}
		u.halts[i].classes = append(u.halts[i].classes, d.Class)
	}
	return nil
}

func (u *untimed) addHalt(d Destination) int {
	u.byKey[d.Key] = len(u.halts)
	u.halts = append(u.halts, halt{destination: d})
	return len(u.halts) - 1
}

// readLines reads the lines that have stops or a course and no departures. One of several sources, as of overlapping
// extracts of a map, is one line with the name and mode of the first.
func (u *untimed) readLines(ctx context.Context) error {
	var source, key, name, ends, mode, kind string
	var directions, stops int
	var spacing float64
	var in listed
	err := sqlrow.Scan(ctx, u.f.staged, `
		SELECT r.source_id, r.source_key, r.name, coalesce(r.ends, ''), r.mode, coalesce(r.spacing_m, 0), NOT coalesce(l.partial, true), coalesce(l.partial, false),
			coalesce(r.kind, ''), coalesce(r.stops, 0), coalesce(r.directions,
				(SELECT count(DISTINCT c.direction) FROM route_shape AS c WHERE c.source_id = r.source_id AND c.route_key = r.source_key))
		FROM route AS r LEFT JOIN source AS s ON s.source_id = r.source_id LEFT JOIN line_list AS l ON l.source_id = r.source_id
		WHERE r.source_id NOT IN (SELECT source_id FROM stop_service WHERE trips_week IS NOT NULL)
		ORDER BY r.source_key, s.priority, r.source_id`,
		[]any{&source, &key, &name, &ends, &mode, &spacing, &in.complete, &in.partial, &kind, &stops, &directions}, func() error {
			if i, known := u.byLine[key]; known {
				l := &u.lines[i]
				l.sources = append(l.sources, source)
				l.service.Headsign = cmp.Or(l.service.Headsign, ends)
				l.service.Kind, l.stops, l.directions = cmp.Or(l.service.Kind, kind), max(l.stops, stops), max(l.directions, directions)
				l.listed.complete, l.listed.partial = l.listed.complete || in.complete, l.listed.partial || in.partial
				return nil
			}
			s := Service{Route: key, RouteName: name, Headsign: ends, Mode: u.f.modes.Of(source, key, mode), Basis: schemas.LineBasis, Kind: kind}
			s.Rapid = rating.Rapid(u.f.c.Transit.Rapid, s.Mode, spacing, 0)
			u.byLine[key] = u.addLine(line{service: s, sources: []string{source}, listed: in, ref: strings.HasPrefix(key, staged.RouteRefKey),
				directions: directions, stops: stops})
			return nil
		})
	if err != nil {
		return fmt.Errorf("read lines without a timetable: %w", err)
	}
	return nil
}

func (u *untimed) addLine(l line) int {
	u.lines = append(u.lines, l)
	return len(u.lines) - 1
}

// readStops reads the stops of sources without a timetable, and which of their lines stop there.
func (u *untimed) readStops(ctx context.Context) error {
	var d Destination
	var route string
	err := sqlrow.Scan(ctx, u.f.staged, `
		SELECT s.source_id, s.source_key, s.name, coalesce(s.parent_key, s.source_key), s.lng, s.lat, coalesce(v.route_key, '')
		FROM stop AS s LEFT JOIN stop_service AS v ON v.source_id = s.source_id AND v.stop_key = s.source_key
		WHERE s.source_id NOT IN (SELECT source_id FROM stop_service WHERE trips_week IS NOT NULL)
		ORDER BY s.source_key, s.source_id, v.route_key`,
		[]any{&d.Source, &d.Key, &d.Name, &d.Station, &d.Point[0], &d.Point[1], &route}, func() error {
			i, known := u.byKey[d.Key]
			if !known {
				i = u.addHalt(d)
			}
			if l, known := u.byLine[route]; known && u.lines[l].ref {
				u.refs = append(u.refs, [2]int{l, i})
			} else if known {
				u.serve(l, i)
				u.lines[l].own = true
			}
			return nil
		})
	if err != nil {
		return fmt.Errorf("read stops of lines without a timetable: %w", err)
	}
	for i := range u.halts {
		u.near.List = append(u.near.List, u.halts[i].destination.Point)
	}
	u.near.Build()
	return nil
}

// serve records that a line stops at a halt.
func (u *untimed) serve(l, h int) {
	if !slices.Contains(u.halts[h].lines, l) {
		u.halts[h].lines, u.lines[l].halts = append(u.halts[h].lines, l), append(u.lines[l].halts, h)
	}
}

// readShapes reads the courses of lines of which no source says where they stop.
func (u *untimed) readShapes(ctx context.Context) error {
	var source, route string
	var geom []byte
	err := sqlrow.Scan(ctx, u.f.staged, "SELECT source_id, route_key, geom FROM route_shape ORDER BY source_id, route_key, part",
		[]any{&source, &route, &geom}, func() error {
			l, known := u.byLine[route]
			if !known || u.lines[l].own {
				return nil
			}
			g, err := wkb.Unmarshal(geom)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", route, source, err)
			}
			course, _ := g.(orb.LineString)
			u.shapes.Add(course, l)
			return nil
		})
	if err != nil {
		return fmt.Errorf("read courses of lines: %w", err)
	}
	u.shapes.Build()
	return nil
}

// serveShapes lets every line without stops of its own serve the halts beside its course: those of its kind and, for
// buses or where a source has lines of one kind alone, the stops of its own sources.
func (u *untimed) serveShapes() {
	kinds := map[string]map[string]bool{} // of the lines of a source
	for _, l := range u.lines {
		for _, source := range l.sources {
			if kinds[source] == nil {
				kinds[source] = map[string]bool{}
			}
			kinds[source][rating.ModeGroup(l.service.Mode)] = true
		}
	}
	for h := range u.halts {
		at := &u.halts[h]
		var beside []int
		u.shapes.Within(at.destination.Point, u.f.c.Transit.WithoutTimes.ShapeM, func(i int, _ float64) {
			l := &u.lines[i]
			kind := rating.ModeGroup(l.service.Mode)
			source := at.destination.Source
			own := slices.Contains(l.sources, source) && len(at.classes) == 0 && (kind == "bus" || len(kinds[source]) == 1)
			if own || slices.Contains(at.classes, classOf[kind]) {
				beside = append(beside, i)
			}
		})
		slices.Sort(beside)
		for _, l := range slices.Compact(beside) {
			u.serve(l, h)
		}
	}
}

// classOf is the class of places at which lines of a kind stop.
var classOf = map[string]string{"bus": "bus_stop", "urban rail": "rapid_station", "rail": "train_station"}

// assumeTrips assumes the departures of the lines by mode and kind, which their directions and stops show where no source says it.
func (u *untimed) assumeTrips() {
	c := &u.f.c.Transit.WithoutTimes
	for i := range u.lines {
		l := &u.lines[i]
		if l.service.Kind == "" && rating.IsBus(l.service.Mode) {
			l.service.Kind = rating.LineKind(c, l.directions, cmp.Or(l.stops, len(l.halts)))
		}
		l.service.TripsWeek = rating.Assumed(c, l.service.Mode, l.service.Kind)
	}
}

// dropTimed leaves out the lines that a timetable has, and counts those of which no stop is known.
func (u *untimed) dropTimed() {
	for i := range u.lines {
		l := &u.lines[i]
		switch {
		case len(l.halts) == 0 && l.ref:
		case len(l.halts) == 0:
			u.f.issues.Add(lineWithoutStops, l.service.Route)
		case u.inTimetable(l):
			u.f.issues.Add(lineInTimetable, l.service.Route)
			for _, h := range l.halts {
				at := slices.Index(u.halts[h].lines, i)
				u.halts[h].lines = slices.Delete(u.halts[h].lines, at, at+1)
			}
			l.halts = nil
		default:
			u.f.set.knows(l.service, l.listed)
		}
	}
}

// inTimetable reports whether a timetable has a line, or would if the line ran: one of its kind and name stops near one of
// its stops, or at most of its stops there are lines of its kind of a timetable with all lines.
func (u *untimed) inTimetable(l *line) bool {
	known, same := 0, false
	for _, h := range l.halts {
		here := false
		u.eachTimed(h, u.f.c.Transit.WithoutTimes.SameLineM, func(s Service, complete bool) {
			if rating.ModeGroup(s.Mode) == rating.ModeGroup(l.service.Mode) {
				same = same || normalize.Name(s.RouteName) == normalize.Name(l.service.RouteName)
				here = here || complete
			}
		})
		if here {
			known++
		}
	}
	return same || 2*known > len(l.halts)
}

// eachTimed visits the lines of timetables at the stops near a halt.
func (u *untimed) eachTimed(h int, metres float64, visit func(s Service, complete bool)) {
	u.timed.near.Within(u.halts[h].destination.Point, metres, func(i int) bool {
		for _, s := range u.timed.candidates[i].destination.Services {
			visit(s, u.timed.complete[i])
		}
		return true
	})
}
