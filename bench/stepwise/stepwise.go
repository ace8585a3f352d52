// Package stepwise builds a release by the steps of quartier step, as an engine on several machines does: the measurement that its
// engines have in common. In: a program, a release file and an empty work place. Out: how long it took.
package stepwise

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"quartier/bench/fail"
	"quartier/bench/programs"
	"quartier/internal/plan"
	"quartier/schemas"
)

// Build runs all steps of a release in an empty work place, workers of them at once, each in a process of its own. It returns the
// seconds from the first step to the last, and those of all steps together.
func Build(ctx context.Context, program, release, work string, workers int) (elapsed, together float64) {
	options := []string{"--release", release, "--work", work}
	printed, err := exec.CommandContext(ctx, program, append([]string{"step", "plan", "--json"}, options...)...).Output()
	fail.Check(err)
	steps := fail.Must(plan.Read(bytes.NewReader(printed)))
	done := map[string]chan struct{}{}
	for _, s := range steps {
		done[s.ID] = make(chan struct{})
	}
	begun, seconds := time.Now(), make([]float64, len(steps))
	places := make(chan struct{}, workers)
	group, ctx := errgroup.WithContext(ctx)
	for i, s := range steps {
		group.Go(func() error {
			for _, id := range s.Needs {
				select {
				case <-done[id]:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			places <- struct{}{}
			defer func() { <-places }()
			if ctx.Err() != nil {
				return fmt.Errorf("%s: %w", s.ID, ctx.Err())
			}
			ran := programs.RunToEnd(ctx, program, append([]string{"step", "run", "--attempt", "1"}, append(options, s.ID)...)...)
			seconds[i] = ran.Seconds
			close(done[s.ID])
			return nil
		})
	}
	fail.Check(group.Wait())
	for _, s := range seconds {
		together += s
	}
	return time.Since(begun).Seconds(), together
}

// Rounds builds a release in turn by steps and by quartier build, and returns the seconds of each round. It fails where one is another
// release than that of the folder dir/release, whose sources are in dir/sources.
func Rounds(ctx context.Context, rounds int, program, dir string, workers int) (steps, build []float64, figure string) {
	file, place, out := filepath.Join(dir, "sources", "release.yaml"), filepath.Join(dir, "place"), filepath.Join(dir, "again")
	for range rounds {
		fail.Check(errors.Join(os.RemoveAll(place), os.RemoveAll(out+".work")))
		elapsed, together := Build(ctx, program, file, place, workers)
		whole := programs.RunToEnd(ctx, program, "build", "--release", file, "--out", out, "--force").Seconds
		steps, build = append(steps, elapsed), append(build, whole)
		figure = fmt.Sprintf("%.1f s, build %.1f s; steps together %.1f s", elapsed, whole, together)
		same(filepath.Join(dir, "release"), filepath.Join(place, "release"))
	}
	return steps, build, figure
}

// same fails unless two releases have the same manifest, which has the digests of all files.
func same(one, other string) {
	manifest := func(release string) []byte {
		return fail.Must(os.ReadFile(filepath.Join(release, schemas.ManifestFile)))
	}
	if !bytes.Equal(manifest(one), manifest(other)) {
		fail.Errorf("%s is another release than %s", other, one)
	}
}
