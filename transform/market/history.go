package market

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"quartier/internal/parallel"
	"quartier/schemas/staged"
)

// history is the changes of listings in little memory: by listing once it is sorted.
type history struct {
	shards  [256][]change
	origins []origin
	number  map[origin]int32
}

// origin is a file of a source.
type origin struct{ source, file string }

// change is a staged.ListingChange.
type change struct {
	listing         uint64 // ID
	at, row         int64
	price, previous int64
	origin          int32 // in history.origins

	field                 uint8 // in changedFields
	hasPrice, hasPrevious bool
	status, before        uint8
}

// changedFields are the fields of changes.
var changedFields = []string{"status", "mls_status", "list_price"}

func newHistory() *history { return &history{number: map[origin]int32{}} }

// shardOf spreads listings.
func shardOf(listing uint64) uint64 { return listing * 0x9e3779b97f4a7c15 >> 56 }

// add adds a change, whose texts may be overwritten after that.
func (h *history) add(r *staged.ChangeRecord) {
	o := origin{r.SourceID, r.File}
	number, known := h.number[o]
	if !known {
		number, o = int32(len(h.origins)), origin{strings.Clone(o.source), strings.Clone(o.file)}
		h.origins, h.number[o] = append(h.origins, o), number
	}
	c := change{listing: uint64(r.KeyHash), at: r.At, row: r.Row, origin: number, field: uint8(max(slices.Index(changedFields, r.Field), 0)),
		status: r.Status, before: r.Before}
	if r.Price != nil {
		c.price, c.hasPrice = *r.Price, true
	}
	if r.Previous != nil {
		c.previous, c.hasPrevious = *r.Previous, true
	}
	shard := &h.shards[shardOf(c.listing)]
	*shard = append(*shard, c)
}

// sort is called once, when all is added.
func (h *history) sort(ctx context.Context) error {
	return parallel.Each(ctx, len(h.shards), func(i int) {
		slices.SortFunc(h.shards[i], func(a, b change) int { return cmp.Compare(a.listing, b.listing) })
	})
}

// of appends the changes of a listing, in no particular order.
func (h *history) of(dst []staged.ListingChange, listing uint64) []staged.ListingChange {
	shard := h.shards[shardOf(listing)]
	at, _ := slices.BinarySearchFunc(shard, listing, func(c change, id uint64) int { return cmp.Compare(c.listing, id) })
	for ; at < len(shard) && shard[at].listing == listing; at++ {
		c := &shard[at]
		o := &h.origins[c.origin]
		row := staged.ListingChange{SourceID: o.source, File: o.file, Row: c.row, At: c.at, Status: c.status, Before: c.before,
			Field: changedFields[c.field]}
		if c.hasPrice {
			row.Price = &c.price
		}
		if c.hasPrevious {
			row.Previous = &c.previous
		}
		dst = append(dst, row)
	}
	return dst
}
