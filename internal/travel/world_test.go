package travel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// town is a World of a grid of streets, some of them one-way for cars, with lines that wander over it: so that anything is quick.
type town struct {
	*World
	Parts
	random *rand.Rand
}

const (
	side = 24          // streets each way
	unit = 10_000      // between two, about 110 m from south to north
	west = 600_000_000 // at a place where a degree is half as long from west to east
)

func spot(x, y float64) coord.Point {
	return coord.Point{Lng: -900_000_000 + int32(x*1.8*unit), Lat: west + int32(y*unit)}
}

func newTown(t testing.TB, seed uint64) *town {
	r := rand.New(rand.NewPCG(seed, 5))
	foot, bicycle, car := new(streets.Builder), new(streets.Builder), new(streets.Builder)
	node := func(x, y int) uint32 { return uint32(y*side + x) }
	add := func(x, y, dx, dy int) {
		if x+dx >= side || y+dy >= side || r.IntN(8) == 0 {
			return
		}
		line := []coord.Point{spot(float64(x), float64(y)), spot(float64(x+dx), float64(y+dy))}
		e := streets.Edge{A: node(x, y), B: node(x+dx, y+dy), Length: network.Distance(1000 + r.IntN(400)), Line: line}
		e.Forth, e.Back = uint32(e.Length), uint32(e.Length)
		require.NoError(t, foot.Add(e))
		e.Forth, e.Back = streets.BicycleCosts(e.Length, r.IntN(5), network.Direction(r.IntN(3)))
		require.NoError(t, bicycle.Add(e))
		e.Forth, e.Back, e.NoLink = 60+r.Uint32N(100), 60+r.Uint32N(100), r.IntN(20) == 0
		if r.IntN(4) == 0 {
			e.Back = streets.Closed
		}
		require.NoError(t, car.Add(e))
	}
	for y := range side {
		for x := range side {
			add(x, y, 1, 0)
			add(x, y, 0, 1)
		}
	}
	p := Parts{Streets: [Transit]*streets.Network{foot.Finish(nil), bicycle.Finish(nil), car.Finish(nil)}, Timetable: lines(r)}
	n := p.Streets[Walk]
	p.Streets[Walk] = streets.New(n.Snapper(), n.Nodes(), nil, nil)
	p.Streets[Car].BuildHierarchy()
	p.Extents = []coord.Area{square(-1, side)}
	p.Feeds = []Feed{{Ground: square(-1, side)}}
	p.Stops = p.Streets[Walk].Link(p.Timetable.StopAt, LinkM)
	p.Barred = [][2]uint32{{3, 4}, {8, 9}}
	var err error
	p.Transfers, err = Transfers(t.Context(), &p, streets.Walk)
	require.NoError(t, err)
	p.Egress, err = Egress(t.Context(), p.Stops, streets.Walk, 60*EgressMinutes)
	require.NoError(t, err)
	return &town{New(p), p, r}
}

func square(from, to float64) coord.Area {
	ring := []coord.Point{spot(from, from), spot(to, from), spot(to, to), spot(from, to), spot(from, from)}
	return coord.Area{Points: ring, Ends: []uint32{5}}
}

// lines are ten lines of twelve stops beside the streets, both ways, with a headway on every fifth.
func lines(r *rand.Rand) *timetable.Timetable {
	b := timetable.NewBuilder(timetable.Rules{})
	day := timetable.NewDate(2025, 3, 4)
	feed := timetable.Feed{First: day - 10, Last: day + 10, Tuesday: day, Saturday: timetable.NoDate, Sunday: timetable.NoDate}
	b.AddFeed("town", feed, nil)
	b.AddService([]timetable.Date{day})
	for line := range 10 {
		var stops []uint32
		x, y := r.Float64()*side, r.Float64()*side
		dx, dy := 1.4*(1-2*float64(r.IntN(2))), 1.4*(1-2*float64(r.IntN(2)))
		for i := range 12 {
			stops = append(stops, b.AddStop(fmt.Sprint("stop ", line, " ", i), 0, spot(x, y)))
			if r.IntN(2) == 0 {
				x += dx
			} else {
				y += dy
			}
			if x < 0 || x > side-1 {
				dx = -dx
				x += 2 * dx
			}
			if y < 0 || y > side-1 {
				dy = -dy
				y += 2 * dy
			}
		}
		route := b.AddRoute(fmt.Sprint(line), timetable.Route{Color: 0x0000FF, Kind: 3})
		for direction := range 2 {
			var headways []timetable.Headway
			if line%5 == 4 {
				headways = []timetable.Headway{{First: 6 * 3600, End: 20 * 3600, Headway: 700}}
			}
			for start := uint32(6*3600) + r.Uint32N(600); start < 20*3600; start += 400 + r.Uint32N(900) {
				calls, at := make([]timetable.Call, len(stops)), start
				for i, stop := range stops {
					calls[i] = timetable.Call{Stop: stop, Arrival: at, Departure: at + r.Uint32N(20)}
					at = calls[i].Departure + 20 + r.Uint32N(40)
				}
				b.AddTrip(fmt.Sprint(line, direction, start), fmt.Sprint("to ", direction), route, 0, calls, headways)
				if headways != nil {
					break
				}
			}
			slices.Reverse(stops)
		}
	}
	b.AddTransfer(0, 30, 77)
	return b.Finish()
}

func (w *town) point() coord.Point {
	return spot(w.random.Float64()*(side-1), w.random.Float64()*(side-1))
}

func (w *town) points(n int) (list []coord.Point) {
	for range n {
		list = append(list, w.point())
	}
	return list
}

// TestDoorToDoorIsWhatSlowSearchesFind checks times between places with a plain search and a connection scan.
func TestDoorToDoorIsWhatSlowSearchesFind(t *testing.T) {
	for seed := range uint64(6) {
		w := newTown(t, seed)
		o := Defaults(Transit)
		o.Window, o.MaxMinutes, o.MaxRides, o.MaxWalk = 10, 40, int(seed%4), 5+int(seed)*3
		require.NoError(t, w.Check(t.Context(), o, 15), seed)
	}
}

func TestTransfersAreThoseOfFeedsAndStreets(t *testing.T) {
	w := newTown(t, 1)
	table := w.Timetable.WithTransfers(w.Transfers.First, w.Transfers.Legs)
	require.Contains(t, table.TransfersOf(0), timetable.Leg{Stop: 30, Seconds: 77})
	for _, pair := range w.Barred {
		for _, leg := range table.TransfersOf(pair[0]) {
			require.NotEqual(t, pair[1], leg.Stop)
		}
	}
	require.NotEmpty(t, table.TransfersOf(3))
}

// TestMoreIsNeverWorse checks that larger limits and slower clocks never make a way longer.
func TestMoreIsNeverWorse(t *testing.T) {
	w := newTown(t, 3)
	to := w.points(40)
	o := Defaults(Transit)
	o.Percentiles, o.Window, o.MaxWalk, o.MaxRides, o.MaxMinutes = []int{5, 50, 95}, 40, 8, 1, 45
	better := func(a, b Minutes) bool { return b < 0 || a >= 0 && a <= b }
	for range 6 {
		from := w.point()
		times := func(change func(*Options)) []Minutes {
			with := o
			change(&with)
			list, err := w.Times(t.Context(), from, to, with)
			require.NoError(t, err)
			return list
		}
		base := times(func(*Options) {})
		for name, change := range map[string]func(*Options){
			"rides": func(o *Options) { o.MaxRides = 4 }, "walk": func(o *Options) { o.MaxWalk = 20 },
			"minutes": func(o *Options) { o.MaxMinutes = 90 }, "speed": func(o *Options) { o.WalkKmh = 6.5 },
		} {
			for i, m := range times(change) {
				require.True(t, better(m, base[i]) || name == "speed" && base[i] >= 0 && m == base[i]+1, "%s: %d, then %d", name, base[i], m)
			}
		}
		for i := 0; i < len(base); i += 3 {
			require.True(t, better(base[i], base[i+1]) && better(base[i+1], base[i+2]), base[i:i+3])
		}
		least, first := times(func(o *Options) { o.Percentiles = []int{1} }), times(func(o *Options) { o.Percentiles, o.Window = []int{1}, 10 })
		for i := range least {
			require.True(t, better(least[i], first[i]), "the best of a window is no worse than that of a part of it")
		}
	}
}

// TestModesAgree compares one row with a matrix, and with what is reached, of each mode.
func TestModesAgree(t *testing.T) {
	w := newTown(t, 4)
	from, to := w.points(5), w.points(30)
	for mode := range Transit + 1 {
		o := Defaults(mode)
		o.Percentiles, o.MaxMinutes, o.Window = []int{25, 75}, 25, 20
		targets, err := w.World.Targets(t.Context(), to, o)
		require.NoError(t, err)
		all := make([]Minutes, len(from)*len(to)*2)
		require.NoError(t, targets.FromAll(t.Context(), from, all))
		reached := 0
		for i, p := range from {
			row, err := w.Times(t.Context(), p, to, o)
			require.NoError(t, err)
			require.Equal(t, row, all[i*len(row):][:len(row)], mode)
			for _, m := range row {
				if m >= 0 {
					reached++
				}
			}
			w.checkReach(t, p, o)
		}
		require.Greater(t, reached, 20, mode)
	}
}

// checkReach compares what is reached with the times to the nodes one by one, and with the outlines.
func (w *town) checkReach(t *testing.T, from coord.Point, o Options) {
	r, err := w.Reach(t.Context(), from, o)
	require.NoError(t, err)
	defer r.Close()
	require.True(t, r.Linked())
	require.NotEmpty(t, r.Nodes(), o.Mode)
	outlines := r.Outlines(1, []int{10, o.MaxMinutes})
	n := w.World.Network(o.Mode)
	var nodes []coord.Point
	within := map[uint32][]uint16{}
	for i, node := range r.Nodes() {
		within[node] = slices.Clone(r.Seconds(i))
	}
	for node := range uint32(n.Nodes()) {
		nodes = append(nodes, n.Snapper().Point(placeOf(n, node)))
	}
	times, err := w.Times(t.Context(), from, nodes, o)
	require.NoError(t, err)
	for node, at := range nodes {
		seconds := within[uint32(node)]
		for k := range o.Percentiles {
			want := raptor.Unreached
			if seconds != nil {
				want = seconds[k]
			}
			if o.Mode == Walk || o.Mode == Transit { // others begin at a node in other directions than on its street
				require.Equal(t, int(times[node*2+k]), raptor.Ours.Minutes(want), "%v: node %d", o.Mode, node)
			}
		}
		for k, limit := range []int{10, o.MaxMinutes} {
			if seconds != nil && int(seconds[1]) <= 60*limit {
				require.True(t, slices.ContainsFunc(outlines[k], func(p streets.Polygon) bool { return inside(p, at) }), "%v: node %d", o.Mode, node)
			}
		}
	}
}

func inside(p streets.Polygon, at coord.Point) bool {
	var a coord.Area
	for _, ring := range p {
		a.Points = append(a.Points, ring...)
		a.Ends = append(a.Ends, uint32(len(a.Points)))
	}
	return a.Contains(at)
}

// TestJourneysAreLegal adds up the parts of journeys and compares them with the minutes.
func TestJourneysAreLegal(t *testing.T) {
	w := newTown(t, 5)
	rides := 0
	for mode := range Transit + 1 {
		o := Defaults(mode)
		for range 25 {
			from, to := w.point(), w.point()
			o.Percentiles = []int{50}
			times, err := w.Times(t.Context(), from, []coord.Point{to}, o)
			require.NoError(t, err)
			j, ok, err := w.Journey(t.Context(), from, to, o, 50)
			require.NoError(t, err)
			require.Equal(t, times[0], j.Minutes)
			require.Equal(t, times[0] >= 0, ok)
			if !ok {
				continue
			}
			at := j.Departs
			require.Equal(t, from, j.Legs[0].From.At)
			for i, leg := range j.Legs {
				if i > 0 && leg.From.Number >= 0 {
					require.Equal(t, j.Legs[i-1].To, leg.From)
				}
				if leg.Ride != nil {
					rides++
					require.GreaterOrEqual(t, leg.Wait, int32(30))
					require.Equal(t, leg.Ride.Leaves, at+leg.Wait)
					require.Equal(t, leg.From.At, leg.Ride.Stops[0])
					require.Equal(t, leg.To.At, leg.Ride.Stops[len(leg.Ride.Stops)-1])
				}
				at += leg.Wait + leg.Seconds
			}
			require.Equal(t, j.Arrives, at)
			require.Equal(t, to, j.Legs[len(j.Legs)-1].To.At)
		}
	}
	require.Greater(t, rides, 10)
}

// TestUnknownIsNotUnreached asks beyond the streets, beyond the ground of the feed, and on days that it does not cover.
func TestUnknownIsNotUnreached(t *testing.T) {
	p := newTown(t, 6).Parts
	p.Feeds = []Feed{{Ground: square(-1, 12)}, {Ground: square(11, 14), Partial: true}, {Ground: square(59, 61)}}
	p.Extents = append(p.Extents, square(70, 72))
	p.Timetable.Feeds = append(p.Timetable.Feeds, p.Timetable.Feeds[0], p.Timetable.Feeds[0])
	w := New(p)
	o := Defaults(Transit)
	o.MaxMinutes, o.MaxRides = 5, 0
	to := []coord.Point{spot(8, 8), spot(20, 20), spot(60, 60), spot(2.2, 2)}
	for name, c := range map[string]struct {
		mode Mode
		from coord.Point
		day  Day
		want []Minutes
	}{
		"transit":            {Transit, spot(2, 2), o.Day, []Minutes{Unreached, Unknown, Unknown, 0}},
		"on foot":            {Walk, spot(2, 2), o.Day, []Minutes{Unreached, Unreached, Unknown, 0}},
		"by car":             {Car, spot(2, 2), o.Day, []Minutes{0, Unreached, Unknown, 0}},
		"regions apart":      {Car, spot(71, 71), o.Day, []Minutes{Unknown, Unknown, Unknown, Unknown}},
		"from beyond":        {Transit, spot(60, 60), o.Day, []Minutes{Unknown, Unknown, Unknown, Unknown}},
		"from other grounds": {Transit, spot(21, 3), o.Day, []Minutes{Unknown, Unknown, Unknown, Unknown}},
		"a year later":       {Transit, spot(2, 2), Day{Date: timetable.NewDate(2026, 3, 4)}, []Minutes{Unknown, Unknown, Unknown, 0}},
		"a day without":      {Transit, spot(2, 2), Day{Weekday: time.Sunday}, []Minutes{Unreached, Unknown, Unknown, 0}},
	} {
		o := o
		o.Mode, o.Day = c.mode, c.day
		got, err := w.Times(t.Context(), c.from, to, o)
		require.NoError(t, err)
		for i, m := range got {
			if c.want[i] < 0 {
				require.Equal(t, c.want[i], m, "%s: target %d", name, i)
			} else {
				require.GreaterOrEqual(t, m, Minutes(0), "%s: target %d", name, i)
			}
		}
	}
	require.Equal(t, Coverage{Streets: true, Transit: true, Partial: true}, w.Cover(spot(11.5, 11.5), o.Day))
	require.Equal(t, Coverage{}, w.Cover(spot(60, 60), o.Day), "on the ground of a feed, beyond the streets to its stops")
	weekend := timetable.Feed{First: 10, Last: 12, Sunday: timetable.NoDate}
	require.False(t, Day{Weekday: time.Sunday}.within(weekend), "its calendar has no Sunday")
	weekend.Last = 16
	require.True(t, Day{Weekday: time.Sunday}.within(weekend), "nothing runs on the Sunday of its calendar")
	r, err := w.Reach(t.Context(), spot(60, 60), o)
	require.NoError(t, err)
	require.False(t, r.Linked() || len(r.Nodes()) > 0 || len(r.Outlines(0, []int{5})[0]) > 0)
	r.Close()
}

func TestWithoutTimetableOrStreets(t *testing.T) {
	p := newTown(t, 7).Parts
	p.Streets[Car], p.Timetable, p.Feeds = nil, nil, nil
	w := New(p)
	for mode, want := range []bool{true, true, false, false} {
		_, err := w.Times(t.Context(), spot(1, 1), []coord.Point{spot(2, 2)}, Defaults(Mode(mode)))
		require.Equal(t, want, err == nil, mode)
		require.Equal(t, want, w.Has(Mode(mode)))
		if !want {
			require.ErrorIs(t, err, ErrAbsent)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"percentiles":       func(o *Options) { o.Percentiles = []int{100} },
		"not in order":      func(o *Options) { o.Percentiles = []int{50, 50} },
		"km/h":              func(o *Options) { o.WalkKmh = 0 },
		"walks of":          func(o *Options) { o.MaxWalk = 61 },
		"window of":         func(o *Options) { o.Window = 181 },
		"a window of 0":     func(o *Options) { o.Window = 0 },
		"at most 500":       func(o *Options) { o.MaxMinutes = 500 },
		"at most 0 minutes": func(o *Options) { o.MaxMinutes = 0 },
		"at most 9 rides":   func(o *Options) { o.MaxRides = 9 },
		"of the day":        func(o *Options) { o.Depart = 29 * 3600 },
		"mode 9":            func(o *Options) { o.Mode = 9 },
	} {
		o := Defaults(Transit)
		change(&o)
		require.ErrorContains(t, o.Check(), want)
	}
	require.NoError(t, Defaults(Transit).Check())
	for _, text := range []string{"tuesday", "saturday", "sunday", "2025-03-04"} {
		day, err := ParseDay(text)
		require.NoError(t, err)
		require.Equal(t, text, day.String())
	}
	for _, text := range []string{"monday", "20250304", "2025-02-30", "1969-01-01", ""} {
		_, err := ParseDay(text)
		require.ErrorContains(t, err, "neither tuesday")
	}
	mode, ok := ParseMode("transit")
	require.True(t, ok && mode == Transit)
	rules, ok := ParseRules("r5")
	require.True(t, ok && rules == R5)
}

// TestSearchesKeepTheirMemory counts allocations of the second search, and searches at once.
func TestSearchesKeepTheirMemory(t *testing.T) {
	w := newTown(t, 8)
	o := Defaults(Transit)
	from := w.point()
	once := func() {
		r, err := w.Reach(t.Context(), from, o)
		require.NoError(t, err)
		r.Close()
	}
	once()
	require.Less(t, testing.AllocsPerRun(5, once), 40.0)
	to := w.points(10)
	want, err := w.Times(t.Context(), from, to, o)
	require.NoError(t, err)
	done := make(chan []Minutes)
	for range 8 {
		go func() {
			got, err := w.Times(context.Background(), from, to, o)
			if err != nil {
				got = nil
			}
			done <- got
		}()
	}
	for range 8 {
		require.Equal(t, want, <-done)
	}
}

// TestOtherSpeedsAndRules compares what is computed when it is asked for: slower walks take longer, and rules of R5 find ways, too.
func TestOtherSpeedsAndRules(t *testing.T) {
	w := newTown(t, 9)
	o := Defaults(Transit)
	from, to := w.point(), w.points(20)
	ours, err := w.Times(t.Context(), from, to, o)
	require.NoError(t, err)
	for range 2 {
		slow := o
		slow.WalkKmh = 3
		got, err := w.Times(t.Context(), from, to, slow)
		require.NoError(t, err)
		for i := range got {
			require.True(t, got[i] < 0 || got[i] >= ours[i], "%d %d", got[i], ours[i])
		}
		r5 := o
		r5.Rules = R5
		got, err = w.Times(t.Context(), from, to, r5)
		require.NoError(t, err)
		for i := range got {
			require.InDelta(t, float64(ours[i]), float64(got[i]), 6)
		}
		o.Day.Date = timetable.NewDate(2025, 3, 4)
	}
}
