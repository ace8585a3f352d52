package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"quartier/build/travel"
	"quartier/fixtures/oddfeeds"
	"quartier/fixtures/texas"
	"quartier/ingest/kinds/gtfs"
	"quartier/ingest/source"
	"quartier/ingest/staging"
	"quartier/internal/duck"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/packtest"
	packed "quartier/internal/pack/travel"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
	doors "quartier/internal/travel"
	"quartier/internal/travel/timetable"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/schemas/staged"
	"quartier/serve/release"
	derive "quartier/transform/travel"
)

// travelRegion stages and derives a region of feeds, by name and path, and returns its derived file.
func travelRegion(t *testing.T, feeds ...[2]string) travel.Region {
	t.Helper()
	spatialitetest.Need(t)
	dir := t.TempDir()
	file, err := staging.Create(filepath.Join(dir, "staged.duckdb"))
	require.NoError(t, err)
	for _, feed := range feeds {
		about := staging.Source{Source: staged.Source{SourceID: feed[0], Kind: "gtfs", Path: "feed", SHA256: "0", AsOf: "2025-03-01",
			Licence: "none", Attribution: "none"}}
		_, err := file.Stage(t.Context(), about, func(out source.Sink) error {
			return gtfs.Kind.Stage(t.Context(), source.Input{Source: feed[0], Path: feed[1]}, out)
		})
		require.NoError(t, err)
	}
	require.NoError(t, file.Close())
	from, err := duck.Open(filepath.Join(dir, "staged.duckdb"))
	require.NoError(t, err)
	defer from.Close()
	r := travel.Region{Name: "town", Derived: filepath.Join(dir, "derived.duckdb")}
	to, err := duck.Create(r.Derived, schemas.Derived)
	require.NoError(t, err)
	_, err = derive.Timetables(t.Context(), from, to, &calibration.Standard().Coverage.Hull)
	require.NoError(t, err)
	require.NoError(t, to.Close())
	return r
}

// travelPack writes the pack of regions without streets and opens it.
func travelPack(t *testing.T, regions ...travel.Region) (table *packed.Table, bytes int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), schemas.TravelPack)
	streets := packtest.Open(t, func(out *pack.Writer) error { return access.NewWriter(out, 300).Finish() })
	_, err := travel.Write(t.Context(), regions, streets.Path(), path)
	require.NoError(t, err)
	file, err := pack.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	require.NoError(t, file.Verify())
	table, err = packed.Open(file)
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	return table, info.Size()
}

// writeFeed writes the files of a feed.
func writeFeed(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		writeText(t, filepath.Join(dir, name), text)
	}
	return dir
}

// runs are the trips of a day, as "line trip first departure-last arrival", or for headways "line trip every n s".
func runs(day *timetable.Day) string {
	var list []string
	tt := day.Table
	for _, lane := range day.Lanes {
		route := tt.RouteNames.At(tt.Patterns[lane.Pattern].Route)
		for i := range lane.Trips {
			trip := tt.TripNames.At(day.LaneTrips[lane.Trip+i].Trip)
			first, last := day.Arrivals[lane.Times+i*lane.Calls], day.Arrivals[lane.Times+(i+1)*lane.Calls-1]
			if lane.Headway > 0 {
				list = append(list, fmt.Sprintf("%s %s every %d from %d to %d", route, trip, lane.Headway, lane.First, lane.End))
			} else {
				list = append(list, fmt.Sprintf("%s %s %d-%d", route, trip, first, last))
			}
		}
	}
	return strings.Join(list, "\n")
}

// TestTravelPackOfOddFeeds follows feeds with oddities from their files to the runs of days.
func TestTravelPackOfOddFeeds(t *testing.T) {
	feeds := oddfeeds.Feeds()
	table, _ := travelPack(t, travelRegion(t, [2]string{"bus", writeFeed(t, feeds["bus"])}, [2]string{"rail", writeFeed(t, feeds["rail"])}))
	tt := table.Timetable
	if len(table.Feeds) != 2 || table.Feeds[0].Source != "town/bus" || len(table.Feeds[0].Ground.Ends) != 1 ||
		tt.Feeds[0].Tuesday.String() != "2025-03-04" ||
		tt.Feeds[1].Saturday.String() != "2025-03-15" {
		t.Errorf("feeds %+v %+v", table.Feeds, tt.Feeds)
	}
	exact := ""
	for start := 6 * 3600; start < 8*3600; start += 900 {
		exact += fmt.Sprintf("Shuttle exactly %d-%d\n", start, start+420)
	}
	// the express is in a lane of its own, and the night bus of the day before comes first
	const buses = "5 bus 28800-30600\n5 express 29100-29640\n5 night -600-1800\n5 night 85800-88200\n5 limited 32400-33300\n"
	shuttles := "Shuttle about every 600 from 21600 to 31801\nShuttle about every 1200 from 32400 to 78001\n" + exact
	for name, c := range map[string]struct {
		day  *timetable.Day
		want string
	}{
		"Tuesday":  {tt.Typical(time.Tuesday), buses + shuttles + "T train 30000-30480"},
		"Saturday": {tt.Typical(time.Saturday), "5 night -600-1800\n5 night 85800-88200"},
		"a holiday": {tt.Day(timetable.NewDate(2025, 3, 18)), "5 night -600-1800\n5 alone 43200-45000\nT train 30000-30480\n" +
			"5 night 85800-88200"}, // the rail's: the bus has none,
		"after it": {tt.Day(timetable.NewDate(2025, 4, 20)), ""},
	} {
		if got := runs(c.day); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
	var names []string
	for s := range uint32(tt.Stops()) {
		names = append(names, tt.StopNames.At(s))
	}
	if got := strings.Join(names, " "); got != "Alder Birch Cedar Date Cedar Station Elm Alder Cedar Date" {
		t.Errorf("stops %s, of the second feed those of the holiday alone", got)
	}
	if len(table.Changes) != 1 || table.Changes[0] != (packed.Change{From: 2, To: 2, Kind: 2, Seconds: 90}) {
		t.Errorf("changes %v", table.Changes)
	}
}

// TestTravelPackOfFeedsTwice adds the same feed in two regions and two sources: it counts once.
func TestTravelPackOfFeedsTwice(t *testing.T) {
	bus := [2]string{"bus", writeFeed(t, oddfeeds.Feeds()["bus"])}
	once, size := travelPack(t, travelRegion(t, bus))
	again, same := travelPack(t, travelRegion(t, bus))
	if size != same || len(once.Timetable.Trips) != len(again.Timetable.Trips) {
		t.Errorf("%d bytes, then %d", size, same)
	}
	twice, _ := travelPack(t, travelRegion(t, bus, [2]string{"copy", bus[1]}), travelRegion(t, bus))
	if len(twice.Feeds) != 3 || len(twice.Timetable.Trips) != len(once.Timetable.Trips) || twice.Timetable.Stops() != once.Timetable.Stops() {
		t.Errorf("%d feeds, %d trips, %d stops", len(twice.Feeds), len(twice.Timetable.Trips), twice.Timetable.Stops())
	}
	if none, _ := travelPack(t); len(none.Feeds) != 0 || none.Timetable.Stops() != 0 {
		t.Error("a release without regions with feeds has some")
	}
}

// TestTravelPackOfRealFeeds measures the pack of feeds of cities. Porto Alegre's lie outside North America: their copies lie in Texas.
func TestTravelPackOfRealFeeds(t *testing.T) {
	for _, c := range []struct {
		path         string
		trips, calls int // rows of trips.txt and stop_times.txt, less those of issues
		moved        bool
	}{
		{"formats/trois_rivieres_gtfs.zip", 0, 0, false}, {"formats/saguenay_gtfs.zip", 0, 0, false},
		{"us-portland/gtfs/trimet-2routes-2021.zip", 0, 0, false}, {"us-portland/gtfs/trimet-vermont-2018", 0, 0, false},
		{"us-seattle/gtfs/seattle-area-2017", 0, 0, false},
		{"formats/travel/poa-r5r/poa_eptc.zip", 2374, 130_019, true}, {"formats/travel/poa-r5r/poa_trensurb.zip", 1248, 14_855, true},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) {
			path := testenv.Data(c.path)
			testenv.SkipWithoutData(t, path)
			if c.moved {
				path = inTexas(t, path)
			}
			begun := time.Now()
			region := travelRegion(t, [2]string{"feed", path})
			derived := time.Now()
			table, bytes := travelPack(t, region)
			written := time.Now()
			trips, calls := len(table.Timetable.Trips), len(table.Timetable.Arrivals)
			if c.trips > 0 && (trips != c.trips || calls != c.calls) || trips == 0 {
				t.Errorf("%d trips with %d calls", trips, calls)
			}
			day := table.Timetable.Typical(time.Tuesday)
			t.Logf("%d trips, %d calls, %d bytes, %.1f a call; %.2f s to derived rows, %.2f s to the pack; Tuesday %v with %d trips in %d lanes",
				trips, calls, bytes, float64(bytes)/float64(calls), derived.Sub(begun).Seconds(), written.Sub(derived).Seconds(), day.Dates,
				len(day.LaneTrips), len(day.Lanes))
			if bytes > 120*int64(calls) {
				t.Errorf("%d bytes for %d calls", bytes, calls)
			}
		})
	}
}

// inTexas copies a feed of Porto Alegre with its stops in Texas.
func inTexas(t *testing.T, path string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, texas.Feed(path, dir))
	return dir
}

// TestTownsFromDoorToDoor opens the streets and timetables of the towns: lines are faster than feet somewhere, and cars than both.
func TestTownsFromDoorToDoor(t *testing.T) {
	r, err := release.Open(filepath.Join(townsDir(t), "first"))
	require.NoError(t, err)
	defer r.Done()
	stops := r.Travel.Timetable.StopAt
	faster := map[doors.Mode]int{}
	for _, from := range stops[:min(len(stops), 20)] {
		var minutes [doors.Transit + 1][]doors.Minutes
		for mode := range doors.Transit + 1 {
			o := doors.Defaults(mode)
			o.MaxWalk = 60
			minutes[mode], err = r.Travel.Times(t.Context(), from, stops, o)
			require.NoError(t, err)
			for i, m := range minutes[mode] {
				if walk := minutes[doors.Walk][i]; m >= 0 && m < walk {
					faster[mode]++
				} else if mode == doors.Transit && walk >= 0 && walk < 60 && m != walk {
					t.Errorf("%d minutes by transit, %d on foot", m, walk)
				}
			}
		}
	}
	if t.Logf("faster than on foot: %v", faster); len(faster) != 3 {
		t.Error("some mode is never faster than walking")
	}
}
