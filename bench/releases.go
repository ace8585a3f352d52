package main

import "context"

// measureReleases measures what the life of releases costs: the state of requests, a server that swaps releases, and private
// geographies.
func (b *bench) measureReleases(ctx context.Context) {
	b.measureState(ctx)
	b.measureSwaps(ctx)
	b.measurePrivateLookUps(ctx)
}
