package market

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/schemas/staged"
	"quartier/transform/market/figures"
	"quartier/transform/market/relist"
)

// data is the listings of all geographies: rows by set of geographies.
type data struct {
	summary Summary
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

// batchSize is how many listings are read and resolved at a time.
const batchSize = 4096

// batch is consecutive listings with their rows.
type batch struct {
	first    int // number of its first listing
	listings []staged.Listing
	changes  [][]staged.ListingChange

	links []relist.Listing
	sets  []uint32
	spans []figures.Span
	sales []figures.Sale
	ends  [][2]uint32 // of the spans and sales of each listing
}

// load reads all listings and finds their rows.
func load(ctx context.Context, in Input, c *calibration.Market) (*data, error) {
	in.Progress("listings")
	r := newResolver(in.Places, c)
	batches, err := r.readAll(ctx, in)
	if err != nil {
		return nil, err
	}
	in.Progress("re-listings")
	r.join(batches)
	d := collect(batches, r.locator.sets)
	d.members = membersOf(r.locator.sets, in.Places.Len())
	d.summary = Summary{AsOf: in.AsOf, Issues: r.issues.list(), Full: "nothing is kept"}
	for _, b := range batches {
		d.summary.Listings += int64(len(b.sets))
		for _, set := range b.sets {
			if set != 0 {
				d.summary.Located++
			}
		}
	}
	for state := range r.states {
		d.summary.States = append(d.summary.States, "US_"+state)
	}
	slices.Sort(d.summary.States)
	return d, nil
}

// readAll reads and resolves all listings, in no fixed order.
func (r *resolver) readAll(ctx context.Context, in Input) ([]*batch, error) {
	changes, err := readChanges(ctx, in)
	if err != nil {
		return nil, err
	}
	var batches []*batch
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	read := make(chan *batch, 2)
	group.Go(func() error {
		defer close(read)
		return readListings(ctx, in, changes, func(b *batch) error {
			select {
			case read <- b:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	for range 2 {
		group.Go(func() error {
			for b := range read {
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
		return nil, fmt.Errorf("listings: %w", err)
	}
	slices.SortFunc(batches, func(a, b *batch) int { return cmp.Compare(a.first, b.first) })
	return batches, nil
}

// key is a listing of a system.
type key struct{ system, listing string }

func readChanges(ctx context.Context, in Input) (map[key][]staged.ListingChange, error) {
	changes := map[key][]staged.ListingChange{}
	for row, err := range sqlrow.Select[staged.ListingChange](ctx, in.Listings, "SELECT * FROM listing_change") {
		if err != nil {
			return nil, fmt.Errorf("changes of listings: %w", err)
		}
		k := key{row.System, row.Key}
		changes[k] = append(changes[k], *row)
	}
	return changes, nil
}

func readListings(ctx context.Context, in Input, changes map[key][]staged.ListingChange, visit func(*batch) error) error {
	b, next := new(batch), 0
	for row, err := range sqlrow.Select[staged.Listing](ctx, in.Listings, "SELECT * FROM listing") {
		if err != nil {
			return err
		}
		b.listings = append(b.listings, *row)
		b.changes = append(b.changes, changes[key{row.System, row.Key}])
		if next++; len(b.listings) == batchSize {
			if err := visit(b); err != nil {
				return err
			}
			b = &batch{first: next}
		}
	}
	if len(b.listings) == 0 {
		return nil
	}
	return visit(b)
}

// collect orders the rows of all batches by set.
func collect(batches []*batch, sets [][]uint32) *data {
	d := &data{sets: sets, spanEnd: make([]int, len(sets)), saleEnd: make([]int, len(sets))}
	for _, b := range batches {
		from := [2]uint32{}
		for n, end := range b.ends {
			d.spanEnd[b.sets[n]] += int(end[0] - from[0])
			d.saleEnd[b.sets[n]] += int(end[1] - from[1])
			from = end
		}
	}
	for set := 1; set < len(sets); set++ {
		d.spanEnd[set] += d.spanEnd[set-1]
		d.saleEnd[set] += d.saleEnd[set-1]
	}
	d.spans, d.sales = make([]figures.Span, last(d.spanEnd)), make([]figures.Sale, last(d.saleEnd))
	spanAt, saleAt := make([]int, len(sets)), make([]int, len(sets))
	for set := range sets {
		spanAt[set], saleAt[set] = before(d.spanEnd, uint32(set)), before(d.saleEnd, uint32(set))
	}
	for i, b := range batches {
		from := [2]uint32{}
		for n, end := range b.ends {
			set := b.sets[n]
			spanAt[set] += copy(d.spans[spanAt[set]:], b.spans[from[0]:end[0]])
			saleAt[set] += copy(d.sales[saleAt[set]:], b.sales[from[1]:end[1]])
			from = end
		}
		batches[i].spans, batches[i].sales = nil, nil
	}
	return d
}

func last(ends []int) int { return ends[len(ends)-1] }

// join makes one listing of those of a home that came on again.
func (r *resolver) join(batches []*batch) {
	total := 0
	for _, b := range batches {
		total += len(b.links)
	}
	all := make([]relist.Listing, 0, total)
	for _, b := range batches {
		all = append(all, b.links...)
		b.links = nil
	}
	before := relist.Link(all, r.calibration)
	var next []int32
	for n := range before {
		if before[n] != relist.None {
			next = append(next, int32(n))
		}
	}
	slices.SortFunc(next, func(a, b int32) int {
		return cmp.Or(cmp.Compare(all[a].On, all[b].On), cmp.Compare(all[a].ID, all[b].ID))
	})
	joined := map[int32]figures.Joined{}
	for _, n := range next {
		p := before[n]
		j, known := joined[p]
		if !known {
			spans, _ := rowsOf(batches, int(p))
			j = figures.Join(spans, figures.Joined{First: all[p].On, Before: market.NoDay})
		}
		spans, sale := rowsOf(batches, int(n))
		joined[n] = figures.Continue(spans, sale, j, r.calibration)
	}
}

// rowsOf is the spans of a listing, and its sale; nil if it was not sold.
func rowsOf(batches []*batch, n int) ([]figures.Span, *figures.Sale) {
	b := batches[n/batchSize]
	n %= batchSize
	from := [2]uint32{}
	if n > 0 {
		from = b.ends[n-1]
	}
	spans := b.spans[from[0]:b.ends[n][0]]
	if from[1] == b.ends[n][1] {
		return spans, nil
	}
	return spans, &b.sales[from[1]]
}
