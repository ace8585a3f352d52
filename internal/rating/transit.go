package rating

import (
	"cmp"
	"slices"

	"quartier/schemas"
	"quartier/schemas/calibration"
)

// IsBus reports whether a mode of schemas.TransitModes runs buses.
func IsBus(mode string) bool { return mode == "bus" || mode == "trolleybus" }

// IsTrain distinguishes railways from transit within a city.
func IsTrain(mode string) bool { return mode == "rail" }

// ModeGroup groups modes that sources confuse: what one publisher calls a tram is light rail to another.
func ModeGroup(mode string) string {
	switch mode {
	case "bus", "trolleybus":
		return "bus"
	case "tram", "light_rail", "subway", "monorail":
		return "urban rail"
	}
	return mode
}

// Rapid reports whether a line is rapid transit. spacing is the median of the metres between its stops, 0 if it is not known;
// busiest is the departures a week in one direction at its busiest stop.
func Rapid(c calibration.Rapid, mode string, spacing float64, busiest int) bool {
	return slices.Contains(c.Modes, mode) ||
		slices.Contains(c.SpacedModes, mode) && spacing >= c.SpacingM ||
		slices.Contains(c.FrequentModes, mode) && spacing >= c.FrequentSpacing && busiest >= c.TripsWeek
}

// AllTransit is the channel that all lines count for.
const AllTransit = "transit_friendly"

// TransitChannels are the channels that the departures of a line count for (docs/methods.md, 1.6).
func TransitChannels(mode string, rapid bool) []string {
	channels := []string{AllTransit}
	if IsBus(mode) {
		channels = append(channels, "bus_service_access")
	}
	if IsTrain(mode) {
		channels = append(channels, "train_service_access")
	}
	if rapid {
		channels = append(channels, "rapid_transit_service_access")
	}
	return channels
}

// Service is a line in one direction at a stop.
type Service struct {
	Route, RouteName, Mode string
	Rapid                  bool
	Direction, TripsWeek   int
	Headsign               string // where it goes; without a timetable the ends of the line; "": not known
	Basis                  string // schemas.ServiceBases
	Kind                   string // schemas.LineKinds; "": a timetable has the line, or its kind is not known
}

// Certain reports whether the departures of a line are those of a timetable, of its kind or, but for buses, of its mode.
func (s *Service) Certain() bool {
	return s.Basis == schemas.TimetableBasis || s.Kind != "" || !IsBus(s.Mode)
}

// Assumed is the departures a week of a line without a timetable, both directions together.
func Assumed(c *calibration.WithoutTimes, mode, kind string) int {
	if trips, known := c.Kinds[kind]; known && IsBus(mode) {
		return trips
	}
	return c.TripsWeek[mode]
}

// LineKind is the kind of a line whose source does not say it, by its number of directions, 0 if that is not known, and of stops;
// "" if these do not show it.
//
// Example: a line of 20 stops runs as often as one for pupils, and so does one that is seen in one direction only. One of 60 stops in
// both directions runs all day.
func LineKind(c *calibration.WithoutTimes, directions, stops int) string {
	switch {
	case directions == 0:
		return ""
	case stops < c.FewStops || directions == 1:
		return "school"
	}
	return schemas.AllDay
}

// Stop is a stop with its station, which its platforms share, and its services.
type Stop struct {
	Station  string
	Services []Service
}

// Line is a line in one direction at all of its stops.
type Line struct {
	Service          // TripsWeek and Headsign are not set
	Stops   []int    // indexes of the stops
	Trips   []uint32 // departures a week at each: those of its whole station
	Signs   []string // Headsign at each
}

// Lines groups the services of stops by line and direction, in the order of route and direction.
func Lines(stops []Stop) []*Line {
	type key struct {
		route     string
		direction int
	}
	byKey := map[key]*Line{}
	var lines []*Line
	for i, stop := range stops {
		for _, s := range stop.Services {
			k := key{s.Route, s.Direction}
			l := byKey[k]
			if l == nil {
				l = &Line{Service: s}
				byKey[k] = l
				lines = append(lines, l)
			}
			l.Stops, l.Trips, l.Signs = append(l.Stops, i), append(l.Trips, uint32(s.TripsWeek)), append(l.Signs, s.Headsign)
		}
	}
	slices.SortFunc(lines, func(a, b *Line) int {
		return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.Direction, b.Direction))
	})
	for _, l := range lines {
		l.shareStations(stops)
	}
	return lines
}

// shareStations gives every platform the departures of its whole station. Assumed departures are of the whole line.
func (l *Line) shareStations(stops []Stop) {
	if l.Basis != schemas.TimetableBasis {
		return
	}
	total := map[string]uint32{}
	for i, stop := range l.Stops {
		total[stops[stop].Station] += l.Trips[i]
	}
	for i, stop := range l.Stops {
		l.Trips[i] = total[stops[stop].Station]
	}
}

// Weighted is the departures a week at the i-th stop of the line, times W of the distance there.
func (l *Line) Weighted(i int, decay float64) float64 { return float64(l.Trips[i]) * decay }

// Departures are weighted departures a week within reach.
type Departures struct {
	Certain float64 // of lines whose departures are known by a timetable, their kind or their mode
	All     float64 // of all lines
}

// Transit is a measure of transit (docs/methods.md, 1.6). Lines of an unknown kind raise it to calibration.WithoutTimes.CapScore
// at most.
func Transit(c *calibration.Transit, channel string, d Departures, t *Trace) float64 {
	perfect, limit := c.Kinds[channel].Perfect, c.WithoutTimes.CapScore
	all, certain := LogShare(d.All, perfect), LogShare(d.Certain, perfect)
	score := max(certain, min(all, limit))
	if t != nil {
		t.step("raw", say("departures_sum"), d.All)
		symbol := ""
		if score < all {
			symbol = "of all lines"
		}
		t.step(symbol, formula(logShare), all, value("raw", d.All), constant("perfect", perfect, "", "transit.kinds."+channel+".perfect"))
		if score < all {
			t.step("", say("capped_score"), score,
				constant("cap", limit, "", "transit.without_times.cap_score"), value("certain", certain))
		}
	}
	return score
}
