package gtfs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
	"quartier/schemas/schedule"
)

// trips are the staged trips as "id of service to headsign: stop arrival-departure flags …", times as seconds.
func tripsOf(t *testing.T, out *sourcetest.Record) (list []string) {
	t.Helper()
	for _, trip := range out.Trips {
		p := out.Patterns[trip.Pattern]
		stops, err := schedule.Stops(p.Calls)
		if err != nil {
			t.Fatal(err)
		}
		times, err := schedule.Times(nil, trip.Times)
		if err != nil || len(times) != 2*len(stops) || len(p.Flags) != len(stops) {
			t.Fatalf("trip %s: %d times, %d stops, %d flags, %v", trip.TripKey, len(times), len(stops), len(p.Flags), err)
		}
		text := fmt.Sprintf("%s of %s to %s:", trip.TripKey, out.Days[trip.Service].ServiceKey, trip.Headsign)
		for i, stop := range stops {
			text += fmt.Sprintf(" %s %d-%d", strings.TrimPrefix(out.CallStops[stop].StopKey, "gtfs:s:"), times[2*i], times[2*i+1])
			if p.Flags[i] != 0 {
				text += fmt.Sprint(" ", p.Flags[i])
			}
		}
		list = append(list, text)
	}
	return list
}

const timedColumns = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"

func TestSchedules(t *testing.T) {
	const whole = "T2 of W to Alder: C 90000-90000 B 90360-90360 A 90540-90540"
	for _, c := range []struct {
		name    string
		files   map[string]string
		trips   string
		reasons map[string]int
	}{
		// B is a third of the way from A to C: 180 of 540 s, of which the part of a second is cut off
		{"blank times, over midnight", town(), "T1 of W to Cedar: A 28800-28800 B 28979-28979 C 29340-29340;" + whole, nil},
		{"one of two times", with(stopTimesFile, timedColumns+"T1,08:00:00,,A,1,,\nT1,,08:05:00,B,2,,\nT1,08:09:00,,C,3,,\n"),
			"T1 of W to Cedar: A 28800-28800 B 29100-29100 C 29340-29340", map[string]int{"trip_without_stops": 1}},
		{"no boarding, no alighting, a passage", with(stopTimesFile, timedColumns+
			"T1,08:00:00,08:00:00,A,1,0,1\nT1,08:05:00,08:05:00,B,2,1,1\nT1,08:09:00,08:09:00,C,3,1,0\n"),
			"T1 of W to Cedar: A 28800-28800 2 B 29100-29100 3 C 29340-29340 1",
			map[string]int{"trip_without_stops": 1, "no_boarding_or_alighting": 1}},
		{"back in time", with(stopTimesFile, timedColumns+
			"T1,08:00:00,08:00:00,A,1,,\nT1,07:05:00,07:05:00,B,2,,\nT2,08:00:00,08:00:00,A,1,,\nT2,08:05:00,08:04:00,B,2,,\n"),
			"T2 of W to Birch: A 28800-28800 B 29100-29100", map[string]int{"trip_goes_back_in_time": 1, "departure_before_arrival_moved": 1}},
		{"no times, one call", with(stopTimesFile, timedColumns+"T1,08:00:00,08:00:00,A,1,,\nT1,,,B,2,,\nT2,08:00:00,08:00:00,A,1,,\n"), "",
			map[string]int{"trip_without_times": 1, "trip_with_one_call": 1}},
		{"a loop, in any order, three days", with(stopTimesFile, timedColumns+
			"T1,72:00:00,72:00:00,A,30,,\nT2,08:00:00,08:00:00,C,1,,\nT1,24:00:00,24:10:00,B,20,,\nT1,23:00:00,23:00:00,A,5,,\n"),
			"T1 of W to Alder: A 82800-82800 B 86400-87000 A 259200-259200", map[string]int{"trip_with_one_call": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := read(t, folder(t, c.files), "")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(tripsOf(t, out), ";"); got != c.trips {
				t.Errorf("trips\n%s, want\n%s", got, c.trips)
			}
			if diff := cmp.Diff(c.reasons, out.Reasons()); diff != "" {
				t.Errorf("issues (-want +got):\n%s\n%v", diff, out.Issues)
			}
		})
	}
}

func TestDaysOfServices(t *testing.T) {
	out, err := read(t, folder(t, with(datesFile, "service_id,date,exception_type\nW,20210508,1\nW,20210504,2\n", agencyFile,
		"agency_name,agency_timezone\nTowns,America/Toronto\n")), "")
	if err != nil || len(out.Schedules) != 1 || len(out.Days) != 1 {
		t.Fatal(out.Schedules, out.Days, err)
	}
	if got := out.Schedules[0]; got != (source.Schedule{Timezone: "America/Toronto", FirstDay: "2021-05-03", Days: 26}) {
		t.Errorf("%+v", got)
	}
	var days []int
	for day := range 40 {
		if schedule.Days(out.Days[0].Days).Has(day) {
			days = append(days, day)
		}
	}
	if want := []int{0, 2, 3, 4, 5, 7, 8, 9, 10, 11}; !slices.Equal(days[:10], want) || len(days) != 20 {
		t.Errorf("%d days %v, want %v …", len(days), days, want)
	}
}

func TestHeadwaysAndTransfers(t *testing.T) {
	out, err := read(t, folder(t, with(
		frequenciesFile, "trip_id,start_time,end_time,headway_secs,exact_times\nT1,06:00:00,07:00:00,600,0\nT1,07:00:00,07:31:00,900,1\n"+
			"T1,07:00:00,08:00:00,900,1\n",
		stopsFile, "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nA,Alder,45.00,-75.00,0,S\nS,Station,45,-75,1,\n"+
			"B,Birch,45.01,-75.00,,S\nC,Cedar,45.03,-75,0,\nD,Date,45.04,-75,0,\n",
		transfersFile, "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id\nS,C,2,120,\nA,C,3,,\nC,C,,,\nC,D,0,,\n"+
			"C,A,4,,\nC,A,7,,\nC,A,2,x,\nC,Z,2,60,\nC,A,1,,T1\n", // nobody stops at D
	)), "")
	if err != nil {
		t.Fatal(err)
	}
	want := []source.ScheduleHeadway{{StartS: 21600, LastS: 24600, HeadwayS: 600}, {StartS: 25200, LastS: 27000, HeadwayS: 900, Exact: true}}
	if diff := cmp.Diff(want, out.Headways); diff != "" {
		t.Error(diff)
	}
	var transfers []string
	for _, v := range out.Transfers {
		min := int32(-1)
		if v.MinS != nil {
			min = *v.MinS
		}
		name := func(stop int32) string { return strings.TrimPrefix(out.CallStops[stop].StopKey, "gtfs:s:") }
		transfers = append(transfers, fmt.Sprint(name(v.FromStop), name(v.ToStop), v.Kind, min))
	}
	if got := strings.Join(transfers, ";"); got != "AC2 120;BC2 120;CC0 -1" {
		t.Error(got)
	}
	reasons := map[string]int{"headway_twice": 1, "in_seat_transfer": 1, "invalid_transfer": 2, "unknown_transfer_stop": 1,
		"transfer_of_some_trips": 1}
	if diff := cmp.Diff(reasons, out.Reasons()); diff != "" {
		t.Errorf("%s\n%v", diff, out.Issues)
	}
}

// TestBlankTimesOfPortoAlegre counts the calls of a feed of which 125,271 times are blank.
func TestBlankTimesOfPortoAlegre(t *testing.T) {
	path := testenv.Data("formats/travel/poa-r5r/poa_eptc.zip")
	testenv.SkipWithoutData(t, path)
	out, err := read(t, path, "")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, trip := range out.Trips {
		times, err := schedule.Times(nil, trip.Times)
		if err != nil {
			t.Fatal(err)
		}
		calls += len(times) / 2
	}
	if len(out.Trips) != 2374 || calls != 130_019 {
		t.Errorf("%d trips with %d calls", len(out.Trips), calls)
	}
}
