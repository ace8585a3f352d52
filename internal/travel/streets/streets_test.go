package streets_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/network"
	"quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// TestTimesAreShortest compares one query, a matrix and a matrix over a hierarchy with relaxing all edges.
func TestTimesAreShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawTown(t)
		seconds := rapid.SampledFrom([]uint32{5, 60, 3600}).Draw(t, "seconds")
		from := []network.Place{w.place(t, "from"), w.place(t, "from 2")}
		to := []network.Place{w.place(t, "to"), w.place(t, "to 2"), w.place(t, "to 3")}
		checkMatrix(t, w, w.net, w.forth, w.back, from, to, streets.Car, seconds)
		w.net.BuildHierarchy()
		checkMatrix(t, w, w.net, w.forth, w.back, from, to, streets.Car, seconds)
		again, err := streets.From(w.net.Snapper(), w.net.Tables())
		if err != nil {
			t.Fatal(err)
		}
		checkMatrix(t, w, again, w.forth, w.back, from, to, streets.Car, seconds)
		lengths := w.net.Snapper().Tables().Length
		checkMatrix(t, w, w.foot(), lengths, lengths, from, to, streets.Foot(rapid.Float64Range(2, 7).Draw(t, "km/h")), seconds)
	})
}

func checkMatrix(t *rapid.T, w *town, n *streets.Network, forth, back []uint32, from, to []network.Place, pace streets.Pace,
	seconds uint32) {
	times, err := n.Matrix(t.Context(), from, to, pace, seconds)
	if err != nil {
		t.Fatal(err)
	}
	q := n.NewQuery()
	for i, a := range from {
		q.Start(pace, seconds)
		q.Add(a, 0)
		q.Run()
		for k, b := range to {
			want := w.naive(forth, back, a, b, pace, seconds)
			if got := times[i*len(to)+k]; got != want || q.To(b) != want {
				t.Fatalf("%v to %v: %d s, by a query %d s; want %d s", a, b, got, q.To(b), want)
			}
		}
	}
}

// TestStops compares the stops near a place, transfers and the egress of nodes with the times to each stop.
func TestStops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawTown(t)
		n := w.foot()
		metre := rapid.Float64Range(-100, 500)
		var points []coord.Point
		for range rapid.IntRange(0, 6).Draw(t, "stops") {
			points = append(points, at(metre.Draw(t, "x"), metre.Draw(t, "y")))
		}
		s, pace, seconds := n.Link(points, 60), streets.Walk, rapid.SampledFrom([]uint32{30, 200}).Draw(t, "seconds")
		q, from := s.NewQuery(), w.place(t, "from")
		q.From(w.place(t, "before"), pace, seconds) // leaves nothing behind
		checkLegs(t, s, n, from, q.From(from, pace, seconds), len(points), seconds, none)
		first, legs, err := s.Transfers(t.Context(), pace, seconds)
		if err != nil {
			t.Fatal(err)
		}
		for stop := range points {
			own := legs[first[stop]:first[stop+1]]
			if p, ok := s.Place(uint32(stop)); ok {
				checkLegs(t, s, n, p, own, len(points), seconds, stop)
			} else if len(own) > 0 {
				t.Fatalf("stop %d has no street, and transfers %v", stop, own)
			}
		}
		first, legs, err = s.Egress(t.Context(), pace, seconds)
		if err != nil {
			t.Fatal(err)
		}
		for node, end := range w.graph.Ends() {
			checkLegs(t, s, n, end, legs[first[node]:first[node+1]], len(points), seconds, none)
		}
	})
}

const none = -1

// checkLegs compares ways to stops with the times to each of them, except for one.
func checkLegs(t *rapid.T, s *streets.Stops, n *streets.Network, from network.Place, got []timetable.Leg, stops int, seconds uint32,
	except int) {
	q := n.NewQuery()
	q.Start(streets.Walk, seconds)
	q.Add(from, 0)
	q.Run()
	var want []timetable.Leg
	for stop := range stops {
		if p, ok := s.Place(uint32(stop)); ok && stop != except {
			if time := q.To(p); time != streets.Never {
				want = append(want, timetable.Leg{Stop: uint32(stop), Seconds: time})
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("from %v: %v, want %v", from, got, want)
	}
}

func TestFromRefusesDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawTown(t)
		w.net.BuildHierarchy()
		tables := w.net.Tables()
		for _, list := range []*[]uint32{&tables.Forth, &tables.First, &tables.Edge, &tables.Hierarchy.FirstUp, &tables.Hierarchy.FirstDown} {
			whole := *list
			for name, damaged := range map[string][]uint32{"short": whole[:len(whole)/2], "long": append(slices.Clone(whole), 0, 0)} {
				*list = damaged
				if _, err := streets.From(w.net.Snapper(), tables); !errors.Is(err, streets.ErrDamaged) {
					t.Fatalf("%s list of %d: %v", name, len(whole), err)
				}
			}
			*list = whole
		}
		tables.Arcs = slices.Clone(tables.Arcs)
		tables.Arcs[0].To = 1 << 30
		if _, err := streets.From(w.net.Snapper(), tables); !errors.Is(err, streets.ErrDamaged) {
			t.Fatalf("an arc to no node: %v", err)
		}
	})
}

// TestPace has speeds at which a float would be a second off.
func TestPace(t *testing.T) {
	for _, tt := range []struct {
		pace streets.Pace
		cost uint64
		want uint32
	}{{streets.Walk, 4000, 300}, {streets.Walk, 4001, 301}, {streets.Foot(3.6), 30, 3}, {streets.Foot(3.6), 31, 4}, {streets.Car, 99, 10},
		{streets.Foot(0), 10, 4}, {streets.Walk, 0, 0}} {
		if got := tt.pace.Seconds(tt.cost); got != tt.want {
			t.Errorf("%v: %d are %d s, not %d", tt.pace, tt.cost, got, tt.want)
		}
		if got := tt.pace.Seconds(tt.pace.Cost(tt.want)); got != tt.want {
			t.Errorf("%v: the cost of %d s takes %d s", tt.pace, tt.want, got)
		}
	}
}

// TestQueryAllocatesNothing holds after the first query.
func TestQueryAllocatesNothing(t *testing.T) {
	n := portoAlegre(t).foot(100)
	from, q := places(n, 1, 1)[0], n.NewQuery()
	run := func() {
		q.Start(streets.Walk, 1800)
		q.Add(from, 0)
		q.Run()
	}
	run()
	if got := testing.AllocsPerRun(10, run); got > 0 || len(q.Reached()) == 0 {
		t.Errorf("%v allocations for %d nodes", got, len(q.Reached()))
	}
}
