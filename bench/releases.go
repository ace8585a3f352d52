package main

import "context"

// measureReleases measures what the life of releases costs: the state of requests, and a server that swaps releases.
func (b *bench) measureReleases(ctx context.Context) {
	b.measureState(ctx)
	b.measureSwaps(ctx)
}
