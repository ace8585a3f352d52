// Package sweep visits all nodes of a network on all processors.
package parallel

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// stretch is how many nodes are handed out at a time: neighbours, because nodes are numbered along a curve.
const stretch = 512

// Nodes calls visit for the numbers 0 to nodes-1 in stretches from lo to below hi, several at a time in no fixed order.
// What a visit works out must not depend on another one. It ends early where ctx is done, with its error.
func Nodes(ctx context.Context, nodes int, visit func(lo, hi int)) error {
	var next atomic.Int64
	workers, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			for {
				hi := int(next.Add(stretch))
				lo := hi - stretch
				if lo >= nodes {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				visit(lo, min(hi, nodes))
			}
		})
	}
	return workers.Wait()
}
