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
	chunks := (nodes + chunk - 1) / chunk
	return Each(ctx, chunks, func(i int) { visit(i*chunk, min((i+1)*chunk, nodes)) })
}

// Each calls work for all numbers from 0 to n-1, the lower ones first. It is for fewer and larger items than Nodes.
func Each(ctx context.Context, n int, work func(i int)) error {
	none := func() struct{} { return struct{}{} }
	return EachWith(ctx, n, none, func(_ struct{}, i int) error {
		work(i)
		return nil
	})
}

// EachWith is Each for work that needs memory of its own, which is created once for each processor, and that may fail. It
// stops at the first error.
func EachWith[W any](ctx context.Context, n int, create func() W, work func(w W, i int) error) error {
	var next atomic.Int64
	workers, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			w := create()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(w, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return workers.Wait()
}
