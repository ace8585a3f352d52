package pois

import (
	"flag"
	"math"
	"syscall"
	"testing"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
)

var benchPack = flag.String("pack", "", "`file` of BenchmarkAnswers, a pois.pack")

// processorTime is that of this process in nanoseconds.
func processorTime(tb testing.TB) float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return float64(used.Utime.Nano() + used.Stime.Nano())
}

// packOfTowns is the pack of the flag, or one of POIs in towns.
func packOfTowns(b *testing.B) *pack.File {
	if *benchPack != "" {
		f, err := pack.Open(*benchPack)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { f.Close() })
		return f
	}
	w, err := NewWriter(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	eachInTowns(*benchPOIs, func(r *Record) {
		if err := w.Add(r); err != nil {
			b.Fatal(err)
		}
	})
	return packtest.Open(b, w.Finish)
}

// BenchmarkAnswers times the steps of answers around 20,000 POIs of a pack, evenly spread over it and in any order, whose data are
// not all in the processor's caches. The metric is the processor time of an answer in the fastest round over all of them.
//
//	go test ./internal/pack/pois -run '^$' -bench Answers -cpu 1 -args -pack RELEASE/pois.pack
//	go test ./internal/pack/pois -run '^$' -bench Answers -cpu 1 -args -pois 3000000 -towns 900
func BenchmarkAnswers(b *testing.B) {
	table, err := Open(packOfTowns(b))
	if err != nil {
		b.Fatal(err)
	}
	const samples = 20_000
	var points []coord.Point
	for i := range samples {
		points = append(points, table.index.Points[i*table.Len()/samples])
	}
	var body []byte
	texts := func(r *Result) {
		body = table.AppendPOIs(body[:0], r)
	}
	for _, c := range []struct {
		name string
		q    Query
		then func(r *Result)
	}{
		{"counts", Query{}, func(*Result) {}},
		{"500 without texts", Query{Limit: 500}, func(*Result) {}},
		{"500", Query{Limit: 500}, texts},
		{"20 of a category", Query{Limit: 20, Categories: 1 << 3}, texts},
	} {
		b.Run(c.name, func(b *testing.B) {
			var r Result
			b.ReportAllocs()
			least, begun, i := math.Inf(1), processorTime(b), 0
			for b.Loop() {
				c.q.Lng, c.q.Lat = points[i*7919%samples].Degrees()
				c.q.RadiusM = 5000
				table.Search(&c.q, &r)
				c.then(&r)
				if i++; i%samples == 0 {
					now := processorTime(b)
					least, begun = min(least, (now-begun)/samples), now
				}
			}
			b.ReportMetric(least, "least-cpu-ns/op")
		})
	}
}
