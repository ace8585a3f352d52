package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"quartier/build/travel"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/internal/pack/packtest"
	packed "quartier/internal/pack/travel"
	"quartier/internal/sqlrow"
	doors "quartier/internal/travel"
	"quartier/internal/travel/timetable"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// odd is a feed with what publishers get wrong. Stops A to D are 1 km apart along a street, F is 3 km east of it. Clocks are put forward
// on Sunday 2025-03-09.
func odd() map[string]string {
	return map[string]string{
		"agency.txt": "agency_name,agency_url,agency_timezone\nOdd,https://odd.example,America/Toronto\n",
		"stops.txt": "stop_id,stop_name,stop_lat,stop_lon\nA,Alder,44.9,-72.6\nB,Birch,44.909,-72.6\nC,Cedar,44.918,-72.6\n" +
			"D,Date,44.927,-72.6\nF,Far,44.909,-72.56\n",
		"routes.txt": "route_id,route_short_name,route_type\nL,5,3\n",
		"trips.txt": "route_id,service_id,trip_id\nL,all,loop\nL,all,back\nL,all,far\nL,none,ghost\nL,all,night\nL,all,blank\nL,all,single\n" +
			"L,all,early\n",
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
			"loop,08:00:00,08:00:00,A,1\nloop,08:05:00,08:05:00,B,2\nloop,08:10:00,08:10:00,A,3\nloop,08:20:00,08:20:00,D,4\n" +
			"back,09:00:00,09:00:00,A,1\nback,08:55:00,08:55:00,D,2\n" +
			"far,10:00:00,10:00:00,A,1\nfar,10:05:00,10:05:00,F,2\nfar,10:10:00,10:10:00,D,3\n" +
			"ghost,11:00:00,11:00:00,A,1\nghost,11:01:00,11:01:00,D,2\n" +
			"night,23:50:00,23:50:00,A,1\nnight,24:20:00,24:20:00,D,2\n" +
			"blank,,,A,1\nblank,13:01:00,13:01:00,D,2\nsingle,14:00:00,14:00:00,A,1\n" +
			"early,15:00:00,15:00:00,A,1\nearly,15:10:00,15:05:00,B,2\nearly,15:20:00,15:20:00,D,3\n",
		"calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n" +
			"all,1,1,1,1,1,1,1,20250303,20250330\n",
	}
}

// oddWorld is the world of feeds on the street of their stops, with the codes of the issues of ingest and the notes of the build.
func oddWorld(t *testing.T, feeds ...[2]string) (*doors.World, map[string]int64, []string) {
	t.Helper()
	region := travelRegion(t, feeds...)
	db, err := duck.Open(filepath.Join(filepath.Dir(region.Derived), "staged.duckdb"))
	require.NoError(t, err)
	defer db.Close()
	codes := map[string]int64{}
	for r, err := range sqlrow.Select[staged.Issue](t.Context(), db, "SELECT * FROM source_issue") {
		require.NoError(t, err)
		codes[r.Code] += r.Rows
	}
	street := packtest.Open(t, func(out *pack.Writer) error {
		w := access.NewWriter(out, 300)
		for range 2 {
			require.NoError(t, w.AddNode(&[schemas.ChannelCount]uint16{}))
		}
		require.NoError(t, w.AddHull(orb.Ring{{-72.7, 44.8}, {-72.5, 44.8}, {-72.5, 45}, {-72.7, 45}, {-72.7, 44.8}}))
		require.NoError(t, w.AddEdge(access.Edge{A: 0, B: 1, LengthM: 4112}, []coord.Point{oddPoint(44.895), oddPoint(44.932)}))
		return w.Finish()
	})
	path := filepath.Join(t.TempDir(), schemas.TravelPack)
	notes, err := travel.Write(t.Context(), []travel.Region{region}, street.Path(), path)
	require.NoError(t, err)
	file, err := pack.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	on, err := access.Open(street)
	require.NoError(t, err)
	world, err := packed.OpenWorld(file, on)
	require.NoError(t, err)
	return world, codes, notes
}

func oddPoint(lat float64) coord.Point {
	p, _ := coord.NewPoint(-72.6, lat)
	return p
}

// TestOddFeedsFromFilesToAnswers: each thing that is wrong has its issue, and no answer is by a trip that a feed does not have.
func TestOddFeedsFromFilesToAnswers(t *testing.T) {
	feed := writeFeed(t, odd())
	world, codes, notes := oddWorld(t, [2]string{"odd", feed})
	want := map[string]int64{"trip_goes_back_in_time": 1, "unknown_service": 1, "trip_without_times": 1, "trip_with_one_call": 1,
		"departure_before_arrival_moved": 1}
	for code, n := range want {
		if codes[code] != n {
			t.Errorf("%d issues %s, want %d; all: %v", codes[code], code, n, slices.Sorted(maps.Keys(codes)))
		}
	}
	if place, ok := world.Stops.Place(stopNamed(t, world, "Far")); ok {
		t.Errorf("the stop far from the street is at %v", place)
	}
	if want := "timetable of source town/odd: no street is within 1000 m of 1 of its 4 stops, so that nobody gets on or off there; " +
		"the first is Far at 44.90900, -72.56000"; !slices.Equal(notes, []string{want}) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	twice, _, _ := oddWorld(t, [2]string{"odd", feed}, [2]string{"again", feed})
	sunday := timetable.NewDate(2025, 3, 9)
	for _, c := range []struct {
		name        string
		date        timetable.Date
		depart      int32
		window      int
		percentiles []int
		want        []doors.Minutes // from A to D
	}{
		{"a loop is left at its end, and waited for once", 0, 7*3600 + 55*60, 1, []int{50}, []doors.Minutes{25}},
		{"and boarded where it comes again", 0, 8*3600 + 5*60, 1, []int{50}, []doors.Minutes{15}},
		{"a trip back in time does not run", 0, 8*3600 + 58*60, 1, []int{50}, []doors.Minutes{-1}},
		{"a stop far from streets is passed", 0, 9*3600 + 59*60, 1, []int{50}, []doors.Minutes{11}},
		{"a trip without a calendar does not run", 0, 10*3600 + 59*60, 1, []int{50}, []doors.Minutes{-1}},
		{"nor one without its first time", 0, 13 * 3600, 1, []int{50}, []doors.Minutes{-1}},
		{"nor one with a single call", 0, 13*3600 + 59*60, 1, []int{50}, []doors.Minutes{-1}},
		{"a departure before the arrival is moved", 0, 14*3600 + 59*60, 1, []int{50}, []doors.Minutes{21}},
		{"a window over midnight: 20 of 60 departures", 0, 23*3600 + 30*60, 60, []int{5, 25, 50}, []doors.Minutes{33, 45, -1}},
		{"the night bus of the day before", 0, 0, 1, []int{50}, []doors.Minutes{-1}},
		{"that runs an hour later by the clock of the day without it", sunday, 40 * 60, 1, []int{50}, []doors.Minutes{40}},
		{"and not a week later", sunday + 7, 40 * 60, 1, []int{50}, []doors.Minutes{-1}},
		{"the first day", timetable.NewDate(2025, 3, 3), 7*3600 + 55*60, 1, []int{50}, []doors.Minutes{25}},
		{"after the last day all is unknown", timetable.NewDate(2025, 4, 20), 7*3600 + 55*60, 1, []int{50}, []doors.Minutes{-2}},
	} {
		o := doors.Defaults(doors.Transit)
		o.Day, o.Depart, o.Window, o.Percentiles, o.MaxWalk, o.MaxMinutes = doors.Day{Weekday: time.Tuesday, Date: c.date}, c.depart, c.window,
			c.percentiles, 5, 55
		for name, w := range map[string]*doors.World{"once": world, "twice": twice} {
			got, err := w.Times(t.Context(), oddPoint(44.9), []coord.Point{oddPoint(44.927)}, o)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s, the feed %s: %v, %v; want %v", c.name, name, got, err, c.want)
			}
		}
	}
}

// TestNightsOfChangedClocks follows trips around midnight from a feed to answers, on usual days and where clocks are changed: on
// Sunday 2025-03-09 the service day begins 23 hours after that of Saturday, on 2025-11-02 25 hours.
func TestNightsOfChangedClocks(t *testing.T) {
	files := odd()
	files["calendar.txt"] = strings.Replace(files["calendar.txt"], "20250303,20250330", "20250224,20251130", 1)
	files["trips.txt"] = "route_id,service_id,trip_id\nL,all,dawn\nL,all,day\nL,all,evening\nL,all,late\n"
	files["stop_times.txt"] = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" +
		"dawn,00:40:00,00:40:00,A,1\ndawn,01:10:00,01:10:00,D,2\nday,12:00:00,12:00:00,A,1\nday,12:30:00,12:30:00,D,2\n" +
		"evening,23:50:00,23:50:00,A,1\nevening,24:20:00,24:20:00,D,2\nlate,25:30:00,25:30:00,A,1\nlate,26:00:00,26:00:00,D,2\n"
	world, _, _ := oddWorld(t, [2]string{"night", writeFeed(t, files)})
	spring, autumn, usual := timetable.NewDate(2025, 3, 9), timetable.NewDate(2025, 11, 2), timetable.NewDate(2025, 6, 8)
	for _, c := range []struct {
		name   string
		date   timetable.Date
		depart int32 // minutes
		window int
		want   []doors.Minutes // 25 and 50 % from A to D
		trip   string          // of the journey
		on     timetable.Date  // its service
	}{
		{"an hour over midnight", usual - 1, 23*60 + 30, 60, []doors.Minutes{43, 50}, "evening", usual - 1},
		{"over the short night", spring - 1, 23*60 + 30, 60, []doors.Minutes{38, -1}, "dawn", spring},
		{"over the long night", autumn - 1, 23*60 + 30, 60, []doors.Minutes{45, -1}, "evening", autumn - 1},
		{"after midnight", usual, 20, 1, []doors.Minutes{50, 50}, "dawn", usual},
		{"in the short night", spring, 20, 1, []doors.Minutes{50, 50}, "dawn", spring},
		{"in the long night by the bus of Saturday", autumn, 20, 1, []doors.Minutes{40, 40}, "late", autumn - 1},
		{"that usually leaves at half past one", usual, 80, 1, []doors.Minutes{40, 40}, "late", usual - 1},
		{"and in the short night an hour later", spring, 140, 1, []doors.Minutes{40, 40}, "late", spring - 1},
		{"when it is gone usually", usual, 140, 1, []doors.Minutes{-1, -1}, "", 0},
		{"and in the long night", autumn, 80, 1, []doors.Minutes{-1, -1}, "", 0},
		{"noon is noon in spring", spring, 11*60 + 55, 1, []doors.Minutes{35, 35}, "day", spring},
		{"and in autumn", autumn, 11*60 + 55, 1, []doors.Minutes{35, 35}, "day", autumn},
		{"the night after is usual", autumn + 1, 80, 1, []doors.Minutes{40, 40}, "late", autumn},
	} {
		o := doors.Defaults(doors.Transit)
		o.Day, o.Depart, o.Window, o.MaxWalk, o.MaxMinutes = doors.Day{Date: c.date}, 60*c.depart, c.window, 5, 55
		o.Percentiles = []int{25, 50}
		got, err := world.Times(t.Context(), oddPoint(44.9), []coord.Point{oddPoint(44.927)}, o)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
		way, found, err := world.Journey(t.Context(), oddPoint(44.9), oddPoint(44.927), o, 25)
		if err != nil || found != (c.trip != "") {
			t.Fatalf("%s: a journey %v, %v", c.name, found, err)
		}
		for _, leg := range way.Legs {
			if ride := leg.Ride; ride != nil && (ride.Trip != c.trip || ride.Date != c.on || leg.Seconds != 1800) {
				t.Errorf("%s: %s of %v in %d s", c.name, ride.Trip, ride.Date, leg.Seconds)
			}
		}
	}
	for i, feed := range world.Timetable.Feeds {
		for _, day := range []timetable.Date{feed.Saturday, feed.Sunday} {
			if day == spring-1 || day == spring || day == autumn-1 || day == autumn {
				t.Errorf("feed %d: clocks are changed in the night of the typical %v", i, day)
			}
		}
	}
}

func stopNamed(t *testing.T, w *doors.World, name string) uint32 {
	t.Helper()
	for stop := range uint32(w.Timetable.Stops()) {
		if w.Timetable.StopNames.At(stop) == name {
			return stop
		}
	}
	t.Fatalf("no stop %s", name)
	return 0
}

// TestManyTripsOfOneStop: 50,000 trips that leave one stop, of which every third overtakes the one before.
func TestManyTripsOfOneStop(t *testing.T) {
	const trips = 50_000
	files := odd()
	var list, times strings.Builder
	list.WriteString("route_id,service_id,trip_id\n")
	times.WriteString("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n")
	clock := func(s int) string { return timetable.TimeOfDay(int32(s)) }
	for i := range trips {
		leaves := i * 86400 / trips
		ride := []int{600, 900, 300}[i%3]
		fmt.Fprintf(&list, "L,all,%d\n", i)
		fmt.Fprintf(&times, "%d,%s,%s,A,1\n%d,%s,%s,D,2\n", i, clock(leaves), clock(leaves), i, clock(leaves+ride), clock(leaves+ride))
	}
	files["trips.txt"], files["stop_times.txt"] = list.String(), times.String()
	world, _, _ := oddWorld(t, [2]string{"many", writeFeed(t, files)})
	o := doors.Defaults(doors.Transit)
	o.Percentiles = []int{5, 95}
	begun := time.Now()
	got, err := world.Times(t.Context(), oddPoint(44.9), []coord.Point{oddPoint(44.927)}, o)
	if err != nil || !slices.Equal(got, []doors.Minutes{6, 6}) { // 30 s, at most three trips, and five minutes
		t.Errorf("%v %v", got, err)
	}
	t.Logf("%v with the first search of the day", time.Since(begun))
}
