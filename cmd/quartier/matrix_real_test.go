package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/stretchr/testify/require"

	"quartier/cmd/quartier/journeys"
	"quartier/fixtures/osmfile"
	"quartier/fixtures/texas"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// movedExtract writes an extract of Porto Alegre with its nodes in Texas.
func movedExtract(t *testing.T, from, to string) {
	t.Helper()
	file, err := os.Open(from)
	require.NoError(t, err)
	defer file.Close()
	scanner := osmpbf.New(context.Background(), file, 1)
	defer scanner.Close()
	data := osmfile.Data{AsOf: time.Date(2020, 8, 1, 0, 0, 0, 0, time.UTC)}
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			data.Nodes = append(data.Nodes, osmfile.Node{ID: int64(o.ID), Point: texas.Point(orb.Point{o.Lon, o.Lat}), Tags: o.Tags.Map()})
		case *osm.Way:
			w := osmfile.Way{ID: int64(o.ID), Tags: o.Tags.Map()}
			for _, n := range o.Nodes {
				w.Refs = append(w.Refs, int64(n.ID))
			}
			data.Ways = append(data.Ways, w)
		}
	}
	require.NoError(t, scanner.Err())
	require.NoError(t, osmfile.WritePBF(to, data, true))
}

var austinBuilt sync.Once

// austin is a release of Porto Alegre where it lies in Texas, with the same distances: its streets and two feeds.
func austin(t *testing.T) (release, sample string) {
	t.Helper()
	sample, release = testenv.NeedData(t, "formats/travel/poa-r5r"), filepath.Join(scratch, "austin")
	austinBuilt.Do(func() {
		dir := t.TempDir()
		movedExtract(t, filepath.Join(sample, "poa_osm.pbf"), filepath.Join(dir, "streets.osm.pbf"))
		region := "region: us-austin\ntitle: Porto Alegre in Texas\naccept_collapsed:\n"
		for _, score := range schemas.ScoreIDs() {
			region += "  " + score + ": nothing but streets, places of 2020 and timetables is there\n"
		}
		region += "sources:\n"
		source := func(id, kind, path, asOf string) {
			region += fmt.Sprintf("  - {id: %s, kind: %s, path: %s, as_of: %s, licence: see the README, attribution: r5r}\n", id, kind, path, asOf)
		}
		source("osm", "osm", filepath.Join(dir, "streets.osm.pbf"), "2020-08-01")
		source("bus", "gtfs", inTexas(t, filepath.Join(sample, "poa_eptc.zip")), "2019-05-13")
		source("train", "gtfs", inTexas(t, filepath.Join(sample, "poa_trensurb.zip")), "2019-05-13")
		mustRun(t, "build", "--region", writeText(t, filepath.Join(dir, "us-austin.yaml"), region), "--out", release)
	})
	require.DirExists(t, release, "the release was not built")
	return release, sample
}

// r5 asks the release in Texas what R5 was asked in Porto Alegre.
type r5 struct {
	*testing.T
	release, sample, dir string
	runs                 map[string]map[string]string
	points               map[string][2]string // latitude and longitude in Texas, by id
	hexes                []map[string]string
	minutes              map[string]map[[2]string]map[string]int // by arguments, pair and column
}

func newR5(t *testing.T) *r5 {
	r := &r5{T: t, dir: t.TempDir(), runs: map[string]map[string]string{}, points: map[string][2]string{},
		minutes: map[string]map[[2]string]map[string]int{}}
	r.release, r.sample = austin(t)
	for _, run := range r.rows("published/runs.csv") {
		r.runs[run["run"]] = run
	}
	r.hexes = r.rows("poa_hexgrid.csv")
	for _, row := range append(r.rows("poa_points_of_interest.csv"), r.hexes...) {
		lat, _ := strconv.ParseFloat(row["lat"], 64)
		lng, _ := strconv.ParseFloat(row["lon"], 64)
		at := texas.Point(orb.Point{lng, lat})
		r.points[row["id"]] = [2]string{strconv.FormatFloat(at[1], 'f', 7, 64), strconv.FormatFloat(at[0], 'f', 7, 64)}
	}
	return r
}

func (r *r5) rows(name string) []map[string]string {
	return csvRows(r.T, filepath.Join(r.sample, name))
}

// file writes a file of points.
func (r *r5) file(name string, ids []string) string {
	text := "id,lat,lng\n"
	for _, id := range ids {
		text += id + "," + r.points[id][0] + "," + r.points[id][1] + "\n"
	}
	return writeText(r.T, filepath.Join(r.dir, name+".csv"), text)
}

// arguments are those of a run with at most some rides.
func arguments(run map[string]string, rides string) []string {
	mode, walk, percentiles := "transit", run["max_walk_time_min"], run["percentiles"]
	if run["mode"] == "WALK" {
		mode = "walk"
	}
	if walk == "" {
		walk = "60" // there is no limit
	}
	minutes := run["max_trip_duration_min"]
	if strings.HasPrefix(run["decay"], "logistic") {
		minutes = "60" // it counts until nothing is left
	}
	return []string{"--rules", "r5", "--mode", mode, "--date", "2019-05-13", "--depart", "14:00",
		"--window", cmp.Or(run["time_window_min"], "10"), "--percentiles", cmp.Or(percentiles, "50"), "--walk-speed",
		run["walk_speed_kmh"], "--max-walk-minutes", walk, "--max-rides", rides,
		"--max-minutes", minutes}
}

// matrix asks quartier matrix. A pair that is not reached is absent.
func (r *r5) matrix(from, to []string, arguments ...string) map[[2]string]map[string]int {
	r.Helper()
	key := fmt.Sprint(arguments, from, len(to))
	if known := r.minutes[key]; known != nil {
		return known
	}
	out := filepath.Join(r.dir, fmt.Sprintf("out%d.csv", len(r.minutes)))
	mustRun(r.T, append([]string{"matrix", "--release", r.release, "--from", r.file("from", from), "--to", r.file("to", to), "--out", out},
		arguments...)...)
	list := map[[2]string]map[string]int{}
	for _, row := range csvRows(r.T, out) {
		values := map[string]int{}
		for column, text := range row {
			if minutes, err := strconv.Atoi(text); err == nil && strings.HasPrefix(column, "minutes_") {
				values[column] = minutes
			}
		}
		list[[2]string{row["from_id"], row["to_id"]}] = values
	}
	r.minutes[key] = list
	return list
}

// targets are the ends of rows from a beginning, in their order.
func targets(rows []map[string]string, run, from string) (list []string) {
	for _, row := range rows {
		if row["run"] == run && row["from_id"] == from && !slices.Contains(list, row["to_id"]) {
			list = append(list, row["to_id"])
		}
	}
	return list
}

// TestMatrixIsR5s compares the minutes of quartier matrix --rules r5 with those that R5's package for R prints, in both versions, within
// a minute. Those with fares are those with as few rides as the money suffices for; the matrix has no fares.
func TestMatrixIsR5s(t *testing.T) {
	r := newR5(t)
	published := append(r.rows("published/minutes.csv"), r.rows("published/pareto.csv")...)
	rows, differ := 0, 0
	for _, row := range published {
		run, rides := r.runs[row["run"]], r.runs[row["run"]]["max_rides"]
		switch money, _ := strconv.ParseFloat(row["cost_brl"], 64); {
		case strings.Contains(row["run"], "fare5"), money >= 4.8 && money < 7.2:
			rides = "1"
		case money >= 4.5 && money < 4.8:
			continue // by train alone, which cannot be asked
		case money >= 7.2:
			rides = "2"
		case money > 0:
			rides = "0"
		}
		got, reached := r.matrix([]string{row["from_id"]}, targets(published, row["run"], row["from_id"]),
			arguments(run, rides)...)[[2]string{row["from_id"], row["to_id"]}]["minutes_p"+row["percentile"]]
		want, _ := strconv.Atoi(row["minutes"])
		rows++
		if !reached || got != want {
			differ++
			t.Logf("%s %s: %s to %s p%s cost %s: %d (%v), published %d", row["run"], row["r5r"], row["from_id"], row["to_id"],
				row["percentile"], row["cost_brl"], got, reached, want)
		}
		if !reached || got < want-1 || got > want+1 {
			t.Errorf("more than a minute")
		}
	}
	t.Logf("%d rows, %d of them differ by a minute", rows, differ)
}

// total is how many minutes the journey takes that quartier explain shows for a single departure.
func (r *r5) total(row map[string]string, departs time.Time) float64 {
	r.Helper()
	run, from, to := r.runs[row["run"]], r.points[row["from_id"]], r.points[row["to_id"]]
	ask := append([]string{"explain", "--json", "--release", r.release, "--lat", from[0], "--lng=" + from[1], "--to=" + to[0] + "," + to[1]},
		arguments(run, run["max_rides"])...)
	code, text, errs := quartier(append(ask, "--depart", departs.Format("15:04"), "--window", "1")...)
	var report journeys.Report
	if err := json.Unmarshal([]byte(text), &report); err != nil || code != exitOK {
		r.Fatalf("%d %s %v", code, errs, err)
	}
	if len(report.Numbers[0].Legs) == 0 {
		return math.Inf(1)
	}
	total := int32(0)
	for _, leg := range report.Numbers[0].Legs {
		total += leg.Wait + leg.Seconds
	}
	return float64(total) / 60
}

// TestExplainedTripsAreR5s compares the journeys of single departures with the totals that R5's package for R prints, within a minute.
// Of the latest ones that arrive in time, a departure within a minute of the published one takes as long.
func TestExplainedTripsAreR5s(t *testing.T) {
	r := newR5(t)
	for _, row := range r.rows("published/trips.csv") {
		departs, err := time.Parse("15:04:05", row["departure_time"])
		require.NoError(t, err)
		want, _ := strconv.ParseFloat(row["total_min"], 64)
		got := r.total(row, departs)
		for _, minutes := range []time.Duration{-1, 1} {
			if other := r.total(row, departs.Add(minutes*time.Minute)); r.runs[row["run"]]["arrival"] != "" &&
				math.Abs(other-want) < math.Abs(got-want) {
				got = other
			}
		}
		if math.Abs(got-want) > 0.35 {
			t.Logf("%s %s: %s to %s at %s: %.1f, published %.1f", row["run"], row["r5r"], row["from_id"], row["to_id"], row["departure_time"],
				got, want)
		}
		if math.Abs(got-want) > 1 {
			t.Errorf("more than a minute")
		}
	}
}

// TestReachedInMatrixIsR5s compares how much is reached: the published number lies between those a minute earlier and a minute later.
// The logistic ones count by whole minutes here, and are compared within three tenths of a school.
func TestReachedInMatrixIsR5s(t *testing.T) {
	r := newR5(t)
	exact, rows := 0, 0
	for _, row := range r.rows("published/accessibility.csv") {
		run, hexes := r.runs[row["run"]], r.hexes
		if _, last, some := strings.Cut(run["destinations"], "rows 1-"); some {
			n, err := strconv.Atoi(last)
			require.NoError(t, err)
			hexes = hexes[:n]
		}
		var ids []string
		for _, hex := range hexes {
			ids = append(ids, hex["id"])
		}
		minutes := r.matrix([]string{row["id"]}, ids, arguments(run, run["max_rides"])...)
		cutoff, _ := strconv.ParseFloat(row["cutoff_min"], 64)
		var sums [3]float64
		for _, hex := range hexes {
			weight, _ := strconv.ParseFloat(hex[row["opportunity"]], 64)
			got, reached := minutes[[2]string{row["id"], hex["id"]}]["minutes_p"+row["percentile"]]
			for i := range sums {
				limit := cutoff + float64(i-1)
				switch at := float64(got); {
				case !reached:
				case strings.HasPrefix(run["decay"], "logistic"):
					sums[i] += weight / (1 + math.Exp((at+0.5-limit)*math.Pi/math.Sqrt(3)))
				case at < limit || at == limit && strings.Contains(run["decay"], "<="):
					sums[i] += weight
				}
			}
		}
		want, _ := strconv.ParseFloat(row["value"], 64)
		logistic := strings.HasPrefix(run["decay"], "logistic")
		rows++
		if math.Abs(sums[1]-want) < 0.005 || row["r5r"] == "2.3.0" && math.Floor(sums[1]) == want { // which prints whole numbers
			exact++
			continue
		}
		t.Logf("%s %s %s %s: %.4f, published %.4f", row["run"], row["r5r"], row["id"], row["opportunity"], sums, want)
		if !logistic && (want < sums[0] || want > sums[2]) || logistic && math.Abs(want-sums[1]) > 0.3 {
			t.Errorf("more than a minute, or than three tenths of a school")
		}
	}
	t.Logf("%d rows, %d exact", rows, exact)
}
