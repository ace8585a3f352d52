// Package parallel runs work for numbered items, such as the nodes of a network, on all processors.
package parallel

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// chunk is the number of nodes in a call: consecutive numbers are neighbours, because nodes are numbered along a curve.
const chunk = 512

// Nodes calls visit for all numbers from 0 to nodes-1 in intervals [lo, hi), concurrently and in no fixed order. It stops
// early if ctx is done, with the error of ctx.
func Nodes(ctx context.Context, nodes int, visit func(lo, hi int)) error {
	return run(ctx, nodes, chunk, visit)
}

// Each calls work for all numbers from 0 to n-1, the lower ones first. It is for fewer and larger items than Nodes.
func Each(ctx context.Context, n int, work func(i int)) error {
	return run(ctx, n, 1, func(i, _ int) { work(i) })
}

func run(ctx context.Context, n, chunk int, visit func(lo, hi int)) error {
	var next atomic.Int64
	workers, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			for {
				hi := int(next.Add(int64(chunk)))
				lo := hi - chunk
				if lo >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				visit(lo, min(hi, n))
			}
		})
	}
	return workers.Wait()
}
