package truth

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
	"quartier/internal/travel/timetable"
)

// row is a row of a CSV file by column.
type row map[string]string

func (r row) number(column string) float64 {
	n, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		panic(fmt.Sprintf("%s of %v", column, r))
	}
	return n
}

func readCSV(t testing.TB, in io.Reader) (rows []row) {
	t.Helper()
	reader := csv.NewReader(in)
	reader.FieldsPerRecord, reader.LazyQuotes = -1, true
	records, err := reader.ReadAll()
	require.NoError(t, err)
	for _, record := range records[1:] {
		r := row{}
		for i, value := range record {
			r[strings.TrimSpace(strings.TrimPrefix(records[0][i], "\ufeff"))] = value
		}
		rows = append(rows, r)
	}
	return rows
}

// feeds reads feeds into a builder.
type feeds struct {
	*timetable.Builder
	stops map[string]uint32
}

func newFeeds(t testing.TB, paths ...string) *feeds {
	f := &feeds{Builder: timetable.NewBuilder(timetable.Rules{CutSeconds: true}), stops: map[string]uint32{}}
	for _, path := range paths {
		f.read(t, path)
	}
	return f
}

func (f *feeds) read(t testing.TB, path string) {
	file, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer file.Close()
	rows := map[string][]row{}
	for _, entry := range file.File {
		if entry.Name == "shapes.txt" {
			continue
		}
		in, err := entry.Open()
		require.NoError(t, err)
		rows[strings.TrimSuffix(entry.Name, ".txt")] = readCSV(t, in)
		in.Close()
	}
	feed := f.AddFeed(path, timetable.Feed{}, nil)
	for _, r := range rows["stops"] {
		var at coord.Point
		if r["stop_lat"] != "" {
			at, _ = coord.NewPoint(r.number("stop_lon"), r.number("stop_lat"))
		}
		f.stops[r["stop_id"]] = f.AddStop(r["stop_name"], feed, at)
	}
	routes, services := map[string]uint32{}, servicesOf(t, rows)
	for _, r := range rows["routes"] {
		routes[r["route_id"]] = f.AddRoute(r["route_short_name"], timetable.Route{Feed: feed})
	}
	numbers := map[string]uint32{}
	for _, r := range rows["trips"] {
		if _, known := numbers[r["service_id"]]; !known {
			numbers[r["service_id"]] = f.AddService(services[r["service_id"]])
		}
	}
	calls, headways := callsOf(f, rows["stop_times"]), map[string][]timetable.Headway{}
	for _, r := range rows["frequencies"] {
		headways[r["trip_id"]] = append(headways[r["trip_id"]], timetable.Headway{
			First: clock(r["start_time"]), End: clock(r["end_time"]), Headway: uint32(r.number("headway_secs")), Exact: r["exact_times"] == "1",
		})
	}
	for _, r := range rows["trips"] {
		id := r["trip_id"]
		fault := f.AddTrip(id, r["trip_headsign"], routes[r["route_id"]], numbers[r["service_id"]], calls[id], headways[id])
		require.False(t, fault.Refused(), "%s: %s", id, fault)
	}
}

func callsOf(f *feeds, rows []row) map[string][]timetable.Call {
	calls := map[string][]timetable.Call{} // the files have them in order
	for _, r := range rows {
		call := timetable.Call{Stop: f.stops[r["stop_id"]], Arrival: clock(r["arrival_time"]), Departure: clock(r["departure_time"])}
		if r["pickup_type"] == "1" {
			call.Flags |= timetable.NoBoarding
		}
		if r["drop_off_type"] == "1" {
			call.Flags |= timetable.NoAlighting
		}
		calls[r["trip_id"]] = append(calls[r["trip_id"]], call)
	}
	return calls
}

func servicesOf(t testing.TB, rows map[string][]row) map[string][]timetable.Date {
	runs := map[string]map[timetable.Date]bool{}
	set := func(service string, d timetable.Date, on bool) {
		if runs[service] == nil {
			runs[service] = map[timetable.Date]bool{}
		}
		runs[service][d] = on
	}
	for _, r := range rows["calendar"] {
		for d := date(t, r["start_date"]); d <= date(t, r["end_date"]); d++ {
			set(r["service_id"], d, r[strings.ToLower(d.Weekday().String())] == "1")
		}
	}
	for _, r := range rows["calendar_dates"] {
		set(r["service_id"], date(t, r["date"]), r["exception_type"] == "1")
	}
	dates := map[string][]timetable.Date{}
	for service, days := range runs {
		for d, on := range days {
			if on {
				dates[service] = append(dates[service], d)
			}
		}
	}
	return dates
}

func date(t testing.TB, text string) timetable.Date {
	d, err := timetable.ParseDate(text)
	require.NoError(t, err)
	return d
}

// clock is a time of a feed in seconds.
func clock(text string) uint32 {
	if strings.TrimSpace(text) == "" {
		return timetable.Blank
	}
	var h, m, s uint32
	if n, _ := fmt.Sscanf(strings.TrimSpace(text), "%d:%d:%d", &h, &m, &s); n < 2 {
		panic(text)
	}
	return h*3600 + m*60 + s
}

// second is the second of the day of a departure.
func second(t testing.TB, text string) int32 {
	at, err := time.Parse("15:04:05", text)
	require.NoError(t, err)
	return int32(at.Hour()*3600 + at.Minute()*60 + at.Second())
}
