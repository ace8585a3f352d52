package access

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas/calibration"
	"quartier/transform/network/destination"
)

// departures adds up what lines offer at every node (methods, 1.6), in whole units, so that searches may end in any
// order.
type departures struct {
	d       *deriver
	sums    map[string][]uint64 // by channel; departureUnit of a weighted departure a week
	timed   map[string]bool     // channels that some timetable tells
	guessed []calibration.StopKind
}

const (
	departureUnit = 1e6
	anyTransit    = "transit_friendly"
)

// line is a line in one direction, with the stops that it serves.
type line struct {
	route     string
	direction int
	mode      string
	rapid     bool
	places    []network.Place
	worth     []uint32 // departures a week at each
	stations  []string
}

func (d *deriver) newDepartures() *departures {
	t := &departures{d: d, sums: map[string][]uint64{}, timed: map[string]bool{}}
	for channel := range d.c.Transit.Kinds {
		t.sums[channel] = make([]uint64, len(d.graph.Nodes))
	}
	return t
}

// jobs are a search for each line and direction, and one for each kind of stop whose lines no timetable tells.
func (t *departures) jobs() []func() {
	var jobs []func()
	for _, l := range linesOf(t.d.set.Of("stop")) {
		for _, channel := range rating.TransitChannels(l.mode, l.rapid) {
			t.timed[channel] = true
		}
		jobs = append(jobs, func() { t.ride(l) })
	}
	for _, kind := range t.d.c.Transit.WithoutTimes {
		if !t.timed[kind.Channel] && len(t.d.set.Of(kind.Class)) > 0 {
			t.guessed = append(t.guessed, kind)
			jobs = append(jobs, func() { t.guess(kind) })
		}
	}
	return jobs
}

// linesOf gathers the services of stops by line and direction. The platforms of a station share their departures.
func linesOf(stops []destination.Destination) []*line {
	type key struct {
		route     string
		direction int
	}
	byKey := map[key]*line{}
	var lines []*line
	for _, stop := range stops {
		for _, s := range stop.Services {
			k := key{s.Route, s.Direction}
			l := byKey[k]
			if l == nil {
				l = &line{route: s.Route, direction: s.Direction, mode: s.Mode, rapid: s.Rapid}
				byKey[k] = l
				lines = append(lines, l)
			}
			l.places, l.worth, l.stations = append(l.places, stop.Place), append(l.worth, uint32(s.TripsWeek)), append(l.stations, stop.Station)
		}
	}
	slices.SortFunc(lines, func(a, b *line) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.direction, b.direction))
	})
	for _, l := range lines {
		l.share()
	}
	return lines
}

// share gives every platform the departures of its whole station.
func (l *line) share() {
	total := map[string]uint32{}
	for i, station := range l.stations {
		total[station] += l.worth[i]
	}
	for i, station := range l.stations {
		l.worth[i] = total[station]
	}
}

// ride counts a line once at every node: not by its nearest stop, but by the one whose departures times W of the way
// are most. A stop more, or more departures at one, then never lower what is told, which the nearest stop's would
// where the new one has fewer.
func (t *departures) ride(l *line) {
	mode := t.d.c.Transit.Modes[l.mode]
	var sums [][]uint64
	for _, channel := range rating.TransitChannels(l.mode, l.rapid) {
		sums = append(sums, t.sums[channel])
	}
	t.d.graph.NonDominated(l.places, l.worth, network.Metres(t.d.walk.Reach()), func(node int, labels []network.Label) {
		most := 0.0
		for _, label := range labels {
			most = max(most, float64(l.worth[label.Place])*t.d.walk.Worth(label.Distance.Metres()))
		}
		for _, sum := range sums {
			atomic.AddUint64(&sum[node], weighted(mode*most))
		}
	})
}

func weighted(departures float64) uint64 { return uint64(math.Round(departures * departureUnit)) }

// guess counts the nearest stops of a kind for what such a stop offers as a rule.
func (t *departures) guess(kind calibration.StopKind) {
	d := t.d
	places, group := d.places([]string{kind.Class})
	perWeek := kind.TripsWeek * d.c.Transit.Modes[kind.Mode]
	var buffer [16]float64
	d.nearest(places, group, kind.Places, d.walk.Reach(), d.ground.stops, []use{func(node int, metres []float64) {
		sum := weighted(perWeek * rating.Gravity(kind.Lambda, d.worths(buffer[:0], metres, kind.Places, 1)))
		atomic.AddUint64(&t.sums[kind.Channel][node], sum)
		atomic.AddUint64(&t.sums[anyTransit][node], sum)
	}})
}

// finish makes channels of the sums, of the kinds of which stops have ground. Where a region has no timetable nothing
// is told beyond the reach of the stops that are known: others may be missing from the map.
func (t *departures) finish() {
	for channel, kind := range t.d.c.Transit.Kinds {
		if !t.known(channel) {
			continue
		}
		at := channelOf(channel)
		for node, sum := range t.sums[channel] {
			if t.d.ground.stops[node] && (sum > 0 || len(t.timed) > 0) {
				t.d.m.Set(node, at, rating.LogShare(float64(sum)/departureUnit, kind.Perfect))
			}
		}
	}
}

func (t *departures) known(channel string) bool {
	for _, kind := range t.d.c.Transit.WithoutTimes {
		if (channel == kind.Channel || channel == anyTransit) && t.d.ground.known[kind.Class] {
			return true
		}
	}
	return t.timed[channel]
}

func (t *departures) notes() []Note {
	if len(t.guessed) == 0 {
		return nil
	}
	var classes []string
	for _, kind := range t.guessed {
		classes = append(classes, strings.ReplaceAll(kind.Class, "_", " ")+"s")
	}
	what := "from stop locations alone, no timetable: "
	if len(t.timed) > 0 {
		what = "from timetables, and where those tell of none from stop locations alone: "
	}
	return []Note{{"transit", what + strings.Join(classes, ", ")}}
}
