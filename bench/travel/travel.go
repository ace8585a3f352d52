// Package travel measures travel times: one to all by transit on a metropolis that is made up and on a real feed, against a connection
// scan in C++ that finds the same; reach, matrices, and travel.pack.
package travel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"quartier/bench/fail"
	"quartier/bench/programs"
	"quartier/bench/ratio"
	"quartier/bench/walk/streets"
	"quartier/internal/network"
	"quartier/internal/parallel"
	doors "quartier/internal/travel"
	"quartier/internal/travel/metro"
	"quartier/internal/travel/raptor"
	onStreets "quartier/internal/travel/streets"
	"quartier/internal/travel/timetable"
)

// Frame is what measurements are made in.
type Frame struct {
	*ratio.Run
	Dir  string
	PBF  string // the path of a state's
	Peer string // the program of bench/baseline/csa.cpp
	Peak string // the program of bench/programs/peak
}

// Measure makes all measurements.
func (f *Frame) Measure(ctx context.Context) {
	first := metroTask("a metro", metro.New(metro.Lines))
	one := f.oneToAll(ctx, first)
	f.fastEnough(first, one)
	for _, times := range []int{2, 4} {
		t := metroTask(fmt.Sprintf("a metro with %d times the trip-stops", times), metro.New(times*metro.Lines))
		more := f.oneToAll(ctx, t)
		figure := fmt.Sprintf("%.1f origins/s, before %.1f", median(more), median(one))
		for i := range more {
			more[i] *= t.tripStops() / first.tripStops()
		}
		f.Record("one to all, per trip-stop, "+t.name, "a metro", 1, "origins/s", ratio.Of(more, one), 1, figure)
	}
	f.matrix(ctx, metro.New(metro.Lines))
	world, name := f.realWorld(ctx)
	real := worldTask(name, world)
	f.fastEnough(real, f.oneToAll(ctx, real))
	f.reach(ctx, name, world)
	f.alongStreets(ctx)
	f.packs(ctx)
}

const (
	origins     = 20
	wantOrigins = 20 // one to all a second and core
	wantReachMS = 20
	wantMatrixS = 60
	wantPairs   = 30_000 // a second and core
	wantPackS   = 60
	wantPackMB  = 1000
	matrixSide  = 1000
)

var percentiles = []int{5, 25, 50, 75, 95}

// task is to compute percentiles of all targets from some origins.
type task struct {
	name    string
	day     *timetable.Day
	targets *raptor.Targets
	queries []raptor.Query
}

func metroTask(name string, m *metro.Metro) *task {
	t, r := &task{name: name, day: m.Table.Day(metro.Today), targets: &m.Targets}, rand.New(rand.NewPCG(3, 4))
	for range origins {
		t.queries = append(t.queries, m.Query(r.IntN(metro.Nodes)))
	}
	return t
}

func (t *task) tripStops() float64 { return float64(len(t.day.Table.Arrivals)) }

// oneToAll compares with the peer, by processor time, and returns our origins a second.
func (f *Frame) oneToAll(ctx context.Context, t *task) (rate []float64) {
	input := filepath.Join(f.Dir, "csa.bin")
	t.write(input)
	search, row := raptor.New(t.day, raptor.Ours), t.targets.Len()*len(percentiles)
	into := make([]uint16, len(t.queries)*row)
	values := f.Repeat(func() []float64 {
		begun := programs.OwnSeconds()
		for i, q := range t.queries {
			fail.Check(search.Run(q))
			fail.Check(search.All(ctx, t.targets, nil, percentiles, into[i*row:][:row]))
		}
		ours := programs.OwnSeconds() - begun
		var theirs float64
		var sum, mix uint64
		fail.Must(fmt.Sscan(programs.RunToEnd(ctx, f.Peer, input).Output, &theirs, &sum, &mix))
		if s, m := checksum(into); s != sum || m != mix {
			fail.Errorf("answers differ: seconds of %s add up to %d and %x, those of the peer to %d and %x", t.name, s, m, sum, mix)
		}
		n := float64(len(t.queries))
		return []float64{n / ours, n / theirs}
	})
	figure := fmt.Sprintf("%.1f origins/s and core, theirs %.1f; %.0f trip-stops, %d stops, %d nodes of %.0f stops each", median(values[0]),
		median(values[1]), t.tripStops(), t.day.Table.Stops(), t.targets.Len(), float64(len(t.targets.Legs))/float64(t.targets.Len()))
	f.Record("one to all, "+t.name, "connection scan in C++", 1, "1/processor time", ratio.Of(values[0], values[1]), 0, figure)
	return values[0]
}

// fastEnough compares origins a second with what is wanted.
func (f *Frame) fastEnough(t *task, rate []float64) {
	f.Record("one to all, "+t.name, fmt.Sprintf("%d origins/s", wantOrigins), 1, "origins/processor second",
		ratio.Goal(rate, wantOrigins), 1, fmt.Sprintf("%.1f origins/s and core", median(rate)))
}

// matrix computes all pairs of nodes of a metro.
func (f *Frame) matrix(ctx context.Context, m *metro.Metro) {
	day, r := m.Table.Day(metro.Today), rand.New(rand.NewPCG(5, 6))
	var to []raptor.Target
	for range matrixSide {
		node := r.IntN(metro.Nodes)
		to = append(to, raptor.Target{Legs: m.Targets.Legs[m.Targets.First[node]:m.Targets.First[node+1]], Walk: raptor.NoWalk})
	}
	seconds := f.Repeat(func() []float64 {
		begun := time.Now()
		search := func() *raptor.Search { return raptor.New(day, raptor.Ours) }
		fail.Check(parallel.EachWith(ctx, matrixSide, search, func(s *raptor.Search, i int) error {
			var into [3]uint16
			if err := s.Run(m.Query(i * (metro.Nodes / matrixSide))); err != nil {
				return err
			}
			for _, target := range to {
				s.Percentiles(target, []int{25, 50, 75}, into[:])
			}
			return nil
		}))
		return []float64{time.Since(begun).Seconds()}
	})[0]
	f.Record("matrix of 1,000 by 1,000, a metro", "60 s", runtime.GOMAXPROCS(0), "limit/seconds", ratio.Limit(wantMatrixS, seconds), 1,
		fmt.Sprintf("%.1f s", median(seconds)))
}

// reach draws what is reached from points in three limits.
func (f *Frame) reach(ctx context.Context, name string, world *doors.World) {
	o, foot := doors.Defaults(doors.Transit), world.Network(doors.Walk)
	o.MaxMinutes = 45
	r := rand.New(rand.NewPCG(7, 8))
	ms := f.Repeat(func() []float64 {
		var each []float64
		for range 101 {
			place := network.Place{Edge: uint32(r.IntN(foot.Snapper().Edges()))}
			begun := time.Now()
			reached := fail.Must(world.ReachFrom(ctx, place, o))
			reached.Outlines(0, []int{15, 30, 45})
			reached.Close()
			each = append(each, time.Since(begun).Seconds()*1000)
		}
		return []float64{median(each), slices.Max(each)}
	})
	f.Record("reach of a point by transit, "+name, fmt.Sprintf("%d ms", wantReachMS), 1, "limit/ms", ratio.Limit(wantReachMS, ms[0]), 1,
		fmt.Sprintf("%.1f ms at the median, %.1f ms at most", median(ms[0]), median(ms[1])))
}

// alongStreets computes matrices on foot and by car, in networks of as many nodes as a metro has.
func (f *Frame) alongStreets(ctx context.Context) {
	walk, _ := streets.GraphOf(ctx, f.PBF, 30, streets.OnFoot, stay)
	foot := onStreets.New(network.NewSnapper(walk, nil), len(walk.Nodes), nil, nil)
	car := carNetwork(ctx, f.PBF)
	begun := time.Now()
	car.BuildHierarchy()
	prepared := fmt.Sprintf(", %d nodes with a hierarchy in %.1f s", car.Nodes(), time.Since(begun).Seconds())
	for _, c := range []struct {
		name    string
		on      *onStreets.Network
		pace    onStreets.Pace
		minutes uint32
		about   string
	}{{"on foot within an hour", foot, onStreets.Walk, 60, fmt.Sprintf(", %d nodes", foot.Nodes())},
		{"by car within two hours", car, onStreets.Car, 120, prepared}} {
		r := rand.New(rand.NewPCG(9, 10))
		places := make([]network.Place, 2*matrixSide)
		for i := range places {
			places[i] = network.Place{Edge: uint32(r.IntN(c.on.Snapper().Edges()))}
		}
		rates := f.Repeat(func() []float64 {
			begun := programs.OwnSeconds()
			fail.Must(c.on.Matrix(ctx, places[:matrixSide], places[matrixSide:], c.pace, 60*c.minutes))
			return []float64{matrixSide * matrixSide / (programs.OwnSeconds() - begun)}
		})[0]
		f.Record("many to many "+c.name, fmt.Sprintf("%d pairs/s", wantPairs), 1, "pairs/processor second", ratio.Goal(rates, wantPairs), 1,
			fmt.Sprintf("%.0f pairs/s and core%s", median(rates), c.about))
	}
}

func median(values []float64) float64 { return ratio.SpreadOf(values).Median }
