package raptor_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/scan"
	"quartier/internal/travel/timetable"
)

// TestJourneyBoardsAtTheNearerStop: a train calls at two stops near the beginning, and at two where one changes, as the next train does.
// The search comes upon the longer walk first.
func TestJourneyBoardsAtTheNearerStop(t *testing.T) {
	b := timetable.NewBuilder(timetable.Rules{})
	b.AddFeed("f", timetable.Feed{First: today, Last: today, Tuesday: today}, nil)
	for range 8 {
		b.AddStop("s", 0, coord.Point{})
	}
	b.AddService([]timetable.Date{today})
	for route, stops := range [][]uint32{{0, 1, 2, 3}, {4, 5, 6, 7}} {
		b.AddRoute("r", timetable.Route{})
		var calls []timetable.Call
		for i, stop := range stops {
			at := uint32(1000 + 2000*route + 100*i)
			calls = append(calls, timetable.Call{Stop: stop, Arrival: at, Departure: at})
		}
		require.Equal(t, timetable.NoFault, b.AddTrip("t", "", uint32(route), 0, calls, nil))
	}
	b.AddTransfer(2, 4, 150)
	b.AddTransfer(3, 5, 100)
	table := b.Finish()
	q := raptor.Query{Access: []timetable.Leg{{Stop: 0, Seconds: 300}, {Stop: 1, Seconds: 60}}, Window: 1, Rides: 3, Minutes: 120}
	to := raptor.Target{Legs: []timetable.Leg{{Stop: 7, Seconds: 50}, {Stop: 6, Seconds: 150}}, Walk: raptor.NoWalk}
	j, ok := raptor.New(table.Day(today), raptor.Ours).JourneyOf(q, to, 0, 0)
	require.True(t, ok)
	require.NoError(t, scan.Legal(table.Day(today), raptor.Ours, q, to, j, 0))
	require.EqualValues(t, 3350, j.Arrives)
	require.Len(t, j.Rides, 2)
	require.EqualValues(t, 60+100+50, onFoot(j), "%+v", j)
}

func onFoot(j raptor.Journey) (seconds int) {
	seconds = int(j.Walk)
	for _, r := range j.Rides {
		seconds += int(r.Walk)
	}
	return seconds
}

// checkLeastWalk compares a journey of one or two rides with all others on the same vehicles that arrive when it does.
func checkLeastWalk(t *rapid.T, day *timetable.Day, rules raptor.Rules, q raptor.Query, to raptor.Target, j raptor.Journey, draw int) {
	if len(j.Rides) > 2 {
		return
	}
	other := j
	other.Rides = slices.Clone(j.Rides)
	var choose func(ride int)
	choose = func(ride int) {
		if ride == len(j.Rides) {
			if onFoot(other) < onFoot(j) && scan.Legal(day, rules, q, to, other, draw) == nil {
				require.Fail(t, "one walks less", "%+v\n%+v", j, other)
			}
			return
		}
		r, walks, before := &other.Rides[ride], q.Access, &other.Walk
		if ride > 0 {
			last := &other.Rides[ride-1]
			walks, before = append(slices.Clone(day.Table.TransfersOf(last.Alight)), timetable.Leg{Stop: last.Alight}), &last.Walk
		}
		calls := day.Lanes[r.Lane].Calls
		for from := range calls {
			for to := from + 1; to < calls; to++ {
				*r = moved(day, j.Rides[ride], from, to)
				r.Walk = uint32(j.Arrives - r.Arrives) // of the last ride
				for _, walk := range walks {
					if *before = walk.Seconds; walk.Stop == r.Board {
						choose(ride + 1)
					}
				}
			}
		}
	}
	choose(0)
}

// moved is a ride on the same vehicle between other calls.
func moved(day *timetable.Day, r raptor.Ride, from, to uint32) raptor.Ride {
	lane := day.Lanes[r.Lane]
	arrivals, departures := day.Table.TimesOf(lane.Pattern, r.Trip.Trip)
	r.Leaves += int32(departures[from]) - int32(departures[r.From])
	r.Arrives += int32(arrivals[to]) - int32(arrivals[r.To])
	r.From, r.To, r.Board, r.Alight = from, to, day.CallStops[lane.Call+from], day.CallStops[lane.Call+to]
	return r
}
