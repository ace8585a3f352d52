package main

import (
	"context"

	"quartier/bench/attack"
)

// measureWorst measures the most expensive known request of each operation, of the release of the flag or of the synthetic
// world with its market statistics: the slowest of many, one at a time.
func (b *bench) measureWorst(ctx context.Context) {
	w := b.serveAll(ctx)
	world := attack.WorldOf(w.release, func(file, query string) []string { return textsOf(w.world, file, query, "%s") })
	for _, p := range w.points {
		world.Points = append(world.Points, [2]float64{p.lng, p.lat})
	}
	measured := attack.MeasureWorst(world, b.attacks, w.addr, w.token, w.server.Seconds)
	if len(measured) == 0 {
		failf("no kind of the group worst has %q in its name", b.attacks)
	}
	for _, m := range measured {
		b.Record(m.Name, "limit of 5 ms", 1, "limit/ms", spreadOf([]float64{5 / m.Median, 5 / m.High, 5 / m.Low}), 1, m.Figure)
	}
}
