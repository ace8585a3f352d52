package raptor_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"quartier/internal/travel/raptor"
	"quartier/internal/travel/scan"
	"quartier/internal/travel/timetable"
)

func draw(t *rapid.T) random {
	return random{rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))}
}

// TestEqualsScan compares 10,000 pairs of an origin and a target, each for all departures of its window, with the connection
// scan; checks that each journey is legal and as fast as it says; and the percentiles against sorted values.
func TestEqualsScan(t *testing.T) {
	pairs, reached := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t)
		table := r.timetable()
		day, rules := table.Day(today), r.rules()
		search := raptor.New(day, rules) // one for all queries: its memory is used again
		for range 10 {
			q := r.query(table.Stops())
			require.NoError(t, search.Run(q))
			scans := scansOf(day, rules, q, search)
			for range 10 {
				to := r.target(table.Stops())
				got, want := make([]uint16, search.Values()), make([]uint16, search.Values())
				search.Seconds(to, got)
				for at := range want {
					want[at] = scans[at].Seconds(q, to, q.Departs(at%q.Window))
				}
				require.Equal(t, want, got, "query %+v target %+v", q, to)
				checkJourneys(t, r, search, day, rules, q, to, want)
				checkPercentiles(t, search, to, want)
				pairs++
				if slices.Min(want) < raptor.Unreached {
					reached++
				}
			}
		}
	})
	t.Logf("%d pairs, %d of them reached", pairs, reached)
}

// scansOf are the scans of the draws, or one for all departures where nothing is drawn.
func scansOf(day *timetable.Day, rules raptor.Rules, q raptor.Query, search *raptor.Search) (scans []*scan.Scan) {
	until := q.Departs(q.Window) + 60*int32(q.Minutes)
	if wait, draws := search.Method(); wait == raptor.Draws.String() {
		for draw := range draws * q.Window {
			scans = append(scans, scan.New(day, rules, draw, q.Depart, until))
		}
		return scans
	}
	return slices.Repeat([]*scan.Scan{scan.New(day, rules, 0, q.Depart, until)}, q.Window)
}

func checkJourneys(t *rapid.T, r random, search *raptor.Search, day *timetable.Day, rules raptor.Rules, q raptor.Query,
	to raptor.Target, want []uint16) {
	at := r.IntN(len(want))
	minute, draw := at%q.Window, at/q.Window
	j, ok := search.Journey(to, minute, draw)
	require.Equal(t, want[at] < raptor.Unreached, ok)
	if ok {
		require.EqualValues(t, want[at], j.Arrives-j.Departs)
		require.NoError(t, scan.Legal(day, rules, q, to, j, q.Draw(draw, minute)), "%+v", j)
		checkLeastWalk(t, day, rules, q, to, j, q.Draw(draw, minute))
	}
	minute, draw, ok = search.Median(to, 50)
	middle := slices.Sorted(slices.Values(want))[raptor.Rank(50, len(want))]
	require.Equal(t, middle < raptor.Unreached, ok)
	if ok {
		require.Equal(t, middle, want[draw*q.Window+minute])
	}
}

func checkPercentiles(t *rapid.T, search *raptor.Search, to raptor.Target, values []uint16) {
	percentiles := []int{1, 5, 25, 50, 75, 95, 100}
	sorted := slices.Sorted(slices.Values(values))
	want := make([]uint16, len(percentiles))
	for i, p := range percentiles {
		want[i] = sorted[raptor.Rank(p, len(values))]
	}
	got := make([]uint16, 2*len(percentiles))
	targets := raptor.Targets{
		First: []uint32{0, uint32(len(to.Legs)), uint32(len(to.Legs))},
		Legs:  to.Legs,
	}
	require.NoError(t, search.All(context.Background(), &targets, []uint32{to.Walk, raptor.NoWalk}, percentiles, got))
	require.Equal(t, want, got[:len(percentiles)])
	require.Equal(t, raptor.Unreached, slices.Min(got[len(percentiles):]))
}

// TestMonotone: a larger limit never makes a way slower, and an earlier departure never arrives later.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t)
		table := r.timetable()
		search := raptor.New(table.Day(today), r.rules())
		small := r.query(table.Stops())
		large := small
		large.Rides = min(large.Rides+r.IntN(3), raptor.MaxRides)
		large.Minutes += r.IntN(60)
		large.Access = append(slices.Clone(large.Access), r.legs(table.Stops(), 1, 900)...)
		for _, limit := range []*uint32{&large.MaxAccess, &large.MaxTransfer, &large.MaxEgress} {
			if *limit > 0 && r.oftenNot() {
				*limit = uint32(r.one(0, int(*limit)+100))
			}
		}
		for range 10 {
			to := r.target(table.Stops())
			require.NoError(t, search.Run(small))
			slow := make([]uint16, search.Values())
			search.Seconds(to, slow)
			require.NoError(t, search.Run(large))
			fast := make([]uint16, search.Values())
			search.Seconds(to, fast)
			wait, _ := search.Method()
			for at := range slow {
				require.LessOrEqual(t, fast[at], slow[at])
				if wait == raptor.Draws.String() || (at+1)%small.Window == 0 {
					continue
				}
				step := 60 * max(small.Every, 1)
				if slow[at+1] < raptor.Unreached && int(slow[at+1])+step <= 60*small.Minutes {
					require.LessOrEqual(t, int(slow[at]), int(slow[at+1])+step)
				}
			}
		}
	})
}
