package travel

import (
	"testing"
	"time"

	"quartier/internal/sqlrow"
	"quartier/internal/timezone"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/schedule"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

func TestTypicalDays(t *testing.T) {
	first := time.Date(2025, 3, 3, 0, 0, 0, 0, time.UTC) // a Monday; clocks are changed on the next Sunday
	zone, err := timezone.Location("America/Toronto")
	if err != nil {
		t.Fatal(err)
	}
	weeks := func(trips ...int64) []int64 {
		var days []int64
		for _, n := range trips {
			days = append(days, 100, n, 100, 100, 100, 50, 0)
		}
		return days
	}
	for _, c := range []struct {
		name       string
		departures []int64
		week       int // of the timetable week, from 0
		day        time.Weekday
		want       string
	}{
		{"the one of the week", weeks(100, 100, 100, 100), 2, time.Tuesday, "2025-03-18"},
		{"a holiday in the week", weeks(100, 100, 40, 100, 100), 2, time.Tuesday, "2025-03-11"},
		{"calendars overlap in the week", weeks(100, 200, 100), 1, time.Tuesday, "2025-03-04"},
		{"of an even number the lower one", weeks(90, 100), 1, time.Tuesday, "2025-03-04"},
		{"far away", weeks(100, 0, 0, 0, 0, 0, 0), 6, time.Tuesday, "2025-03-04"},
		{"Saturdays", weeks(1, 1), 1, time.Saturday, "2025-03-15"},
		{"not the Saturday before clocks are changed", weeks(1, 1), 0, time.Saturday, "2025-03-15"},
		{"if there is another one", weeks(1), 0, time.Saturday, "2025-03-08"},
		{"no service on Sundays", weeks(100, 100), 1, time.Sunday, ""},
		{"nothing", nil, 0, time.Tuesday, ""},
	} {
		if got := typical(first, c.departures, first.AddDate(0, 0, 7*c.week), c.day, zone); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestStopsThatAreNotStaged takes them out of their trips.
func TestStopsThatAreNotStaged(t *testing.T) {
	r := regiontest.New(t)
	for i, key := range []string{"A", "B"} {
		regiontest.Stage(r, "stop", staged.Stop{SourceID: "s", SourceKey: key, Name: key,
			Lng: regiontest.Home[0] + float64(i)/100, Lat: regiontest.Home[1]})
	}
	for i, key := range []string{"A", "gone", "B"} {
		regiontest.Stage(r, "schedule_stop", staged.ScheduleStop{SourceID: "s", Stop: int32(i), StopKey: key})
	}
	regiontest.Stage(r, "route", staged.Route{SourceID: "s", SourceKey: "R", Name: "5", Mode: "bus"})
	regiontest.Stage(r, "schedule", staged.Schedule{SourceID: "s", FirstDay: "2025-03-03", Days: 7})
	days := schedule.NewDays(7)
	days.Add(1)
	regiontest.Stage(r, "schedule_service", staged.ScheduleService{SourceID: "s", ServiceKey: "W", Days: days})
	for i, key := range []string{"R", "lost"} {
		regiontest.Stage(r, "schedule_route", staged.ScheduleRoute{SourceID: "s", Route: int32(i), RouteKey: key, Kind: 3})
	}
	for i, p := range []struct {
		route int32
		stops []uint32
		times []uint32
	}{{0, []uint32{0, 1, 2}, []uint32{60, 60, 70, 75, 80, 80}}, {0, []uint32{0, 1}, []uint32{1, 1, 2, 2}},
		{1, []uint32{0, 2}, []uint32{1, 1, 2, 2}}} {
		regiontest.Stage(r, "schedule_pattern", staged.SchedulePattern{SourceID: "s", Pattern: int32(i), Route: p.route,
			Calls: schedule.AppendStops(nil, p.stops...), Flags: make([]byte, len(p.stops))})
		regiontest.Stage(r, "schedule_trip", staged.ScheduleTrip{SourceID: "s", Trip: int32(i), TripKey: "T", Pattern: int32(i),
			Times: schedule.AppendTimes(nil, p.times...)})
	}
	to := regiontest.Derived(t)
	issues, err := Timetables(t.Context(), r.Staged, to, &calibration.Standard().Coverage.Hull)
	if err != nil || len(issues) != 3 {
		t.Fatal(issues, err)
	}
	trips, err := sqlrow.All[derived.TravelTrip](t.Context(), to, "SELECT * FROM travel_trip")
	if err != nil || len(trips) != 1 {
		t.Fatal(trips, err)
	}
	if times, err := schedule.Times(nil, trips[0].Times); err != nil || len(times) != 4 || times[1] != 60 || times[2] != 80 {
		t.Error(times, err)
	}
	feeds, err := sqlrow.All[derived.TravelFeed](t.Context(), to, "SELECT * FROM travel_feed")
	if err != nil || len(feeds) != 1 || feeds[0].Tuesday != "2025-03-04" || feeds[0].Saturday != "" {
		t.Fatal(feeds, err)
	}
	if feeds[0].Ground != nil { // of two stops there is no hull
		t.Errorf("ground %x", feeds[0].Ground)
	}
}
