package raptor_test

import (
	"math/rand/v2"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/timetable"
)

// today is the date of queries of random timetables.
var today = timetable.NewDate(2025, 3, 4)

// random makes timetables, queries and targets.
type random struct{ *rand.Rand }

func (r random) below(n int) uint32        { return uint32(r.IntN(n)) }
func (r random) between(lo, hi int) uint32 { return uint32(lo + r.IntN(hi-lo+1)) }
func (r random) one(of ...int) int         { return of[r.IntN(len(of))] }
func (r random) oftenNot() bool            { return r.IntN(4) == 0 }
func (r random) legs(stops, n, most int) []timetable.Leg {
	var legs []timetable.Leg
	for range n {
		legs = append(legs, timetable.Leg{Stop: r.below(stops), Seconds: r.below(most)})
	}
	slices.SortFunc(legs, func(a, b timetable.Leg) int { return int(a.Seconds) - int(b.Seconds) })
	return legs
}

// timetable has lines that overtake, loop, stop in no time, cross midnight, come from days before, have headways, and calls
// where nobody boards or gets off.
func (r random) timetable() *timetable.Timetable {
	b := timetable.NewBuilder(timetable.Rules{})
	feeds := r.one(1, 2)
	for range feeds {
		b.AddFeed("f", timetable.Feed{First: today - 10, Last: today + 10, Tuesday: today}, nil)
	}
	stops := r.one(3, 6, 12)
	for range stops {
		b.AddStop("s", uint16(r.IntN(feeds)), coord.Point{Lng: int32(r.IntN(1e6)), Lat: int32(r.IntN(1e6))})
	}
	for range 6 {
		var dates []timetable.Date
		for d := today - 4; d <= today+1; d++ {
			if r.IntN(3) == 0 || d == today {
				dates = append(dates, d)
			}
		}
		b.AddService(dates)
	}
	for route := range uint32(r.one(2, 5)) {
		b.AddRoute("r", timetable.Route{Feed: uint16(r.IntN(feeds))})
		for range r.one(1, 2) {
			r.line(b, route, stops)
		}
	}
	for range r.IntN(2 * stops) {
		b.AddTransfer(r.below(stops), r.below(stops), r.below(r.one(1, 300, 900)))
	}
	return b.Finish()
}

func (r random) line(b *timetable.Builder, route uint32, stops int) {
	calls := make([]timetable.Call, r.between(2, 6))
	for i := range calls {
		calls[i].Stop = r.below(stops)
		if r.oftenNot() {
			calls[i].Flags = timetable.CallFlags(r.one(1, 2, 3))
		}
	}
	for range r.between(1, 8) {
		at := uint32(r.one(0, 23, 24, 25, 47, 71, 72, 73))*3600 + r.below(7200)
		for i := range calls {
			calls[i].Arrival = at
			at += r.below(r.one(1, 60))
			calls[i].Departure = at
			at += r.below(r.one(1, 60, 600, 1200))
		}
		var headways []timetable.Headway
		if r.oftenNot() {
			for range r.one(1, 2) {
				first := uint32(r.one(0, 23, 24, 48))*3600 + r.below(3600)
				headways = append(headways,
					timetable.Headway{First: first, End: first + r.between(1, 3600), Headway: r.between(1, 900), Exact: r.IntN(2) == 0})
			}
		}
		if fault := b.AddTrip("t", "", route, r.below(6), slices.Clone(calls), headways); fault.Refused() {
			panic(fault)
		}
	}
}

func (r random) rules() raptor.Rules {
	return raptor.Rules{
		BoardWait: int32(r.one(0, 0, 30, 60)), MeetWait: int32(r.one(0, 60)),
		Wait: raptor.Wait(r.IntN(2)), Draws: r.one(1, 3), Seed: r.Uint64(), CutMinutes: true,
	}
}

func (r random) query(stops int) raptor.Query {
	return raptor.Query{
		Access: r.legs(stops, r.one(1, 3), r.one(1, 900)),
		Depart: int32(r.one(0, 1, 23*3600, 24*3600-600)) + int32(r.below(3600)),
		Window: r.one(1, 7, 30), Every: r.one(0, 0, 1, 3), Rides: r.one(0, 1, 2, 3, 4, 5), Minutes: r.one(10, 60, 120),
		MaxAccess: uint32(r.one(0, 0, 400)), MaxTransfer: uint32(r.one(0, 0, 200)), MaxEgress: uint32(r.one(0, 0, 600)),
	}
}

func (r random) target(stops int) raptor.Target {
	to := raptor.Target{Legs: r.legs(stops, r.one(0, 1, 4), r.one(1, 900)), Walk: raptor.NoWalk}
	if r.oftenNot() {
		to.Walk = r.below(5400)
	}
	return to
}
