package raptor_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"

	"quartier/internal/travel/metro"
	"quartier/internal/travel/raptor"
)

var theMetro = sync.OnceValue(func() *metro.Metro { return metro.New(metro.Lines) })

// BenchmarkOneToAll is all percentiles of all nodes from one, over a window of an hour.
func BenchmarkOneToAll(b *testing.B) {
	m := theMetro()
	percentiles := []int{5, 25, 50, 75, 95}
	out := make([]uint16, m.Targets.Len()*len(percentiles))
	search, r := raptor.New(m.Table.Day(metro.Today), raptor.Ours), rand.New(rand.NewPCG(3, 4))
	b.ReportAllocs()
	begin := processorTime()
	for b.Loop() {
		if err := search.Run(m.Query(r.IntN(metro.Nodes))); err != nil {
			b.Fatal(err)
		}
		if err := search.All(context.Background(), &m.Targets, nil, percentiles, out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/(processorTime()-begin), "origins/s-of-a-core")
	b.ReportMetric(float64(len(m.Table.Arrivals)), "trip-stops")
	b.ReportMetric(float64(len(m.Targets.Legs))/float64(m.Targets.Len()), "stops/node")
}

// BenchmarkOneToStops is the search alone.
func BenchmarkOneToStops(b *testing.B) {
	m := theMetro()
	search, r := raptor.New(m.Table.Day(metro.Today), raptor.Ours), rand.New(rand.NewPCG(3, 4))
	begin := processorTime()
	for b.Loop() {
		if err := search.Run(m.Query(r.IntN(metro.Nodes))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/(processorTime()-begin), "origins/s-of-a-core")
}

// processorTime is what the process used so far in seconds: other work on the machine does not count.
func processorTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
