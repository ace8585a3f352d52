package main

import "context"

// measureReleases measures what the life of releases costs: the state of requests, a server that swaps releases, private
// geographies, and the differences of two releases.
func (b *bench) measureReleases(ctx context.Context) {
	b.measureState(ctx)
	b.measureSwaps(ctx)
	b.measurePrivateLookUps(ctx)
	b.measureDiff(ctx)
}
