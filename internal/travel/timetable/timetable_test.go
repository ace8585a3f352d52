package timetable

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
)

var monday = NewDate(2025, 3, 3)

// line is a builder with stops on a meridian, 0.1 degrees apart but the last one at 0.4, one route, and services that run on
// Monday and never.
func line(rules Rules) *Builder {
	b := NewBuilder(rules)
	b.AddFeed("feed", Feed{First: monday, Last: monday + 1, Tuesday: monday}, nil)
	for _, lat := range []int32{0, 1, 2, 4} {
		b.AddStop("", 0, coord.Point{Lat: lat * 1e6})
	}
	b.AddRoute("1", Route{})
	b.AddService([]Date{monday})
	b.AddService(nil)
	return b
}

func calls(times ...uint32) (list []Call) {
	for i, at := range times {
		list = append(list, Call{Stop: uint32(i), Arrival: at, Departure: at})
	}
	return list
}

func TestFaults(t *testing.T) {
	early := calls(10, 20)
	early[1].Departure = 15
	for _, c := range []struct {
		calls    []Call
		service  uint32
		headways []Headway
		want     Fault
	}{
		{calls(10, 20), 0, nil, NoFault},
		{append(calls(10, 20), calls(20, 30)...), 0, nil, NoFault}, // a loop
		{calls(10), 0, nil, OneCall},
		{calls(Blank, 10), 0, nil, NoEnds},
		{calls(10, Blank), 0, nil, NoEnds},
		{calls(20, 10), 0, nil, GoesBack},
		{calls(20, Blank, 10), 0, nil, GoesBack},
		{calls(20, 8*86400), 0, nil, TooLate},
		{calls(10, 20), 1, nil, NeverRuns},
		{calls(10, 20), 0, []Headway{{First: 5, End: 9}}, NoHeadway},
		{calls(10, 20), 0, []Headway{{First: 9, End: 9, Headway: 1}, {First: 5, End: 9, Headway: 2}}, BadHeadway},
		{early, 0, nil, LeavesEarly},
	} {
		b := line(Rules{})
		fault := b.AddTrip("", "", 0, c.service, c.calls, c.headways)
		require.Equal(t, c.want, fault, "%v", c.calls)
		require.NotEqual(t, fault.Refused(), len(b.Finish().Trips) == 1, fault)
	}
}

// TestBlankTimes: the stops are 1, 1 and 2 parts of the way apart.
func TestBlankTimes(t *testing.T) {
	for cut, want := range map[bool][]uint32{true: {100, 102, 105, 111}, false: {100, 103, 105, 111}} {
		b := line(Rules{CutSeconds: cut})
		require.Equal(t, NoFault, b.AddTrip("", "", 0, 0, calls(100, Blank, Blank, 111), nil))
		arrivals, departures := b.Finish().TimesOf(0, 0)
		require.Equal(t, want, arrivals)
		require.Equal(t, want, departures)
	}
}

// TestLanes: a trip that overtakes others is in a lane of its own, also one of the day before.
func TestLanes(t *testing.T) {
	b := line(Rules{})
	b.AddService([]Date{monday - 1})
	for _, trip := range [][]uint32{{0, 100}, {10, 110}, {20, 50}} {
		b.AddTrip("", "", 0, 0, calls(trip...), nil)
	}
	b.AddTrip("night", "", 0, 2, calls(86400-100, 86400+105), nil)
	b.AddTrip("over", "", 0, 2, calls(10, 20), nil)
	table := b.Finish()
	day := table.Day(monday)
	var sizes []uint32
	for _, lane := range day.Lanes {
		sizes = append(sizes, lane.Trips)
	}
	require.Equal(t, []uint32{2, 1, 1}, sizes) // that of the night, then at 10; at 0, which overtakes the first; at 20, which overtakes both
	require.Equal(t, []int32{-100, 105, 10, 110, 0, 100}, day.Arrivals[:6])
	require.Same(t, day, table.Typical(time.Wednesday))
	require.Len(t, table.Day(monday+7).Lanes, 0)
}

// TestFrequencies: exact ones become trips, others a lane with a headway.
func TestFrequencies(t *testing.T) {
	b := line(Rules{})
	b.AddTrip("", "", 0, 0, calls(1000, 1100), []Headway{
		{First: 50, End: 250, Headway: 100, Exact: true}, {First: 300, End: 900, Headway: 60},
	})
	day := b.Finish().Day(monday)
	require.Len(t, day.Lanes, 2)
	require.Equal(t, []int32{0, 100, 50, 150, 150, 250}, day.Arrivals)
	lane := day.Lanes[0]
	require.Equal(t, []int32{60, 300, 900}, []int32{lane.Headway, lane.First, lane.End})
}

// TestClocks: the service day of the Sunday when clocks go forward begins 23 hours after that of Saturday.
func TestClocks(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Skip(err)
	}
	sunday := NewDate(2025, 3, 9)
	b := NewBuilder(Rules{})
	b.AddFeed("", Feed{}, zone)
	b.AddService([]Date{sunday - 1, sunday})
	table := b.Finish()
	require.EqualValues(t, 23*3600, table.Midnight(0, sunday, sunday-1))
	require.EqualValues(t, -23*3600, table.Midnight(0, sunday-1, sunday))
	require.EqualValues(t, 47*3600, table.Midnight(0, sunday+1, sunday-1))
}
