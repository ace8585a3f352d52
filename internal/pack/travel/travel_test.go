package travel

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/internal/travel/timetable"
)

// towns are two feeds: a bus every day with a trip over midnight, and a train by headways on weekdays.
func towns(t testing.TB) *Table {
	t.Helper()
	b := timetable.NewBuilder(timetable.Rules{})
	zone, err := time.LoadLocation("America/Toronto")
	if err != nil {
		t.Fatal(err)
	}
	first := timetable.NewDate(2025, 3, 3) // a Monday; clocks change on the 9th
	feed := timetable.Feed{First: first, Last: first + 13, Tuesday: first + 1, Saturday: first + 5, Sunday: first + 6}
	bus := b.AddFeed("Bus", feed, zone)
	feed.Saturday, feed.Sunday = timetable.NoDate, timetable.NoDate
	train := b.AddFeed("Train", feed, nil)
	var stops []uint32
	for i, name := range []string{"Alder", "Birch", "Cedar", "Date"} {
		stops = append(stops, b.AddStop(name, []uint16{bus, train}[i/3], coord.Point{Lng: -725_000_000 + int32(i)*10_000, Lat: 450_000_000}))
	}
	line := b.AddRoute("5", timetable.Route{Color: 0xFF8800, Feed: bus, Kind: 3})
	rail := b.AddRoute("R", timetable.Route{Feed: train, Kind: 2})
	var daily, weekdays []timetable.Date
	for d := first; d < first+14; d++ {
		daily = append(daily, d)
		if day := d.Weekday(); day != time.Saturday && day != time.Sunday {
			weekdays = append(weekdays, d)
		}
	}
	every, working := b.AddService(daily), b.AddService(weekdays)
	add := func(name string, line, service uint32, headways []timetable.Headway, calls ...timetable.Call) {
		if fault := b.AddTrip(name, "to "+name, line, service, calls, headways); fault != timetable.NoFault {
			t.Fatal(name, fault)
		}
	}
	add("late", line, every, nil, timetable.Call{Stop: stops[0], Arrival: 86_000, Departure: 86_000},
		timetable.Call{Stop: stops[1], Arrival: 86_500, Departure: 86_520, Flags: timetable.NoBoarding},
		timetable.Call{Stop: stops[2], Arrival: 87_000,
			Departure: 87_000})
	add("early", line, every, nil, timetable.Call{Stop: stops[0], Arrival: 20_000, Departure: 20_000},
		timetable.Call{Stop: stops[1], Arrival: 20_100, Departure: 20_100, Flags: timetable.NoBoarding},
		timetable.Call{Stop: stops[2], Arrival: 21_000,
			Departure: 21_000})
	add("often", rail, working, []timetable.Headway{{First: 21_600, End: 30_000, Headway: 600},
		{First: 30_000, End: 40_000, Headway: 900, Exact: true}},
		timetable.Call{Stop: stops[2], Arrival: 0, Departure: 0}, timetable.Call{Stop: stops[3], Arrival: 300, Departure: 300})
	b.AddTransfer(stops[1], stops[2], 120)
	ground := coord.Area{Points: []coord.Point{{}, {Lng: 5}, {Lat: 5}, {}}, Ends: []uint32{4}}
	return &Table{Timetable: b.Finish(), Feeds: []Feed{{Source: "towns/bus", Ground: ground}, {Source: "towns/train", Partial: true}},
		Changes: []Change{{From: 1, To: 2, Kind: 2, Seconds: 120}}}
}

// summary is what a table says about some days, so that two can be compared.
func summary(t *Table) (list []any) {
	tt := t.Timetable
	for _, weekday := range []time.Weekday{time.Tuesday, time.Saturday, time.Sunday} {
		day := tt.Typical(weekday)
		list = append(list, slices.Clone(day.Lanes), slices.Clone(day.Arrivals), slices.Clone(day.Departures), slices.Clone(day.Boards))
	}
	for i := range tt.Trips {
		list = append(list, tt.TripNames.At(uint32(i)), tt.Headsigns.At(tt.Trips[i].Headsign))
	}
	for s := range uint32(tt.Stops()) {
		list = append(list, tt.StopNames.At(s), tt.StopAt[s], tt.StopFeed[s], slices.Clone(tt.TransfersOf(s)))
	}
	for r := range tt.Routes {
		list = append(list, tt.Routes[r], tt.RouteNames.At(uint32(r)))
	}
	for f := range tt.Feeds {
		ground := t.Feeds[f].Ground
		list = append(list, tt.Feeds[f], tt.FeedNames.At(uint32(f)), t.Feeds[f].Source, t.Feeds[f].Partial, len(ground.Points), len(ground.Ends))
	}
	return append(list, slices.Clone(tt.Clocks), slices.Clone(t.Changes))
}

func open(t testing.TB, table *Table) (*pack.File, *Table) {
	t.Helper()
	f := packtest.Open(t, func(out *pack.Writer) error { return Write(out, table) })
	opened, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return f, opened
}

func TestWhatGoesInComesOut(t *testing.T) {
	table := towns(t)
	_, opened := open(t, table)
	got, want := summary(opened), summary(table)
	for i := range want {
		if diff := cmp.Diff(got[i], want[i], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("item %d: %s", i, diff)
		}
	}
	if lanes := opened.Timetable.Typical(time.Tuesday).Lanes; len(lanes) != 3 {
		t.Errorf("%d lanes on a Tuesday", len(lanes))
	}
	if len(opened.Timetable.Clocks) != 1 || opened.Timetable.Clocks[0].Seconds != 23*3600 {
		t.Errorf("clocks %v", opened.Timetable.Clocks)
	}
}

func TestWithoutFeeds(t *testing.T) {
	_, opened := open(t, &Table{Timetable: timetable.NewBuilder(timetable.Rules{}).Finish()})
	if day := opened.Timetable.Typical(time.Tuesday); len(opened.Feeds) != 0 || len(day.Lanes) != 0 || opened.Timetable.Stops() != 0 {
		t.Error("something where there is nothing")
	}
}

func TestWriterRefuses(t *testing.T) {
	for want, change := range map[string]func(*Table){
		"goes back in time":  func(x *Table) { x.Timetable.Arrivals[1] = 0 },
		"trip 0: service 9":  func(x *Table) { x.Timetable.Trips[0].Service = 9 },
		"call 0: stop 4":     func(x *Table) { x.Timetable.CallStops[0] = 4 },
		"headway 0":          func(x *Table) { x.Timetable.Frequencies[0].Headway = 0 },
		"of feed 2":          func(x *Table) { x.Timetable.StopFeed[0] = 2 },
		"feed.name: 2 texts": func(x *Table) { x.Timetable.Feeds = x.Timetable.Feeds[:1] },
		"walk 0":             func(x *Table) { x.Timetable.Transfers[0].Stop = 4 },
		"change 0":           func(x *Table) { x.Changes[0].From = 4 },
		"pattern 0":          func(x *Table) { x.Timetable.Patterns[1].Times++ },
		"stop.name":          func(x *Table) { x.Timetable.StopNames.Ends[0] = 99 },
		"words of services":  func(x *Table) { x.Timetable.ServiceWords = 3 },
		"clock":              func(x *Table) { x.Timetable.Clocks[0].Seconds = 0 },
		"rings of":           func(x *Table) { x.Feeds[0].Ground.Ends[0] = 5 },
		"patterns from":      func(x *Table) { x.Timetable.Patterns[len(x.Timetable.Patterns)-1].Trips++ },
		"feed 0: date":       func(x *Table) { x.Timetable.Feeds[0].Tuesday = 1 << 20 },
		"headways not in or": func(x *Table) { slices.Reverse(x.Timetable.Frequencies) },
	} {
		table := towns(t)
		change(table)
		out, err := pack.Create(t.TempDir() + "/x.pack")
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(out, table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		out.Abort()
	}
}

func TestDamageNeverPanics(t *testing.T) {
	f, _ := open(t, towns(t))
	packtest.Damage(t, f, 300, func(f *pack.File) bool {
		if table, err := Open(f); err == nil {
			summary(table)
		}
		return true // nearly every one is refused
	})
}

// FuzzTable overwrites a few bytes of a valid file where the container does not detect it.
func FuzzTable(f *testing.F) {
	good := packtest.Open(f, func(out *pack.Writer) error { return Write(out, towns(f)) })
	packtest.Fuzz(f, good, func(file *pack.File) {
		if table, err := Open(file); err == nil {
			summary(table)
		}
	})
}
