package explain

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
)

// transit is a measure of departures (docs/methods.md, 1.6).
func (l *location) transit(channel string, kind calibration.Kind, served bool) *formula {
	f := &formula{absent: "there are no data on such lines or stops, or " + l.noStops()}
	var lines []*rating.Line
	var weights [][]float64
	if served {
		l.load(l.r.walk.Reach())
		lines, weights = l.lines(channel), l.unscheduled(f, channel)
	}
	f.value = func(extra network.Distance, t *rating.Trace) float64 {
		raw := 0.0
		for _, line := range lines {
			_, part := l.best(line, extra)
			raw += part
		}
		for i, w := range weights {
			raw += l.r.walk.Sum(w, metres(f.lists[i].places, extra), 1, t)
		}
		return rating.Transit(channel, kind, raw, t)
	}
	f.finish = func(x *Explanation) { l.addLines(x, lines) }
	return f
}

// lines are those that count for a channel and serve a stop around.
func (l *location) lines(channel string) []*rating.Line {
	var stops []rating.Stop
	for _, place := range l.area.places["stop"] {
		stop := rating.Stop{Station: place.station}
		query := "SELECT route_key, route_name, mode, rapid, direction, trips_week FROM transit_service WHERE destination = ? ORDER BY route_key, direction"
		l.each("services", query, []any{place.fid}, func(rows *sql.Rows) error {
			var s rating.Service
			if err := rows.Scan(&s.Route, &s.RouteName, &s.Mode, &s.Rapid, &s.Direction, &s.TripsWeek); err != nil {
				return err
			}
			stop.Services = append(stop.Services, s)
			return nil
		})
		stops = append(stops, stop)
	}
	return slices.DeleteFunc(rating.Lines(stops), func(line *rating.Line) bool {
		return !slices.Contains(rating.TransitChannels(line.Mode, line.Rapid), channel)
	})
}

// best is the stop at which a line counts, by its index in the line, and its weighted departures; -1 if none is within
// reach.
func (l *location) best(line *rating.Line, extra network.Distance) (best int, departures float64) {
	best = -1
	stops := l.area.places["stop"]
	for i, stop := range line.Stops {
		way := stops[stop].way
		if way > network.Metres(l.r.walk.Reach()) {
			continue
		}
		d := l.r.c.Transit.Modes[line.Mode] * line.Weighted(i, l.r.walk.At((way+extra).Metres()))
		if d > departures || d == departures && best >= 0 && d > 0 && way < stops[line.Stops[best]].way {
			best, departures = i, d
		}
	}
	return best, departures
}

// addLines lists the lines that count, those with the most departures first.
func (l *location) addLines(x *Explanation, lines []*rating.Line) {
	modes := map[string]bool{}
	for _, line := range lines {
		i, part := l.best(line, 0)
		if i < 0 {
			continue
		}
		stop := l.area.places["stop"][line.Stops[i]]
		l.used[[2]string{l.street.Region, stop.source}] = true
		modes[line.Mode] = true
		x.Lines = append(x.Lines, Line{Route: line.Route, Name: line.RouteName, Mode: line.Mode, Rapid: line.Rapid, Direction: line.Direction, Stop: stop.name,
			M: stop.way.Metres(), Minutes: l.minutes(stop.way), TripsWeek: int(line.Trips[i]), ModeWeight: l.r.c.Transit.Modes[line.Mode],
			Decay: round(l.r.walk.At(stop.way.Metres()), 4), Part: round(part, 2), SourceID: stop.source, StopKey: stop.key})
	}
	slices.SortStableFunc(x.Lines, func(a, b Line) int { return cmp.Compare(b.Part, a.Part) })
	for _, mode := range slices.Sorted(maps.Keys(modes)) {
		x.Constants = append(x.Constants, l.modeWeight(mode))
	}
	for _, kind := range l.r.c.Transit.WithoutTimes {
		if slices.ContainsFunc(x.Places, func(p Place) bool { return p.Class == kind.Class }) {
			x.Constants = append(x.Constants, newConstant("assumed departures of a "+words(kind.Class), number(kind.TripsWeek)+" a week", "transit.without_times"),
				l.modeWeight(kind.Mode), newConstant("each farther stop times", number(kind.Lambda), "transit.without_times"))
		}
	}
}

func (l *location) modeWeight(mode string) Constant {
	return newConstant("a departure by "+words(mode), number(l.r.c.Transit.Modes[mode]), "transit.modes."+mode)
}

// unscheduled adds the stops that count for a channel although no timetable covers their kind, and returns their
// weights, by list.
func (l *location) unscheduled(f *formula, channel string) (weights [][]float64) {
	for _, kind := range l.r.c.Transit.WithoutTimes {
		if channel != kind.Channel && channel != rating.AllTransit || l.hasTimetable(kind.Channel) || !l.coverage.has(kind.Class) {
			continue
		}
		stops := l.nearest([]string{kind.Class}, kind.Places, l.r.walk.Reach(), nil)
		f.lists, weights = append(f.lists, list{places: stops}), append(weights, rating.Unscheduled(kind, l.r.c.Transit.Modes))
		if len(stops) > 0 {
			f.remarks = append(f.remarks, fmt.Sprintf("ASSUMED: no timetable covers the %ss here; each counts for %s departures a week by %s, the nearest %d, each for %s of the one before",
				words(kind.Class), number(kind.TripsWeek), words(kind.Mode), kind.Places, number(kind.Lambda)))
		}
	}
	return weights
}

// hasTimetable reports whether some timetable of the region has lines of a channel.
func (l *location) hasTimetable(channel string) bool {
	if l.scheduled == nil {
		l.scheduled = map[string]bool{}
		l.each("services", `SELECT DISTINCT s.mode, s.rapid FROM transit_service AS s JOIN destination AS d ON d.fid = s.destination
			WHERE d.region = ?`, []any{l.street.Region}, func(rows *sql.Rows) error {
			var mode string
			var rapid bool
			if err := rows.Scan(&mode, &rapid); err != nil {
				return err
			}
			for _, c := range rating.TransitChannels(mode, rapid) {
				l.scheduled[c] = true
			}
			return nil
		})
	}
	return l.scheduled[channel]
}
