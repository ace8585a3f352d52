package truth

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
	"quartier/internal/testenv"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

// city is Porto Alegre with R5's published answers.
type city struct {
	testing.TB
	folder  string
	streets *streets
	day     *timetable.Day // both feeds
	rail    *timetable.Day // the feed of trains alone, with the same stops
	points  map[string]coord.Point
	links   map[string]link
	egress  map[string][]timetable.Leg
	hexes   []row
	runs    map[string]row
	walks   map[[2]string]uint32
}

// limits are what a row restricts further than its run: by a fare.
type limits struct {
	rides int
	rail  bool
}

func newCity(t testing.TB) *city {
	c := &city{
		TB: t, folder: testenv.NeedData(t, "formats/travel/poa-r5r"), points: map[string]coord.Point{}, links: map[string]link{},
		egress: map[string][]timetable.Leg{}, runs: map[string]row{}, walks: map[[2]string]uint32{},
	}
	c.streets = newStreets(t, c.folder+"/poa_osm.pbf", 1)
	f := newFeeds(t, c.folder+"/poa_eptc.zip", c.folder+"/poa_trensurb.zip")
	table := f.Finish()
	c.streets.linkStops(table)
	on := timetable.NewDate(2019, 5, 13)
	c.day = table.Day(on)
	c.rail = withoutFeed(c.day, 0)
	for _, r := range rowsOf(t, c.folder+"/poa_points_of_interest.csv") {
		c.points[r["id"]], _ = coord.NewPoint(r.number("lon"), r.number("lat"))
	}
	c.hexes = rowsOf(t, c.folder+"/poa_hexgrid.csv")
	for _, r := range c.hexes {
		c.points[r["id"]], _ = coord.NewPoint(r.number("lon"), r.number("lat"))
	}
	for _, r := range rowsOf(t, c.folder+"/published/runs.csv") {
		c.runs[r["run"]] = r
	}
	return c
}

// withoutFeed is a day on which nobody boards what a feed runs.
func withoutFeed(day *timetable.Day, feed uint16) *timetable.Day {
	t := day.Table
	without := &timetable.Day{
		Table: t, Dates: day.Dates, Lanes: day.Lanes, LaneTrips: day.LaneTrips, Arrivals: day.Arrivals, Departures: day.Departures,
		CallStops: day.CallStops, CallFlags: day.CallFlags, BoardFirst: []uint32{0},
	}
	for stop := range t.Stops() {
		for _, b := range day.Boards[day.BoardFirst[stop]:day.BoardFirst[stop+1]] {
			if t.Routes[t.Patterns[day.Lanes[b.Lane].Pattern].Route].Feed != feed {
				without.Boards = append(without.Boards, b)
			}
		}
		without.BoardFirst = append(without.BoardFirst, uint32(len(without.Boards)))
	}
	return without
}

func (c *city) link(id string) link {
	if _, known := c.links[id]; !known {
		at, ok := c.points[id]
		require.True(c, ok, id)
		c.links[id] = c.streets.link(at)
	}
	return c.links[id]
}

func (c *city) target(run row, from, to string) raptor.Target {
	if _, known := c.egress[to]; !known {
		c.egress[to] = c.streets.egress(c.link(to))
	}
	if _, known := c.walks[[2]string{from, to}]; !known {
		c.walks[[2]string{from, to}] = c.streets.walk(c.link(from), c.link(to))
	}
	return raptor.Target{Legs: c.egress[to], Walk: c.walks[[2]string{from, to}]}
}

// search runs the query of a run from a point.
func (c *city) search(run row, from string, l limits) *raptor.Search {
	day := c.day
	if l.rail {
		day = c.rail
	}
	minutes := int(run.number("max_trip_duration_min"))
	if strings.HasPrefix(run["decay"], "logistic") {
		minutes += 30 // it counts until nothing is left
	}
	q := raptor.Query{Depart: 14 * 3600, Rides: l.rides, Minutes: minutes}
	if run["arrival"] != "" {
		q.Depart, q.Window = 13*3600, 60
	} else {
		q.Window = int(run.number("time_window_min"))
	}
	if run["max_walk_time_min"] != "" {
		q.MaxAccess = uint32(60 * run.number("max_walk_time_min"))
		q.MaxEgress = q.MaxAccess
	}
	q.Access = c.streets.access(c.link(from), float64(60*minutes))
	search := raptor.New(day, raptor.R5)
	require.NoError(c, search.Run(q))
	return search
}

// limitsOf are those of a run and a fare of a row. A ride costs 4.80 by bus and 4.50 by train, two at most 9.00, three more
// than 9.60.
func limitsOf(run row, fare string) limits {
	l := limits{rides: int(run.number("max_rides"))}
	if !strings.Contains(run["mode"], "TRANSIT") {
		l.rides = 0
	}
	if fare != "" {
		switch money, _ := strconv.ParseFloat(fare, 64); {
		case money < 4.5:
			l.rides = 0
		case money < 4.8:
			l.rides, l.rail = 1, true
		case money < 7.2:
			l.rides = 1
		default:
			l.rides = 2
		}
	}
	return l
}

// minutes are those of a percentile from a point to another one; -1: unreached.
func (c *city) minutes(run row, from, to string, percentile int, fare string) int {
	var got [1]uint16
	c.search(run, from, limitsOf(run, fare)).Percentiles(c.target(run, from, to), []int{percentile}, got[:])
	return raptor.R5.Minutes(got[0])
}

// TestMinutes compares all minutes that R5's package for R prints, in both versions, within a minute.
func TestMinutes(t *testing.T) {
	c := newCity(t)
	rows, differ := 0, 0
	check := func(r row, fare string) {
		run := c.runs[r["run"]]
		percentile := int(r.number("percentile"))
		got := c.minutes(run, r["from_id"], r["to_id"], percentile, fare)
		rows++
		if want := int(r.number("minutes")); got != want {
			differ++
			t.Logf("%s %s: %s to %s p%d %s: %d, published %d", r["run"], r["r5r"], r["from_id"], r["to_id"], percentile, fare, got, want)
			if got < want-1 || got > want+1 {
				t.Errorf("more than a minute")
			}
		}
	}
	for _, r := range rowsOf(t, c.folder+"/published/minutes.csv") {
		fare := ""
		if strings.Contains(r["run"], "fare5") {
			fare = "5"
		}
		check(r, fare)
	}
	for _, r := range rowsOf(t, c.folder+"/published/pareto.csv") {
		check(r, r["cost_brl"])
	}
	t.Logf("%d rows, %d of them differ by a minute", rows, differ)
}

// TestTrips compares the totals of published ways, minute by minute, and of the latest ones that arrive in time.
func TestTrips(t *testing.T) {
	c := newCity(t)
	for _, r := range rowsOf(t, c.folder+"/published/trips.csv") {
		run := c.runs[r["run"]]
		search := c.search(run, r["from_id"], limitsOf(run, ""))
		to := c.target(run, r["from_id"], r["to_id"])
		values := make([]uint16, search.Values())
		search.Seconds(to, values)
		departs := int(second(t, r["departure_time"]))
		minute := (departs - 14*3600) / 60
		if run["arrival"] != "" {
			minute = len(values) - 1
			for minute > 0 && 60*minute+int(values[minute]) > 3600 {
				minute--
			}
			if got := 13*60 + minute; got < departs/60-1 || got > departs/60+1 {
				t.Errorf("%s: leaves at %d:%02d, published %s", r["to_id"], got/60, got%60, r["departure_time"])
			}
		}
		got, want := float64(values[minute])/60, r.number("total_min")
		if math.Abs(got-want) > 0.35 {
			t.Logf("%s %s to %s at %s: %.1f, published %.1f", r["run"], r["from_id"], r["to_id"], r["departure_time"], got, want)
		}
		if math.Abs(got-want) > 1 {
			t.Errorf("more than a minute")
		}
	}
}

// TestAccessibility compares how much is reached: the published number lies between those a minute earlier and a minute later.
// The logistic ones of 2.4.0dev are compared within a quarter of a school alone: at one point the published number is that of a
// school that is some three minutes farther, for a reason that is not known.
func TestAccessibility(t *testing.T) {
	c := newCity(t)
	exact, rows := 0, 0
	for _, r := range rowsOf(t, c.folder+"/published/accessibility.csv") {
		run := c.runs[r["run"]]
		search := c.search(run, r["id"], limitsOf(run, ""))
		hexes := c.hexes
		if of := run["destinations"]; strings.Contains(of, "rows 1-") {
			last, err := strconv.Atoi(of[strings.LastIndex(of, "-")+1:])
			require.NoError(t, err)
			hexes = hexes[:last]
		}
		var sums [3]float64
		for _, hex := range hexes {
			weight, _ := strconv.ParseFloat(hex[r["opportunity"]], 64)
			if weight == 0 {
				continue
			}
			var got [1]uint16
			search.Percentiles(c.target(run, r["id"], hex["id"]), []int{int(r.number("percentile"))}, got[:])
			for i := range sums {
				sums[i] += weight * decay(run["decay"], got[0], r.number("cutoff_min")+float64(i-1))
			}
		}
		want := r.number("value")
		rows++
		if math.Abs(sums[1]-want) < 0.005 || r["r5r"] == "2.3.0" && math.Floor(sums[1]) == want { // which prints whole numbers
			exact++
		} else {
			t.Logf("%s %s %s: %.4f, published %.4f", r["run"], r["id"], r["opportunity"], sums, want)
			if (want < sums[0] || want > sums[2]) && !strings.HasPrefix(run["decay"], "logistic") {
				t.Errorf("more than a minute")
			}
			if strings.HasPrefix(run["decay"], "logistic") && math.Abs(want-sums[1]) > 0.25 {
				t.Errorf("more than a quarter of a school")
			}
		}
	}
	t.Logf("%d rows, %d exact", rows, exact)
}

// decay is how much something counts that is seconds away.
func decay(how string, seconds uint16, cutoff float64) float64 {
	minutes := float64(raptor.R5.Minutes(seconds))
	switch {
	case minutes < 0:
		return 0
	case strings.HasPrefix(how, "logistic"):
		return 1 / (1 + math.Exp((float64(seconds)/60-cutoff)*math.Pi/math.Sqrt(3)))
	case strings.Contains(how, "<=") && minutes <= cutoff, minutes < cutoff:
		return 1
	}
	return 0
}
