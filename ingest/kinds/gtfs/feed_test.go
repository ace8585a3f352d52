package gtfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/ingest/staging"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
	schemas "quartier/schemas/staged"
)

// town is a small feed that is right: one bus line, three stops, Monday to Friday in May 2021.
func town() map[string]string {
	return map[string]string{
		stopsFile:  "stop_id,stop_name,stop_lat,stop_lon\nA,Alder,45.00,-75.00\nB,Birch,45.01,-75.00\nC,Cedar,45.03,-75.00\n",
		routesFile: "route_id,route_short_name,route_long_name,route_type\nR,5,Trees,3\n",
		tripsFile:  "route_id,service_id,trip_id,direction_id\nR,W,T1,0\nR,W,T2,1\n",
		calendarFile: "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n" +
			"W,1,1,1,1,1,0,0,20210503,20210530\n",
		stopTimesFile: "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,08:00:00,08:00:00,A,1\nT1,,,B,2\n" +
			"T1,08:09:00,08:09:00,C,3\n" +
			"T2,25:00:00,25:00:00,C,1\nT2,,,B,2\nT2,25:09:00,25:09:00,A,3\n",
	}
}

// with is the town with some files put in the place of its own; "" takes one away.
func with(changes ...string) map[string]string {
	files := town()
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == "" {
			delete(files, changes[i])
		} else {
			files[changes[i]] = changes[i+1]
		}
	}
	return files
}

// folder writes the files of a feed.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t testing.TB, path, options string) (*sourcetest.Record, error) {
	t.Helper()
	out := &sourcetest.Record{}
	return out, Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, options)}, out)
}

// services are the rows as "stop route direction trips", with ; between them.
func services(out *sourcetest.Record) string {
	var rows []string
	for _, v := range out.Services {
		rows = append(rows, fmt.Sprintf("%s %s %d %d", strings.TrimPrefix(v.StopKey, "gtfs:s:"), strings.TrimPrefix(v.RouteKey, "gtfs:s:"),
			v.Direction, v.TripsWeek))
	}
	return strings.Join(rows, ";")
}

func TestFeeds(t *testing.T) {
	const times = "trip_id,stop_id,stop_sequence,pickup_type,drop_off_type\n"
	for _, c := range []struct {
		name     string
		files    map[string]string
		services string
		reasons  map[string]int
	}{
		{"as it should be", town(), "A R 0 5;A R 1 5;B R 0 5;B R 1 5;C R 0 5;C R 1 5", nil},
		{"no directions", with(tripsFile, "route_id,service_id,trip_id\nR,W,T1\nR,W,T2\n"), "A R 0 10;B R 0 10;C R 0 10", nil},
		{"dates that add and remove", with(datesFile,
			"service_id,date,exception_type\nW,20210508,1\nW,20210515,1\nW,20210522,1\nW,20210529,1\nW,20210504,2\nW,20210511,2\nW,20210512,2\n"+
				"W,20210513,2\n"),
			"A R 0 5;A R 1 5;B R 0 5;B R 1 5;C R 0 5;C R 1 5", nil},
		{"headways",
			with(frequenciesFile, "trip_id,start_time,end_time,headway_secs,exact_times\nT1,06:00:00,07:00:00,600,0\nT1,07:00:00,07:31:00,900,1\n"),
			"A R 0 45;A R 1 5;B R 0 45;B R 1 5;C R 0 45;C R 1 5", nil},
		{"no headways", with(frequenciesFile, "trip_id,start_time,end_time,headway_secs\n"), "A R 0 5;A R 1 5;B R 0 5;B R 1 5;C R 0 5;C R 1 5",
			nil},
		{"bad headways", with(frequenciesFile, "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,07:00:00,0\nT9,06:00:00,07:00:00,600\n"),
			"A R 0 5;A R 1 5;B R 0 5;B R 1 5;C R 0 5;C R 1 5", map[string]int{"invalid_headway": 1, "unknown_trip": 1}},
		{"headways in minutes", with(frequenciesFile,
			"trip_id,start_time,end_time,headway_secs\nT1,06:00:00,07:00:00,5\nT1,06:00:00,07:00:00,29\nT2,06:00:00,06:01:00,30\n"),
			"A R 0 5;A R 1 10;B R 0 5;B R 1 10;C R 0 5;C R 1 10", map[string]int{"implausible_headway": 2}},
		{"a loop, in any order, with a passage", with(stopTimesFile, times+"T2,B,1,0,0\nT1,A,30,1,0\nT1,B,20,1,1\nT1,C,10,0,0\nT1,A,5,0,1\n"),
			"A R 0 5;B R 1 5;C R 0 5", map[string]int{"no_boarding_or_alighting": 1, "trip_with_one_call": 1, "trip_without_times": 1}},
		{"references that dangle", with(
			tripsFile, "route_id,service_id,trip_id\nR,W,T1\nQ,W,T2\nR,X,T3\nR,W,T4\nR,W,T1\n",
			stopTimesFile, times+"T1,A,1,0,0\nT1,Z,2,0,0\nT1,B,x,0,0\nT2,A,1,0,0\nT3,A,1,0,0\nT5,A,1,0,0\n"), "A R 0 5",
			map[string]int{"unknown_route": 1, "unknown_service": 1, "duplicate_key: trip_id": 1, "unknown_stop": 1, "unknown_trip": 1,
				"invalid_stop_sequence": 1, "stop_time_of_skipped_trip": 2, "trip_without_stops": 1, "trip_with_one_call": 1}},
		{"less than a week", with(calendarFile, "", datesFile, "service_id,date,exception_type\nW,20210503,1\nW,20210504,1\n"),
			"A R 0 2;A R 1 2;B R 0 2;B R 1 2;C R 0 2;C R 1 2", map[string]int{"short_service_period": 1}},
		{"more fields than columns", with(routesFile, "route_id,route_type\nR,3,\nS,3,4\n"), "A R 0 5;A R 1 5;B R 0 5;B R 1 5;C R 0 5;C R 1 5",
			map[string]int{"wrong_field_count": 1}},
		{"a taxi and what nobody knows", with(routesFile, "route_id,route_type\nR,3\nS,1500\nQ,77\n", tripsFile,
			"route_id,service_id,trip_id\nR,W,T1\nS,W,T2\n"),
			"A R 0 5;B R 0 5;C R 0 5", map[string]int{"excluded_route_type": 1, "unknown_route_type": 1, "trip_of_skipped_route": 1,
				"stop_time_of_skipped_trip": 3}},
		{"stations and entrances", with(stopsFile,
			"stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nA,Alder,45.00,-75.00,0,S\nS,Station,45,-75,1,\nE,Door,45,-75,2,S\n"+
				"B,Birch,45.01,-75.00,,Q\nC,Cedar,,,0,\n"),
			"A R 0 5;A R 1 5;B R 0 5;B R 1 5", map[string]int{"not_a_stop": 1, "unknown_parent_station_removed": 1, "missing_geometry": 1,
				"unknown_stop": 2, "trip_without_times": 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := read(t, folder(t, c.files), "")
			if err != nil {
				t.Fatal(err)
			}
			if got := services(out); got != c.services {
				t.Errorf("services %s, want %s", got, c.services)
			}
			if diff := cmp.Diff(c.reasons, out.Reasons()); diff != "" {
				t.Errorf("issues (-want +got):\n%s\n%v", diff, out.Issues)
			}
		})
	}
}

func TestSpacing(t *testing.T) {
	out, err := read(t, folder(t, town()), "")
	if err != nil || len(out.Routes) != 1 || out.Routes[0].SpacingM == nil {
		t.Fatalf("%+v %v", out.Routes, err)
	}
	// 0.01 and 0.02 degrees of latitude each way: 1,111 m twice and 2,223 m twice, of which the lower median is the former
	if got := *out.Routes[0].SpacingM; got < 1110 || got > 1113 {
		t.Errorf("stops are %v m apart", got)
	}
}

// A feed without a trip on any day is refused, whatever became of its trips.
func TestNothingLeft(t *testing.T) {
	const week = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
	const dates = "service_id,date,exception_type\n"
	const dangling = "none of its 2 trips runs on any day: 2× unknown_service (The service of the trip is in no calendar file.)"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no weekday":      {with(calendarFile, week+"W,0,0,0,0,0,0,0,20210503,20210530\n"), "2× service_without_days"},
		"weeks alone":     {with(calendarFile, week), dangling},
		"dates alone":     {with(calendarFile, "", datesFile, dates), dangling},
		"both":            {with(calendarFile, week, datesFile, dates), dangling},
		"weeks gone":      {with(calendarFile, "", datesFile, dates+"W,20210503,2\n"), "2× service_without_days"},
		"a bad week":      {with(calendarFile, week+"W,1,1,1,1,1,0,0,2021-05-03,2021-05-30\n"), dangling},
		"a bad date":      {with(calendarFile, week, datesFile, dates+"W,20210503,3\n"), dangling},
		"a week too long": {with(calendarFile, week+"W,1,1,1,1,1,0,0,20210503,20210530,5\n"), dangling},
		"another service": {with(calendarFile, week+"V,1,1,1,1,1,0,0,20210503,20210530\n"), dangling},
		"all times are wrong": {with(stopTimesFile,
			"trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,07:00:00,07:00:00,nowhere,1\n"),
			"none of its 2 trips of the timetable week stops anywhere"},
	} {
		if _, err := read(t, folder(t, c.files), ""); !errors.Is(err, source.ErrNothingLeft) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Trips whose service is in no calendar file are a share of the trips, not of all rows of the feed.
func TestShareOfTrips(t *testing.T) {
	trips, times := "route_id,service_id,trip_id,direction_id\n", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
	for i := range 10 {
		service := "W"
		if i < 3 {
			service = "gone"
		}
		trips += fmt.Sprintf("R,%s,T%d,0\n", service, i)
		for k := range 30 {
			times += fmt.Sprintf("T%d,07:%02d:00,07:%02d:00,%c,%d\n", i, k, k, "ABC"[k%3], k)
		}
	}
	spatialitetest.Need(t)
	file, err := staging.Create(filepath.Join(t.TempDir(), "staged.duckdb"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	path := folder(t, with(tripsFile, trips, stopTimesFile, times))
	about := staging.Source{Source: schemas.Source{SourceID: "s", Kind: "gtfs", Path: "feed", SHA256: "0", AsOf: "2021-01-01", Licence: "none",
		Attribution: "none"}}
	_, err = file.Stage(t.Context(), about, func(out source.Sink) error {
		return Kind.Stage(t.Context(), source.Input{Source: "s", Path: path}, out)
	})
	if !errors.Is(err, source.ErrTooManyRejects) ||
		!strings.Contains(err.Error(), "file feed, trips.txt: 3 of 10 rows rejected, more than the 20 % allowed: 3× unknown_service") {
		t.Error(err)
	}
}

func TestCoordinates(t *testing.T) {
	for _, c := range []struct{ lat, lon, want string }{
		{"45", "-75", ""}, {"0", "-75", ""}, {"-90", "180", ""},
		{"", "-75", "missing_geometry"}, {"45", "", "missing_geometry"},
		{"45,5", "-75", "invalid_coordinate"}, {"45", "NaN", "invalid_coordinate"}, {"Inf", "-75", "invalid_coordinate"},
		{"-91", "45", "coordinate_out_of_range"}, {"4500000", "-75", "coordinate_out_of_range"}, {"45", "180.1", "coordinate_out_of_range"},
		{"0", "0.0", "zero_coordinates"},
	} {
		if _, got := point([]byte(c.lon), []byte(c.lat)); got.Code != c.want {
			t.Errorf("%s, %s: %v, want %q", c.lat, c.lon, got, c.want)
		}
	}
	out, err := read(t, folder(t, with(stopsFile,
		"stop_id,stop_name,stop_lat,stop_lon\nA,Alder,45,-75\nB,Birch,-75,145\nC,Cedar,-175,45\nD,Date,0,0\nE,Elm,x,-75\nF,Fir,,\n")), "")
	if err != nil || len(out.Stops) != 2 {
		t.Fatalf("%+v %v", out.Stops, err)
	}
	want := map[string]int{"coordinate_out_of_range": 1, "zero_coordinates": 1, "invalid_coordinate": 1,
		"missing_geometry": 1, "unknown_stop": 2, "trip_without_times": 2}
	if diff := cmp.Diff(want, out.Reasons()); diff != "" {
		t.Error(diff)
	}
}

func TestNames(t *testing.T) {
	french := "feed_publisher_name,feed_publisher_url,feed_lang\nSociété,x,fr-CA\n"
	for _, c := range []struct {
		name, info, translations, want string
	}{
		{"English, nothing translated", "", "", "Alder|;Birch|"},
		{"English, old layout", "", "trans_id,lang,translation\nAlder,fr,Aulne\nBirch,de,Birke\n", "Alder|Aulne;Birch|"},
		{"French, by record and by text", french,
			"table_name,field_name,language,translation,record_id,field_value\nstops,stop_name,en,The Alder,A,\nstops,stop_name,en,The " +
				"Birch,,Birch\nstops,stop_desc,en,No,A,\n",
			"The Alder|Alder;The Birch|Birch"},
		{"French, not translated", french, "table_name,field_name,language,translation\n", "Alder|;Birch|"},
	} {
		out, err := read(t, folder(t, with(feedInfoFile, c.info, translationsFile, c.translations)), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s|%s;%s|%s", out.Stops[0].Name, out.Stops[0].NameFR, out.Stops[1].Name, out.Stops[1].NameFR); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	out, err := read(t, folder(t, with(routesFile, "route_id,route_short_name,route_long_name,route_type,agency_id\nR,,Trees,3,\nS,,,2,no\n",
		agencyFile, "agency_name,agency_id\nTown,1\n")), "")
	if err != nil || out.Routes[0].Name != "Trees" || out.Routes[0].Agency != "Town" || out.Routes[1].Name != "S" ||
		out.Routes[1].Agency != "Town" && out.Routes[1].Agency != "" {
		t.Errorf("%+v %v", out.Routes, err)
	}
	want := map[string]int{"unknown_agency_removed": 1}
	if diff := cmp.Diff(want, out.Reasons()); diff != "" {
		t.Error(diff)
	}
}

// TestRegionNord reads a feed of Norway without calendar.txt, whose stops are in another encoding than its routes. The sums
// are of an independent count.
func TestRegionNord(t *testing.T) {
	path := testenv.Data("formats/gtfs/region-nord-2019")
	testenv.SkipWithoutData(t, path)
	out, err := read(t, path, "")
	if err != nil {
		t.Fatal(err)
	}
	sum := int32(0)
	for _, s := range out.Services {
		sum += s.TripsWeek
	}
	if len(out.Services) != 9175 || sum != 100_237 || out.Timetables[0].Week != "2019-01-07" || out.Timetables[0].Trips != 4171 {
		t.Errorf("%d services with %d trips, %+v", len(out.Services), sum, out.Timetables)
	}
	if got := out.Reasons(); got["assumed_windows_1252"] != 964 || len(got) != 1 || out.Stops[0].Name != "Olsøya" {
		t.Errorf("%v, %s", got, out.Stops[0].Name)
	}
}

func TestLatinText(t *testing.T) {
	out, err := read(t, folder(t, with(stopsFile,
		"stop_id,stop_name,stop_lat,stop_lon\nA,\xc9cole,45.00,-75.00\nB,Birch,45.01,-75.00\nC,Cedar,45.03,-75.00\n")), "")
	if err != nil || out.Stops[0].Name != "École" || out.Reasons()["assumed_windows_1252"] != 1 {
		t.Errorf("%+v %v %v", out.Stops, out.Reasons(), err)
	}
}

func TestBadFeeds(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no stops":         with(stopsFile, ""),
		"no calendar":      with(calendarFile, ""),
		"no trips":         with(tripsFile, ""),
		"no times":         with(stopTimesFile, ""),
		"stops without id": with(stopsFile, "stop_name,stop_lat,stop_lon\nA,45,-75\n"),
		"header alone":     with(stopTimesFile, "trip_id,stop_id,stop_sequence\n"),
		"cut in a quote":   with(stopsFile, "stop_id,stop_name,stop_lat,stop_lon\nA,\"Al"),
	} {
		path := folder(t, files)
		_, err := read(t, path, "")
		if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := folder(t, town())
	for _, options := range []string{"week: May", "week: 2022-05-03"} {
		if _, err := read(t, path, options); !errors.Is(err, source.ErrBadOptions) {
			t.Errorf("%s: %v", options, err)
		}
	}
}
