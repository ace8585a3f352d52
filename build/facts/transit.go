package facts

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/pointindex"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/profile"
)

// modeOf are the modes of facts by those of lines; others are not mentioned.
var modeOf = map[string]string{
	"bus": "bus", "trolleybus": "bus", "tram": "tram", "light_rail": "rapid_transit", "subway": "subway", "rail": "train",
	"monorail": "rapid_transit", "ferry": "ferry", "cable_car": "cable_car", "gondola": "gondola", "funicular": "funicular",
}

// modes are the modes of facts, in their order, with what must be known for the number of their lines.
var modes = []struct{ id, measure, class string }{
	{"subway", "nearest_rapid_transit_station_proximity", "rapid_station"},
	{"rapid_transit", "nearest_rapid_transit_station_proximity", "rapid_station"},
	{"train", "nearest_train_station_proximity", "train_station"},
	{"tram", "nearest_bus_stop_proximity", "bus_stop"},
	{"ferry", "nearest_bus_stop_proximity", "bus_stop"},
	{"cable_car", "nearest_bus_stop_proximity", "bus_stop"},
	{"gondola", "nearest_bus_stop_proximity", "bus_stop"},
	{"funicular", "nearest_bus_stop_proximity", "bus_stop"},
	{"bus", "nearest_bus_stop_proximity", "bus_stop"},
}

// line is a line of public transport.
type line struct{ name, mode, key string }

// stop is a stop with its services.
type stop struct {
	at       orb.Point
	services []service
}

// service is the departures of a line at a stop in a direction.
type service struct {
	line      uint32
	direction uint8
	trips     int32 // in a week; 0: not known
}

// stopIndex finds the stops in a box.
type stopIndex struct {
	lines []line
	index *pointindex.Index
	stops []stop
}

// stopStripM is the height of a strip of the index in metres.
const stopStripM = 1000

// readStops reads the stops of known lines of all regions.
func readStops(ctx context.Context, a *assembly.Assembly) (*stopIndex, error) {
	x := &stopIndex{}
	var stops []stop
	err := a.EachRegion(func(_ string, db *duck.DB) error {
		at := map[int32]int{}
		first := len(stops)
		for d, err := range sqlrow.Select[derived.Destination](ctx, db, "SELECT * FROM destination WHERE class = 'stop' ORDER BY destination") {
			if err != nil {
				return fmt.Errorf("read stops: %w", err)
			}
			at[d.Destination] = len(stops)
			stops = append(stops, stop{at: orb.Point{d.Lng, d.Lat}})
		}
		numbers := map[line]uint32{}
		firstLine := len(x.lines)
		const query = "SELECT * FROM transit_service ORDER BY destination, route_key, direction"
		for s, err := range sqlrow.Select[derived.TransitService](ctx, db, query) {
			if err != nil {
				return fmt.Errorf("read services: %w", err)
			}
			l := line{s.RouteName, modeOfService(s), s.RouteKey}
			i, ok := at[s.Destination]
			if !ok || l.mode == "" || s.Basis == schemas.StopsBasis {
				continue
			}
			n, ok := numbers[l]
			if !ok {
				n = uint32(len(x.lines))
				numbers[l], x.lines = n, append(x.lines, l)
			}
			v := service{line: n, direction: uint8(s.Direction)}
			if s.Basis == schemas.TimetableBasis {
				v.trips = s.TripsWeek
			}
			stops[i].services = append(stops[i].services, v)
		}
		trimSuffix(x.lines[firstLine:])
		stops = append(stops[:first], slices.DeleteFunc(stops[first:], func(s stop) bool { return s.services == nil })...)
		return nil
	})
	points := make([]coord.Point, len(stops))
	for i := range stops {
		points[i], _ = coord.NewPoint(stops[i].at[0], stops[i].at[1])
	}
	index, order := pointindex.New(points, stopStripM)
	x.index, x.stops = index, make([]stop, len(stops))
	for i, from := range order {
		x.stops[i] = stops[from]
	}
	return x, err
}

// modeOfService is the mode of facts of a service; "" if it is not mentioned.
func modeOfService(s *derived.TransitService) string {
	if s.Mode == "tram" && s.Rapid {
		return "rapid_transit"
	}
	return modeOf[s.Mode]
}

// period is a suffix of the numbers of all lines of a timetable period: "6-349".
var period = regexp.MustCompile(`^(\d+[A-Z]?)(-\d{3,})$`)

// trimSuffix removes from the names of the lines of a region a suffix that nearly all of them have.
func trimSuffix(lines []line) {
	count := map[string]int{}
	for i := range lines {
		if m := period.FindStringSubmatch(lines[i].name); m != nil {
			count[m[2]]++
		}
	}
	for i := range lines {
		if m := period.FindStringSubmatch(lines[i].name); m != nil && 10*count[m[2]] >= 9*len(lines) {
			lines[i].name = m[1]
		}
	}
}

// served is a line that stops in a geography.
type served struct {
	line  *line
	trips [2]int32 // in a week by direction, at the stop with the most
	stops int
}

// lines gives the lines that stop in the geography: by mode their number, where all are known, and those with the most
// trips or, without a timetable, the most stops.
func (c *collector) lines() {
	x := c.world.stops
	clear(c.served)
	x.index.SearchBox(c.outline.Bound(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if c.outline.Contains(x.stops[i].at) {
				c.serve(x.stops[i].services)
			}
		}
	})
	byMode := map[string][]*served{}
	for _, s := range c.served {
		byMode[s.line.mode] = append(byMode[s.line.mode], s)
	}
	for _, mode := range modes {
		list := byMode[mode.id]
		slices.SortFunc(list, func(a, b *served) int {
			return cmp.Or(cmp.Compare(b.weekly(), a.weekly()), cmp.Compare(b.stops, a.stops), cmp.Compare(len(a.line.name), len(b.line.name)),
				cmp.Compare(a.line.name, b.line.name), cmp.Compare(a.line.key, b.line.key))
		})
		c.addLines(mode.id, list, c.weight > 0 &&
			float64(c.knownWeight(mode.measure, c.world.listed[mode.class], 0)) >= constants().KnownShare*float64(c.weight))
	}
}

// serve adds the services of a stop. Lines of a mode with the same name are one.
func (c *collector) serve(services []service) {
	for _, v := range services {
		l := &c.world.stops.lines[v.line]
		s := c.served[lineID{l.mode, l.name}]
		if s == nil {
			s = &served{line: l}
			c.served[lineID{l.mode, l.name}] = s
		}
		s.stops++
		s.trips[v.direction&1] = max(s.trips[v.direction&1], v.trips)
	}
}

type lineID struct{ mode, name string }

func (s *served) weekly() int32 { return s.trips[0] + s.trips[1] }

// addLines adds the facts of the lines of a mode.
func (c *collector) addLines(mode string, list []*served, known bool) {
	if len(list) == 0 {
		return
	}
	if known {
		trips, timed := int32(0), true
		for _, s := range list {
			trips += s.weekly()
			timed = timed && s.weekly() > 0
		}
		f := profile.Fact{Section: profile.Transport, Code: profile.LinesFact, Subject: mode, Value: float64(len(list)),
			Source: "transit_service:" + mode + " geography:" + c.place.ID}
		if timed {
			f.Further = float64(trips)
		}
		c.add(f)
	}
	for _, s := range list[:min(len(list), constants().MostLines)] {
		c.add(profile.Fact{
			Section: profile.Transport, Code: profile.LineFact, Subject: mode, Name: s.line.name, Value: float64(s.weekly()),
			Source: "transit_service:" + s.line.key + " geography:" + c.place.ID,
		})
	}
}
