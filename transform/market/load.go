package market

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"quartier/schemas/staged"
	"quartier/transform/market/figures"
)

// data is the listings of all geographies: rows by set of geographies.
type data struct {
	sets    [][]uint32 // geographies of a set
	members [][]uint32 // sets that contain a geography
	spans   []figures.Span
	sales   []figures.Sale
	spanEnd []int // of a set in spans
	saleEnd []int
}

func (d *data) spansOf(set uint32) []figures.Span {
	return d.spans[before(d.spanEnd, set):d.spanEnd[set]]
}
func (d *data) salesOf(set uint32) []figures.Sale {
	return d.sales[before(d.saleEnd, set):d.saleEnd[set]]
}

func before(ends []int, set uint32) int {
	if set == 0 {
		return 0
	}
	return ends[set-1]
}

// batch is consecutive listings with their rows.
type batch struct {
	first    int // number of its first listing
	listings []staged.Listing
	changes  func(dst []staged.ListingChange, listing uint64) []staged.ListingChange // appends those of a listing, by ID
	release  func()                                                                  // ends the use of the listings; nil: nothing to do
	store
}

// resolveAll reads listings by a function and resolves them, in the order in which they are read.
func (r *resolver) resolveAll(ctx context.Context, read func(context.Context, func(*batch) error) error) (*store, error) {
	var batches []*batch
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	unresolved := make(chan *batch, 2)
	group.Go(func() error {
		defer close(unresolved)
		return read(ctx, func(b *batch) error {
			select {
			case unresolved <- b:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for b := range unresolved {
				if err := r.resolve(b); err != nil {
					return err
				}
				mu.Lock()
				batches = append(batches, b)
				mu.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(batches, func(a, b *batch) int { return cmp.Compare(a.first, b.first) })
	return storeOf(batches), nil
}
