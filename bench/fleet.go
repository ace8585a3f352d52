package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"quartier/bench/stepwise"
)

// measureFleet compares a release that is built by steps, each a process, so many at once, with quartier build.
func (b *bench) measureFleet(ctx context.Context) {
	dir, program := filepath.Join(b.dir, "fleet"), b.program("quartier")
	release := b.buildOnce(ctx, dir, "scale=20", func(out string) { runToEnd(ctx, program, "fixtures", "--out", out, "--scale", "20") })
	file := filepath.Join(dir, "sources", "release.yaml")
	for _, workers := range []int{1, 2, 4} {
		var whole, steps []float64
		var sum float64
		for range b.rounds {
			place, out := filepath.Join(dir, "place"), filepath.Join(dir, "again")
			check(os.RemoveAll(place))
			check(os.RemoveAll(out + ".work"))
			seconds, together := stepwise.Build(ctx, program, file, place, workers)
			whole = append(whole, runToEnd(ctx, program, "build", "--release", file, "--out", out, "--force").Seconds)
			steps, sum = append(steps, seconds), together
			stepwise.Same(release, filepath.Join(place, "release"))
		}
		b.record(result{fmt.Sprintf("steps, %d at once", workers), "quartier build", workers, "releases/s", ratios(whole, steps), 0, false},
			fmt.Sprintf("%.1f s, build %.1f s; steps together %.1f s", steps[0], whole[0], sum))
	}
}
