package streets_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"quartier/internal/network"
	"quartier/internal/travel/streets"
)

// places are n random places on a network.
func places(n *streets.Network, count int, seed uint64) []network.Place {
	random := rand.New(rand.NewPCG(seed, 0))
	list := make([]network.Place, count)
	for i := range list {
		edge := uint32(random.IntN(n.Snapper().Edges()))
		list[i] = network.Place{Edge: edge, Along: network.Distance(random.IntN(1 + int(n.Snapper().Edge(edge).Length))), Leg: 200}
	}
	return list
}

func BenchmarkAll(b *testing.B) {
	file := delaware(b)
	for _, bb := range []struct {
		name    string
		n       *streets.Network
		pace    streets.Pace
		seconds uint32
	}{{"walk30", file.foot(100), streets.Walk, 1800}, {"walkAll", file.foot(100), streets.Walk, 86400},
		{"car", file.car(0), streets.Car, 86400}} {
		b.Run(bb.name, func(b *testing.B) {
			from := places(bb.n, 100, 1)
			q := bb.n.NewQuery()
			b.ReportMetric(float64(bb.n.Nodes()), "nodes")
			reached := 0
			for i := range b.N {
				q.Start(bb.pace, bb.seconds)
				q.Add(from[i%len(from)], 0)
				q.Run()
				reached += len(q.Reached())
			}
			b.ReportMetric(float64(reached)/float64(b.N), "reached/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(reached), "ns/node")
		})
	}
}

// BenchmarkOutlines draws 15, 30 and 45 minutes.
func BenchmarkOutlines(b *testing.B) {
	file := delaware(b)
	for _, bb := range []struct {
		name string
		n    *streets.Network
		pace streets.Pace
		cell float64
	}{{"walk", file.foot(100), streets.Walk, 25}, {"bicycle", file.foot(100), streets.Bicycle, 25}, {"car", file.car(0), streets.Car, 100}} {
		b.Run(bb.name, func(b *testing.B) {
			from, q := places(bb.n, 20, 1), bb.n.NewQuery()
			var o streets.Outliner
			points := 0
			for i := range b.N {
				q.Start(bb.pace, 2700)
				q.Add(from[i%len(from)], 0)
				q.Run()
				for _, band := range q.Outlines(&o, []uint32{900, 1800, 2700}, 2*bb.cell, bb.cell) {
					for _, polygon := range band {
						for _, ring := range polygon {
							points += len(ring)
						}
					}
				}
			}
			b.ReportMetric(float64(points)/float64(b.N), "points/op")
		})
	}
}

// BenchmarkMatrix computes the pairs of 1,000 places, and of 50 to 1,000 without a hierarchy.
func BenchmarkMatrix(b *testing.B) {
	file := delaware(b)
	plain, car := file.car(35), file.car(35) // as many nodes as a metro has
	begun := time.Now()
	car.BuildHierarchy()
	b.Logf("hierarchy of %d nodes: %v", car.Nodes(), time.Since(begun))
	for _, bb := range []struct {
		name    string
		n       *streets.Network
		pace    streets.Pace
		seconds uint32
		from    int
	}{{"walk60", file.foot(30), streets.Walk, 3600, 1000}, {"carPlain", plain, streets.Car, 7200, 50}, {"car", car, streets.Car, 7200, 1000}} {
		b.Run(bb.name, func(b *testing.B) {
			from, to := places(bb.n, bb.from, 1), places(bb.n, 1000, 2)
			for range b.N {
				if _, err := bb.n.Matrix(b.Context(), from, to, bb.pace, bb.seconds); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(bb.n.Nodes()), "nodes")
			b.ReportMetric(1000*float64(bb.from*b.N)/b.Elapsed().Seconds()/float64(runtime.GOMAXPROCS(0)), "pairs/s/core")
		})
	}
}
