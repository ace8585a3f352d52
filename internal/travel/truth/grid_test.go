package truth

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
	"quartier/internal/testenv"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

const gridFolder = "formats/travel/grid-r5"

func rowsOf(t testing.TB, path string) []row {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	return readCSV(t, file)
}

// grid is a feed on a grid of streets.
type grid struct {
	streets *streets
	day     *timetable.Day
}

func newGrid(t testing.TB, want row) *grid {
	folder := testenv.Data(gridFolder)
	g := &grid{streets: newStreets(t, folder+"/"+want["streets"], 1)}
	f := newFeeds(t, folder+"/"+want["feed"])
	table := f.Finish()
	g.streets.linkStops(table)
	g.day = table.Day(date(t, want["date"]))
	return g
}

func (r row) point(prefix string) coord.Point {
	at, _ := coord.NewPoint(r.number(prefix+"_lon"), r.number(prefix+"_lat"))
	return at
}

// ask searches from the origin to the destination of a row.
func (g *grid) ask(t testing.TB, want row, rules raptor.Rules, rides int) (*raptor.Search, raptor.Target) {
	from, to := g.streets.link(want.point("origin")), g.streets.link(want.point("dest"))
	begin, end := second(t, want["from_time"]+":00"), second(t, want["to_time"]+":00")
	q := raptor.Query{
		Access: g.streets.access(from, 7200), Depart: begin, Window: int(end-begin) / 60, Rides: rides, Minutes: 120,
		MaxAccess: 1800, MaxTransfer: 1800, MaxEgress: 1800,
	}
	search := raptor.New(g.day, rules)
	require.NoError(t, search.Run(q))
	return search, raptor.Target{Legs: g.streets.egress(to), Walk: g.streets.walk(from, to)}
}

// TestGrid compares percentiles and distributions of R5's tests whose truth is arithmetic: trips with times, headways, lines
// with alternatives, a trunk of lines, and trips that overtake.
func TestGrid(t *testing.T) {
	folder := testenv.NeedData(t, gridFolder)
	distribution := map[string]map[int]float64{}
	for _, r := range rowsOf(t, folder+"/expected_distribution.csv") {
		if distribution[r["case"]] == nil {
			distribution[r["case"]] = map[int]float64{}
		}
		distribution[r["case"]][int(r.number("minute"))] = r.number("probability")
	}
	for _, want := range rowsOf(t, folder+"/expected.csv") {
		t.Run(want["case"], func(t *testing.T) {
			rules := raptor.R5
			begin, end := second(t, want["from_time"]+":00"), second(t, want["to_time"]+":00")
			rules.Draws = int(want.number("monte_carlo_draws")) / (int(end-begin) / 60)
			search, to := newGrid(t, want).ask(t, want, rules, int(want.number("max_rides")))
			percentiles := []int{5, 25, 50, 75, 95}
			got := make([]uint16, len(percentiles))
			search.Percentiles(to, percentiles, got)
			text := ""
			for i, p := range percentiles {
				minutes := want.number(fmt.Sprint("p", p))
				text += fmt.Sprintf(" p%d %.1f (%.0f)", p, float64(got[i])/60, minutes)
				if want["case"] == "overtaking-naive" { // what a router finds that does not look for trips that overtake
					require.Less(t, rules.Minutes(got[i]), int(minutes))
					continue
				}
				assert.InDelta(t, minutes, rules.Minutes(got[i]), want.number("tolerance_min"), "p%d", p)
			}
			if want["case"] == "overtaking-naive" {
				t.Log(text)
				return
			}
			values := make([]uint16, search.Values())
			search.Seconds(to, values)
			best := 1.0
			for shift := -1; shift <= 1; shift++ {
				best = min(best, squaredError(values, distribution[want["case"]], shift))
			}
			t.Logf("%s; squared error %.4f, one minute later %.4f", text, best, squaredError(values, distribution[want["case"]], 1))
			assert.Less(t, best, want.number("max_weighted_squared_error"))
		})
	}
}

// squaredError is the error of probabilities by minute, each weighted by its own.
func squaredError(values []uint16, want map[int]float64, shift int) (sum float64) {
	got := map[int]float64{}
	for _, v := range values {
		got[int(v)/60+shift] += 1 / float64(len(values))
	}
	for minute, p := range want {
		if p > 0 {
			sum += (got[minute] - p) * (got[minute] - p) / p
		}
	}
	return sum
}

// TestPredicted compares the seconds to points at, beside and off the streets.
func TestPredicted(t *testing.T) {
	folder := testenv.NeedData(t, gridFolder)
	wants := rowsOf(t, folder+"/predicted.csv")
	byMinute := map[string][]float64{}
	for _, r := range rowsOf(t, folder+"/predicted_by_minute.csv") {
		byMinute[r["destination"]] = append(byMinute[r["destination"]], r.number("seconds"))
	}
	g := newGrid(t, wants[0])
	for _, want := range wants {
		search, to := g.ask(t, want, raptor.R5, 4)
		shorter, longer := want.number("tolerance_shorter_s"), want.number("tolerance_longer_s")
		check := func(seconds float64, got uint16) {
			assert.GreaterOrEqual(t, float64(got)-seconds, min(shorter, -longer), want["destination"])
			assert.LessOrEqual(t, float64(got)-seconds, max(-shorter, longer), want["destination"])
		}
		percentiles := []int{5, 25, 50, 75, 95}
		got := make([]uint16, len(percentiles))
		search.Percentiles(to, percentiles, got)
		t.Log(want["destination"], got, want["p5_s"], want["p25_s"], want["p50_s"], want["p75_s"], want["p95_s"], to.Walk)
		for i, p := range percentiles {
			check(want.number(fmt.Sprintf("p%d_s", p)), got[i])
		}
		values := make([]uint16, search.Values())
		search.Seconds(to, values)
		for minute, seconds := range byMinute[want["destination"]] {
			check(seconds, values[minute])
		}
	}
}
