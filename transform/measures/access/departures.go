package access

import (
	"math"
	"slices"
	"strconv"
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
	d     *deriver
	stops []network.Place
	lines []*rating.Line
	sums  map[string]*sum // by channel
}

// sum is the departures of every node in departureUnit of a weighted departure a week.
type sum struct{ certain, others []uint64 }

func (s *sum) of(l *rating.Line) []uint64 {
	if l.Certain() {
		return s.certain
	}
	return s.others
}

const departureUnit = 1e6

// most is the 99th percentile of the departures of the nodes that have any; 0 if none has.
func (s *sum) most() float64 {
	var all []uint64
	for node, certain := range s.certain {
		if sum := certain + s.others[node]; sum > 0 {
			all = append(all, sum)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return float64(all[len(all)*99/100]) / departureUnit
}

func (d *deriver) newDepartures() *departures {
	t := &departures{d: d, sums: map[string]*sum{}}
	for channel := range d.c.Transit.Kinds {
		t.sums[channel] = &sum{make([]uint64, len(d.graph.Nodes)), make([]uint64, len(d.graph.Nodes))}
	}
	var stops []rating.Stop
	for _, stop := range d.set.Of("stop") {
		t.stops = append(t.stops, stop.Place)
		stops = append(stops, rating.Stop{Station: stop.Station, Services: stop.Services})
	}
	t.lines = rating.Lines(stops)
	return t
}

// jobs are a search for each known line and direction, and one for all unknown lines of a kind.
func (t *departures) jobs() []func() {
	var jobs []func()
	for _, l := range t.lines {
		if l.Basis != schemas.StopsBasis {
			jobs = append(jobs, func() { t.addLine(l) })
		}
	}
	for _, kind := range t.d.c.Transit.WithoutTimes.Unknown {
		if t.d.known.Has(kind.Class) || t.d.known.some[kind.Class] {
			jobs = append(jobs, func() { t.addUnknown(kind) })
		}
	}
	return jobs
}

// addLine counts a line once at every node: at the stop where departures times W of the distance are greatest, which
// need not be the nearest. A further stop, or more departures at one, then never lowers a value.
func (t *departures) addLine(l *rating.Line) {
	mode := t.d.c.Transit.Modes[l.Mode]
	sums := t.sumsOf(l)
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

// addUnknown counts the nearest of the unknown lines of a kind, each at its nearest stop.
func (t *departures) addUnknown(kind calibration.StopKind) {
	var places []network.Place
	var group []uint32
	var sums [][]uint64
	trips := 0.0
	for i, l := range t.lines {
		if l.Basis != schemas.StopsBasis || l.Mode != kind.Mode {
			continue
		}
		sums, trips = t.sumsOf(l), t.d.c.Transit.Modes[l.Mode]*float64(l.Trips[0])
		for _, stop := range l.Stops {
			places, group = append(places, t.stops[stop]), append(group, uint32(i))
		}
	}
	if len(places) == 0 {
		return
	}
	labels := t.d.graph.Nearest(places, group, kind.Lines, network.Metres(t.d.walk.Reach()))
	for node := range t.d.graph.Nodes {
		total := 0.0
		for _, label := range labels.At(node) {
			total += trips * t.d.walk.At(label.Distance.Metres())
		}
		for _, sum := range sums {
			atomic.AddUint64(&sum[node], departureUnits(total))
		}
	}
}

func (t *departures) sumsOf(l *rating.Line) (sums [][]uint64) {
	for _, channel := range rating.TransitChannels(l.Mode, l.Rapid) {
		sums = append(sums, t.sums[channel].of(l))
	}
	return sums
}

func departureUnits(departures float64) uint64 { return uint64(math.Round(departures * departureUnit)) }

// finish turns the sums into channels, where stops are covered. Where a list has all lines, none near is 0. In a region
// without such a list there is no value beyond the reach of the known stops: others may be missing from the map; and of a
// list with some of the lines there is one only near their stops. Near an edge there is one where another line beyond, with the
// departures that are assumed of one without a timetable, would hardly raise it.
func (t *departures) finish() {
	seen := t.d.onFoot(transport, 1).Exactly()
	for channel := range t.d.c.Transit.Kinds {
		if !t.covered(channel) {
			continue
		}
		at, near := schemas.MustChannel(channel), t.nearPartial(channel)
		sums := t.sums[channel]
		line := max(t.line(channel), sums.most())
		for node, certain := range sums.certain {
			all := certain + sums.others[node]
			known := all > 0 || len(t.d.set.AllLines) > 0
			if !t.d.coverage.stops[node] || !known || near != nil && !near(node) {
				continue
			}
			sum := rating.Departures{Certain: float64(certain) / departureUnit, All: float64(all) / departureUnit}
			score := func(beyond []float64) float64 {
				more := sum
				for _, metres := range beyond {
					more.Certain, more.All = more.Certain+line*t.d.walk.At(metres), more.All+line*t.d.walk.At(metres)
				}
				return rating.Transit(&t.d.c.Transit, channel, more, nil)
			}
			if seen.Known(node, nil) && seen.Bounded(node, nil, score) {
				t.d.m.Set(node, at, score(nil))
			}
		}
	}
}

// line is the departures a week that are assumed of a line of a channel, of all transit of a bus line, by the weight of its mode.
func (t *departures) line(channel string) float64 {
	transit := &t.d.c.Transit
	reference := transit.Kinds[channel].Reference
	mode := reference[len(reference)-1].Mode
	return transit.Modes[mode] * float64(rating.Assumed(&transit.WithoutTimes, mode, ""))
}

// nearPartial reports for a node whether a stop with a line of a channel is within calibration.Transit.PartialM; nil where
// the channel is not known by a list of some of the lines alone.
func (t *departures) nearPartial(channel string) func(node int) bool {
	if !t.d.set.SomeLines || t.allLines(channel) {
		return nil
	}
	var places []network.Place
	for _, l := range t.of(channel) {
		for _, stop := range l.Stops {
			places = append(places, t.stops[stop])
		}
	}
	labels := t.d.graph.Nearest(places, nil, 1, network.Metres(t.d.c.Transit.PartialM))
	return func(node int) bool { return len(labels.At(node)) > 0 }
}

// allLines reports whether lists of all lines cover a channel; that of all transit where they have every kind of line of
// which a partial list has some: all railways beside some of the buses are not all lines.
func (t *departures) allLines(channel string) bool {
	all := t.d.set.AllLines
	if channel == rating.AllTransit {
		for partial := range t.d.set.PartialLines {
			if !all[partial] {
				return false
			}
		}
	}
	return all[channel]
}

// of are the lines that count for a channel.
func (t *departures) of(channel string) (lines []*rating.Line) {
	for _, l := range t.lines {
		if slices.Contains(rating.TransitChannels(l.Mode, l.Rapid), channel) {
			lines = append(lines, l)
		}
	}
	return lines
}

// covered reports whether a list of lines or the locations of stops cover a channel; that of all transit where most stops
// are known, as those of railways alone say little. Lines of a map alone may be a few of many and cover nothing.
func (t *departures) covered(channel string) bool {
	all, lines := channel == rating.AllTransit, t.of(channel)
	timed := slices.ContainsFunc(lines, func(l *rating.Line) bool { return l.Basis == schemas.TimetableBasis })
	if t.d.set.AllLines[channel] || timed || t.d.set.SomeLines && len(lines) > 0 {
		return true
	}
	var classes []string
	for _, kind := range t.d.c.Transit.WithoutTimes.Unknown {
		if all || channel == kind.Channel {
			classes = append(classes, kind.Class)
		}
	}
	return t.d.c.Known.Nearest(classes, t.d.known.Has)
}

// notes say how lines are known where it is not by timetables alone.
func (t *departures) notes() []Note {
	count, unknown := map[string]int{}, 0
	last := ""
	for _, l := range t.lines { // a timetable has a line once a direction
		if l.Route != last {
			count[l.Basis]++
			if !l.Certain() {
				unknown++
			}
		}
		last = l.Route
	}
	var texts []string
	add := func(basis string, one, many string) {
		switch n := count[basis]; {
		case n == 1:
			texts = append(texts, "1 "+one)
		case n > 1:
			texts = append(texts, strconv.Itoa(n)+" "+many)
		}
	}
	add(schemas.TimetableBasis, "line of a timetable", "lines of timetables")
	add(schemas.LineBasis, "line without a timetable", "lines without a timetable")
	add(schemas.StopsBasis, "line of which stops alone are known", "lines of which stops alone are known")
	if len(texts) == 0 || count[schemas.LineBasis]+count[schemas.StopsBasis] == 0 && !t.d.set.SomeLines {
		return nil
	}
	text := "computed from " + strings.Join(texts, ", ") +
		"; departures without a timetable are assumed by mode, those of buses by the kind of line"
	if unknown > 0 {
		text += "; kinds of lines unknown: capped, of " + strconv.Itoa(unknown) + " bus lines"
	}
	if t.d.set.SomeLines {
		text += "; a list has some of the lines only, and beyond their stops there is no value"
	}
	return []Note{{"transit", text}}
}
