package explain

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/internal/wording"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// transit is a measure of departures (docs/methods.md, 1.6).
func (l *location) transit(channel string, served bool) *formula {
	f := &formula{absent: wording.Say("no_lines_data", l.noStops())}
	var lines []*rating.Line
	if served {
		l.load(l.r.walk.Reach())
		lines = l.lines(channel)
		f.remarks = l.assumptions(l.counted(lines, 0))
	}
	f.value = func(extra network.Distance, t *rating.Trace) float64 {
		var sum rating.Departures
		for _, line := range l.counted(lines, extra) {
			_, part := l.best(line, extra)
			sum.All += part
			if line.Certain() {
				sum.Certain += part
			}
		}
		return rating.Transit(&l.r.c.Transit, channel, sum, t)
	}
	f.finish = func(x *Explanation) { l.addLines(x, l.counted(lines, 0)) }
	return f
}

// lines are those that count for a channel and serve a stop around.
func (l *location) lines(channel string) []*rating.Line {
	var stops []rating.Stop
	for _, place := range l.area.places["stop"] {
		stop := rating.Stop{Station: place.station}
		table := "transit_service"
		if place.lent {
			table = "lent_service"
		}
		query := "SELECT route_key, route_name, mode, rapid, direction, coalesce(headsign, ''), trips_week, basis, coalesce(kind, '') " +
			"FROM " + table + " WHERE destination = ? ORDER BY route_key, direction"
		l.each("services", query, []any{place.fid}, func(rows *sql.Rows) error {
			var s rating.Service
			if err := rows.Scan(&s.Route, &s.RouteName, &s.Mode, &s.Rapid, &s.Direction, &s.Headsign, &s.TripsWeek, &s.Basis, &s.Kind); err != nil {
				return err
			}
			stop.Services = append(stop.Services, s)
			return nil
		})
		stops = append(stops, stop)
	}
	return slices.DeleteFunc(rating.Lines(stops), func(line *rating.Line) bool {
		return !slices.Contains(rating.TransitChannels(line.Mode, line.Rapid), channel) ||
			line.Basis == schemas.StopsBasis && !l.knowsStops(line.Mode)
	})
}

// knowsStops reports whether the stops that show unknown lines of a mode are known in the region.
func (l *location) knowsStops(mode string) bool {
	return slices.ContainsFunc(l.r.c.Transit.WithoutTimes.Unknown, func(kind calibration.StopKind) bool {
		return kind.Mode == mode && l.coverage[kind.Class].Verdict.Somewhere()
	})
}

// counted are the lines without those of unknown lines that are not among the nearest of their kind.
func (l *location) counted(lines []*rating.Line, extra network.Distance) []*rating.Line {
	parts := map[*rating.Line]float64{}
	unknown := map[string][]*rating.Line{} // by mode
	for _, line := range lines {
		if line.Basis == schemas.StopsBasis {
			_, parts[line] = l.best(line, extra)
			unknown[line.Mode] = append(unknown[line.Mode], line)
		}
	}
	dropped := map[*rating.Line]bool{}
	for _, kind := range l.r.c.Transit.WithoutTimes.Unknown {
		list := unknown[kind.Mode]
		slices.SortStableFunc(list, func(a, b *rating.Line) int { return cmp.Compare(parts[b], parts[a]) })
		for _, line := range list[min(kind.Lines, len(list)):] {
			dropped[line] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(lines), func(line *rating.Line) bool { return dropped[line] })
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
	modes, assumed, listed := map[string]bool{}, map[[2]string]bool{}, false
	for _, line := range lines {
		i, part := l.best(line, 0)
		if i < 0 {
			continue
		}
		stop := l.area.places["stop"][line.Stops[i]]
		l.use(stop.source)
		modes[line.Mode] = true
		if line.Basis != schemas.TimetableBasis {
			assumed[[2]string{line.Mode, assumedKind(line)}] = true
		}
		listed = listed || line.Basis == schemas.LineBasis
		x.Lines = append(x.Lines, Line{Route: line.Route, Name: line.RouteName, Mode: line.Mode, Rapid: line.Rapid, Direction: line.Direction,
			Headsign: line.Signs[i], Basis: line.Basis, Kind: line.Kind, Stop: stop.name,
			At: placeOf(stop.at), M: stop.way.Metres(), Minutes: l.minutes(stop.way), TripsWeek: int(line.Trips[i]),
			ModeWeight: l.r.c.Transit.Modes[line.Mode],
			Decay:      round(l.r.walk.At(stop.way.Metres()), 4), Part: round(part, 2), SourceID: stop.source, StopKey: stop.key})
	}
	slices.SortStableFunc(x.Lines, func(a, b Line) int { return cmp.Compare(b.Part, a.Part) })
	for _, mode := range slices.Sorted(maps.Keys(modes)) {
		x.Constants = append(x.Constants, l.modeWeight(mode))
	}
	for _, of := range slices.SortedFunc(maps.Keys(assumed), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		mode, kind, path := of[0], of[1], "transit.without_times.trips_week"
		name := words(mode)
		if kind != "" {
			name, path = words(kind)+" "+name, "transit.without_times.kinds"
		}
		x.Constants = append(x.Constants, newConstant("assumed departures of a line by "+name,
			number(float64(rating.Assumed(&l.r.c.Transit.WithoutTimes, mode, kind)))+" a week, both directions", path))
	}
	if listed {
		x.Constants = append(x.Constants, newConstant("a stop beside the course of a line, within",
			number(l.r.c.Transit.WithoutTimes.ShapeM)+" m", "transit.without_times.shape_m"))
	}
	l.eachUnknown(lines, func(kind calibration.StopKind, _ int) {
		const path = "transit.without_times.unknown"
		x.Constants = append(x.Constants, newConstant(words(kind.Class)+"s of one unknown line (apart_m), within",
			number(kind.ApartM)+" m of another", path),
			newConstant("unknown lines by "+words(kind.Mode)+" that count (lines)", fmt.Sprintf("the nearest %d", kind.Lines), path))
	})
}

// assumedKind is the kind by which the departures of a line are not those of its mode; "" if they are.
func assumedKind(line *rating.Line) string {
	if !rating.IsBus(line.Mode) || line.Kind == schemas.AllDay {
		return ""
	}
	return line.Kind
}

// eachUnknown visits the kinds of stops that show unknown lines within reach, with their number.
func (l *location) eachUnknown(lines []*rating.Line, visit func(kind calibration.StopKind, lines int)) {
	count := map[string]int{} // by mode
	for _, line := range lines {
		if i, _ := l.best(line, 0); i >= 0 && line.Basis == schemas.StopsBasis {
			count[line.Mode]++
		}
	}
	for _, kind := range l.r.c.Transit.WithoutTimes.Unknown {
		if n := count[kind.Mode]; n > 0 {
			visit(kind, n)
		}
	}
}

func (l *location) modeWeight(mode string) Constant {
	return newConstant("a departure by "+words(mode), number(l.r.c.Transit.Modes[mode]), "transit.modes."+mode)
}

// assumptions are the remarks on lines that count and whose departures are assumed.
func (l *location) assumptions(lines []*rating.Line) (remarks []*wording.Line) {
	n, unknown := 0, 0
	for _, line := range lines {
		if i, _ := l.best(line, 0); i >= 0 {
			if line.Basis == schemas.LineBasis {
				n++
			}
			if !line.Certain() {
				unknown++
			}
		}
	}
	if n > 0 {
		remarks = append(remarks, wording.Say("assumed_no_timetable", n))
	}
	if unknown > 0 {
		remarks = append(remarks, wording.Say("assumed_capped", unknown, l.r.c.Transit.WithoutTimes.CapScore))
	}
	l.eachUnknown(lines, func(kind calibration.StopKind, n int) {
		stops := kind.Class + "s"
		if kind.ByStreet {
			stops += "_of_a_street"
		}
		remarks = append(remarks, wording.Say("assumed_unknown_lines",
			wording.Class(kind.Mode), n, wording.Class(stops), kind.ApartM, kind.Lines))
	})
	return remarks
}
