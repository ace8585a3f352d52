// Package parallel runs work for all nodes of a network on all processors.
package parallel

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// chunk is the number of nodes in a call: consecutive numbers are neighbours, because nodes are numbered along a
// curve.
const chunk = 512

// Nodes calls visit for all numbers from 0 to nodes-1 in intervals [lo, hi), concurrently and in no fixed order. It
// stops early if ctx is done, with the error of ctx.
func Nodes(ctx context.Context, nodes int, visit func(lo, hi int)) error {
	var next atomic.Int64
	workers, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			for {
				hi := int(next.Add(chunk))
				lo := hi - chunk
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
