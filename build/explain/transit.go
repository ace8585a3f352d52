package explain

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
)

// service is a line in one direction at the stops around.
type service struct {
	route, name, mode string
	rapid             bool
	direction         int
	stops             []*place
	trips             []int // a week, of each stop's whole station
}

const anyTransit = "transit_friendly"

// transit explains departures (methods, 1.6).
func (o *origin) transit(x *Explanation, channel string, kind calibration.Kind) error {
	x.Formula = "5 ln(1 + raw)/ln(1 + perfect), raw = Σ over lines and directions of departures a week × worth of the mode × W of the way, at the stop where that is most"
	x.Constants = constants("perfect", number(kind.Perfect), "transit.kinds."+channel+".perfect")
	if x.Served == nil {
		x.Absent = "neither a timetable nor the places of such stops are known here, or " + o.noStops()
		return nil
	}
	reach := o.r.walk.Reach()
	if err := o.around(reach); err != nil {
		return err
	}
	lines, err := o.lines(channel)
	if err != nil {
		return err
	}
	guessed, err := o.guessed(x, channel)
	if err != nil {
		return err
	}
	raw := func(farther network.Distance) float64 {
		sum := 0.0
		for _, l := range lines {
			_, part := o.best(l, farther, network.Metres(reach))
			sum += part
		}
		for i, g := range guessed {
			sum += g.TripsWeek * o.r.c.Transit.Modes[g.Mode] * rating.Gravity(g.Lambda, o.worths(guessed[i].stops, farther, 1))
		}
		return sum
	}
	o.lineRows(x, lines)
	o.anew(x, func(farther network.Distance) float64 { return rating.LogShare(raw(farther), kind.Perfect) })
	x.Worked = fmt.Sprintf("raw = %.2f; 5 ln(1 + %.2f)/ln(1 + %s) = %.4f", raw(0), raw(0), number(kind.Perfect), rating.LogShare(raw(0), kind.Perfect))
	return nil
}

// lines are those that count for a channel and serve a stop around, by route and direction.
func (o *origin) lines(channel string) ([]*service, error) {
	type key struct {
		route     string
		direction int
	}
	byKey := map[key]*service{}
	var lines []*service
	for _, stop := range o.area.places["stop"] {
		query := "SELECT route_key, route_name, mode, rapid, direction, trips_week FROM transit_service WHERE destination = ? ORDER BY route_key, direction"
		err := released.Each(o.ctx, o.r.db, query, []any{stop.fid}, func(rows *sql.Rows) error {
			var s service
			var trips int
			if err := rows.Scan(&s.route, &s.name, &s.mode, &s.rapid, &s.direction, &trips); err != nil {
				return err
			}
			l := byKey[key{s.route, s.direction}]
			if l == nil {
				l = &s
				byKey[key{s.route, s.direction}] = l
				lines = append(lines, l)
			}
			l.stops, l.trips = append(l.stops, stop), append(l.trips, trips)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read services: %w", err)
		}
	}
	lines = slices.DeleteFunc(lines, func(s *service) bool { return !slices.Contains(rating.TransitChannels(s.mode, s.rapid), channel) })
	slices.SortFunc(lines, func(a, b *service) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.direction, b.direction))
	})
	for _, l := range lines {
		l.share()
	}
	return lines, nil
}

// share gives every platform the departures of its whole station.
func (s *service) share() {
	total := map[string]int{}
	for i, stop := range s.stops {
		total[stop.station] += s.trips[i]
	}
	for i, stop := range s.stops {
		s.trips[i] = total[stop.station]
	}
}

// best is the stop of a line that counts, and its part; -1 where none is within reach.
func (o *origin) best(s *service, farther, reach network.Distance) (stop int, part float64) {
	stop = -1
	for i, p := range s.stops {
		if p.way > reach {
			continue
		}
		offer := o.r.c.Transit.Modes[s.mode] * float64(s.trips[i]) * o.r.walk.Worth((p.way + farther).Metres())
		if offer > part || offer == part && stop >= 0 && offer > 0 && p.way < s.stops[stop].way {
			stop, part = i, offer
		}
	}
	return stop, part
}

// lineRows lists the lines that count, those that give most first.
func (o *origin) lineRows(x *Explanation, lines []*service) {
	modes := map[string]bool{}
	for _, l := range lines {
		at, part := o.best(l, 0, network.Metres(o.r.walk.Reach()))
		if at < 0 {
			continue
		}
		stop := l.stops[at]
		o.used[[2]string{o.street.Region, stop.source}] = true
		modes[l.mode] = true
		x.Lines = append(x.Lines, Line{Route: l.route, Name: l.name, Mode: l.mode, Rapid: l.rapid, Direction: l.direction, Stop: stop.name,
			M: stop.way.Metres(), Minutes: o.minutes(stop.way.Metres()), TripsWeek: l.trips[at], Factor: o.r.c.Transit.Modes[l.mode],
			Worth: round(o.r.walk.Worth(stop.way.Metres()), 4), Part: round(part, 2), SourceID: stop.source, StopKey: stop.key})
	}
	slices.SortStableFunc(x.Lines, func(a, b Line) int { return cmp.Compare(b.Part, a.Part) })
	for _, mode := range sorted(modes) {
		x.Constants = append(x.Constants, constants("a departure by "+words(mode), number(o.r.c.Transit.Modes[mode]), "transit.modes."+mode)...)
	}
}

// guess is what stops count for whose lines no timetable tells.
type guess struct {
	calibration.StopKind
	stops []*place
}

// guessed are the kinds of stop that count for a channel without a timetable, and says so.
func (o *origin) guessed(x *Explanation, channel string) ([]guess, error) {
	var all []guess
	for _, kind := range o.r.c.Transit.WithoutTimes {
		if channel != kind.Channel && channel != anyTransit {
			continue
		}
		timed, err := o.timed(kind.Channel)
		if err != nil {
			return nil, err
		}
		if timed {
			continue
		}
		stops, err := o.nearest([]string{kind.Class}, kind.Places, o.r.walk.Reach(), nil)
		if err != nil {
			return nil, err
		}
		all = append(all, guess{kind, stops})
		weight := kind.TripsWeek * o.r.c.Transit.Modes[kind.Mode]
		for k, p := range stops {
			x.Places = append(x.Places, o.row(p, k, 1, weight))
			weight *= kind.Lambda
		}
		if len(stops) > 0 {
			x.Constants = append(x.Constants, constants("assumed departures of a "+words(kind.Class), number(kind.TripsWeek)+" a week", "transit.without_times",
				"a departure by "+words(kind.Mode), number(o.r.c.Transit.Modes[kind.Mode]), "transit.modes."+kind.Mode,
				"each farther stop times", number(kind.Lambda), "transit.without_times")...)
			x.Remarks = append(x.Remarks, fmt.Sprintf("ASSUMED: no timetable tells what serves the %ss here; each counts for %s departures a week by %s, the nearest %d, each for %s of the one before",
				words(kind.Class), number(kind.TripsWeek), words(kind.Mode), kind.Places, number(kind.Lambda)))
		}
	}
	return all, nil
}

// timed tells whether some timetable of the region tells of lines of a channel.
func (o *origin) timed(channel string) (timed bool, err error) {
	if o.timetables == nil {
		o.timetables = map[string]bool{}
		err = released.Each(o.ctx, o.r.db, `SELECT DISTINCT s.mode, s.rapid FROM transit_service AS s JOIN destination AS d ON d.fid = s.destination
			WHERE d.region = ?`, []any{o.street.Region}, func(rows *sql.Rows) error {
			var mode string
			var rapid bool
			if err := rows.Scan(&mode, &rapid); err != nil {
				return err
			}
			for _, c := range rating.TransitChannels(mode, rapid) {
				o.timetables[c] = true
			}
			return nil
		})
	}
	return o.timetables[channel], err
}

func sorted(set map[string]bool) []string {
	var list []string
	for s := range set {
		list = append(list, s)
	}
	slices.SortFunc(list, strings.Compare)
	return list
}
