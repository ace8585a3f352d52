package access

import (
	"math"
	"strings"
	"sync/atomic"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// departures adds up the departures of every node (docs/methods.md, 1.6) in integer units, so that the order in which
// searches end makes no difference.
type departures struct {
	d           *deriver
	stops       []network.Place
	sums        map[string][]uint64 // by channel; departureUnit of a weighted departure a week
	scheduled   map[string]bool     // channels that some timetable covers
	unscheduled []calibration.StopKind
}

const departureUnit = 1e6

func (d *deriver) newDepartures() *departures {
	t := &departures{d: d, sums: map[string][]uint64{}, scheduled: map[string]bool{}}
	for channel := range d.c.Transit.Kinds {
		t.sums[channel] = make([]uint64, len(d.graph.Nodes))
	}
	return t
}

// jobs are a search for each line and direction, and one for each kind of stop that no timetable covers.
func (t *departures) jobs() []func() {
	var jobs []func()
	var stops []rating.Stop
	for _, stop := range t.d.set.Of("stop") {
		t.stops = append(t.stops, stop.Place)
		stops = append(stops, rating.Stop{Station: stop.Station, Services: stop.Services})
	}
	for _, l := range rating.Lines(stops) {
		for _, channel := range rating.TransitChannels(l.Mode, l.Rapid) {
			t.scheduled[channel] = true
		}
		jobs = append(jobs, func() { t.addLine(l) })
	}
	for _, kind := range t.d.c.Transit.WithoutTimes {
		if !t.scheduled[kind.Channel] && t.d.known.has(kind.Class) && len(t.d.set.Of(kind.Class)) > 0 {
			t.unscheduled = append(t.unscheduled, kind)
			jobs = append(jobs, func() { t.addStops(kind) })
		}
	}
	return jobs
}

// addLine counts a line once at every node: at the stop where departures times W of the distance are greatest, which
// need not be the nearest. A further stop, or more departures at one, then never lowers a value.
func (t *departures) addLine(l *rating.Line) {
	mode := t.d.c.Transit.Modes[l.Mode]
	var sums [][]uint64
	for _, channel := range rating.TransitChannels(l.Mode, l.Rapid) {
		sums = append(sums, t.sums[channel])
	}
	var places []network.Place
	for _, stop := range l.Stops {
		places = append(places, t.stops[stop])
	}
	t.d.graph.NonDominated(places, l.Trips, network.Metres(t.d.walk.Reach()), func(node int, labels []network.Label) {
		best := 0.0
		for _, label := range labels {
			best = max(best, l.Weighted(int(label.Place), t.d.walk.At(label.Distance.Metres())))
		}
		for _, sum := range sums {
			atomic.AddUint64(&sum[node], departureUnits(mode*best))
		}
	})
}

func departureUnits(departures float64) uint64 { return uint64(math.Round(departures * departureUnit)) }

// addStops counts the nearest stops of a kind for the departures that such stops usually have.
func (t *departures) addStops(kind calibration.StopKind) {
	d := t.d
	places, group := d.places([]string{kind.Class})
	weights := rating.Unscheduled(kind, d.c.Transit.Modes)
	d.nearest(places, group, kind.Places, d.walk.Reach(), d.coverage.stops, []visitor{func(node int, metres []float64) {
		sum := departureUnits(d.walk.Sum(weights, metres, 1, nil))
		atomic.AddUint64(&t.sums[kind.Channel][node], sum)
		atomic.AddUint64(&t.sums[rating.AllTransit][node], sum)
	}})
}

// finish turns the sums into channels, where stops are covered. In a region without timetables there is no value beyond
// the reach of the known stops: others may be missing from the map.
func (t *departures) finish() {
	for channel, kind := range t.d.c.Transit.Kinds {
		if !t.covered(channel) {
			continue
		}
		at := schemas.MustChannel(channel)
		for node, sum := range t.sums[channel] {
			if t.d.coverage.stops[node] && (sum > 0 || len(t.scheduled) > 0) {
				t.d.m.Set(node, at, rating.Transit(channel, kind, float64(sum)/departureUnit, nil))
			}
		}
	}
}

// covered reports whether a timetable or the locations of stops cover a channel; that of all transit where most stops are
// known, as those of railways alone say little.
func (t *departures) covered(channel string) bool {
	var classes []string
	for _, kind := range t.d.c.Transit.WithoutTimes {
		if channel == kind.Channel || channel == rating.AllTransit {
			classes = append(classes, kind.Class)
		}
	}
	return t.scheduled[channel] || t.d.c.Known.Nearest(classes, t.d.known.has)
}

func (t *departures) notes() []Note {
	if len(t.unscheduled) == 0 {
		return nil
	}
	var classes []string
	for _, kind := range t.unscheduled {
		classes = append(classes, strings.ReplaceAll(kind.Class, "_", " ")+"s")
	}
	what := "computed from stop locations, without a timetable: "
	if len(t.scheduled) > 0 {
		what = "computed from timetables; from stop locations where no timetable has such a line: "
	}
	return []Note{{"transit", what + strings.Join(classes, ", ")}}
}
