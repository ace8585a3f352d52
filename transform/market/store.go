package market

import (
	"slices"
	"sort"

	"quartier/schemas/calibration"
	"quartier/schemas/market"
	"quartier/transform/market/figures"
	"quartier/transform/market/relist"
)

// store is the rows of all listings, numbered in no fixed order: those of a listing alone, as if it continued none.
type store struct {
	links []relist.Listing
	notes []note
	ends  [][2]uint32 // of the spans and sales of each listing
	spans []figures.Span
	sales []figures.Sale

	edges  []relist.Edge            // which listing may continue which
	sets   [][]uint32               // geographies of a set
	joined map[int32]figures.Joined // what a listing has of those that it continues
}

// note is where a listing is and what is wrong with it.
type note struct {
	Set    uint32  // of geographies; 0: none
	State  [2]byte // zeros: not known
	Issues uint16  // bit i: Reasons[i]
}

func (s *store) from(n int) [2]uint32 {
	if n == 0 {
		return [2]uint32{}
	}
	return s.ends[n-1]
}

// own is the rows of a listing alone, which must not be changed.
func (s *store) own(n int) ([]figures.Span, []figures.Sale) {
	from, to := s.from(n), s.ends[n]
	return s.spans[from[0]:to[0]], s.sales[from[1]:to[1]]
}

// rows appends the rows of a listing with what it has of those that it continues.
func (s *store) rows(spans []figures.Span, sales []figures.Sale, n int, c *calibration.Market) ([]figures.Span, []figures.Sale) {
	first, firstSale := len(spans), len(sales)
	own, sold := s.own(n)
	spans, sales = append(spans, own...), append(sales, sold...)
	if j, ok := s.joined[int32(n)]; ok {
		var sale *figures.Sale
		if len(sold) > 0 {
			sale = &sales[firstSale]
		}
		figures.Continue(spans[first:], sale, j, c)
	}
	return spans, sales
}

// add appends listings from..to of another store.
func (s *store) add(o *store, from, to int) {
	if from == to {
		return
	}
	a, b := o.from(from), o.ends[to-1]
	shift := [2]uint32{uint32(len(s.spans)) - a[0], uint32(len(s.sales)) - a[1]}
	for _, end := range o.ends[from:to] {
		s.ends = append(s.ends, [2]uint32{end[0] + shift[0], end[1] + shift[1]})
	}
	s.links, s.notes = append(s.links, o.links[from:to]...), append(s.notes, o.notes[from:to]...)
	s.spans, s.sales = append(s.spans, o.spans[a[0]:b[0]]...), append(s.sales, o.sales[a[1]:b[1]]...)
}

// without is the listings of s except some, with room for more, and the numbers of these.
func (s *store) without(ids map[uint64]bool, more int) (*store, removed) {
	out := &store{links: make([]relist.Listing, 0, len(s.links)+more), notes: make([]note, 0, len(s.notes)+more),
		ends:  make([][2]uint32, 0, len(s.ends)+more),
		spans: make([]figures.Span, 0, len(s.spans)+2*more), sales: make([]figures.Sale, 0, len(s.sales)+more)}
	var gone removed
	from := 0
	for n := range s.links {
		if ids[s.links[n].ID] {
			out.add(s, from, n)
			from, gone = n+1, append(gone, int32(n))
		}
	}
	out.add(s, from, len(s.links))
	for _, e := range s.edges {
		before, next := gone.now(e.Before), gone.now(e.Next)
		if before != relist.None && next != relist.None {
			e.Before, e.Next = before, next
			out.edges = append(out.edges, e)
		}
	}
	return out, gone
}

// removed are the numbers of listings without which the others are numbered again, in order.
type removed []int32

// now is the new number of a listing; relist.None if it was removed.
func (r removed) now(n int32) int32 {
	before, gone := slices.BinarySearch(r, n)
	if gone {
		return relist.None
	}
	return n - int32(before)
}

// was is the number that a listing had.
func (r removed) was(n int32) int32 {
	before := sort.Search(len(r), func(i int) bool { return r[i]-int32(i) > n })
	return n + int32(before)
}

// storeOf is the listings of batches, which it empties: one array after the other, so that no more than one is there twice.
func storeOf(batches []*batch) *store {
	s := &store{links: concat(batches, func(b *batch) *[]relist.Listing { return &b.links }),
		notes: concat(batches, func(b *batch) *[]note { return &b.notes })}
	ends := [2]uint32{}
	for _, b := range batches {
		for n := range b.ends {
			b.ends[n][0], b.ends[n][1] = b.ends[n][0]+ends[0], b.ends[n][1]+ends[1]
		}
		ends = [2]uint32{ends[0] + uint32(len(b.spans)), ends[1] + uint32(len(b.sales))}
	}
	s.ends = concat(batches, func(b *batch) *[][2]uint32 { return &b.ends })
	s.spans = concat(batches, func(b *batch) *[]figures.Span { return &b.spans })
	s.sales = concat(batches, func(b *batch) *[]figures.Sale { return &b.sales })
	return s
}

// concat joins an array of batches and takes it from them.
func concat[T any](batches []*batch, of func(*batch) *[]T) []T {
	total := 0
	for _, b := range batches {
		total += len(*of(b))
	}
	all := make([]T, 0, total)
	for _, b := range batches {
		part := of(b)
		all, *part = append(all, *part...), nil
	}
	return all
}

// join finds what listings have of those that they continue.
func (s *store) join(c *calibration.Market) {
	before := relist.Link(s.links, s.edges)
	var next []int32
	for n := range before {
		if before[n] != relist.None {
			next = append(next, int32(n))
		}
	}
	slices.SortFunc(next, func(a, b int32) int {
		return relist.Compare(&s.links[a], &s.links[b])
	})
	s.joined = make(map[int32]figures.Joined, len(next))
	var spans []figures.Span
	for _, n := range next { // what it continues was on before, and is joined already
		p := before[n]
		spans, _ = s.rows(spans[:0], nil, int(p), c)
		first := s.links[p].On
		if j, ok := s.joined[p]; ok {
			first = j.First
		}
		s.joined[n] = figures.Join(spans, figures.Joined{First: first, Before: market.NoDay})
	}
}

// bySet orders the rows of all listings by set. Those that count in no interval from a day on are left out (figures.Span.Since).
func (s *store) bySet(c *calibration.Market, since market.Day) *data {
	sets := s.sets
	d := &data{sets: sets, spanEnd: make([]int, len(sets)), saleEnd: make([]int, len(sets))}
	each := func(n int, span func(*figures.Span), sale func(*figures.Sale)) {
		spans, sales := s.own(n)
		if _, ok := s.joined[int32(n)]; ok {
			spans, sales = s.rows(nil, nil, n, c)
		}
		for i := range spans {
			if spans[i].Since(since) {
				span(&spans[i])
			}
		}
		for i := range sales {
			if sales[i].Day >= since {
				sale(&sales[i])
			}
		}
	}
	for n := range s.notes {
		set := s.notes[n].Set
		each(n, func(*figures.Span) { d.spanEnd[set]++ }, func(*figures.Sale) { d.saleEnd[set]++ })
	}
	spanAt, saleAt := make([]int, len(sets)), make([]int, len(sets))
	for set := 1; set < len(sets); set++ {
		spanAt[set], saleAt[set] = d.spanEnd[set-1], d.saleEnd[set-1]
		d.spanEnd[set] += d.spanEnd[set-1]
		d.saleEnd[set] += d.saleEnd[set-1]
	}
	d.spans, d.sales = make([]figures.Span, d.spanEnd[len(sets)-1]), make([]figures.Sale, d.saleEnd[len(sets)-1])
	for n := range s.notes {
		set := s.notes[n].Set
		each(n, func(row *figures.Span) { d.spans[spanAt[set]], spanAt[set] = *row, spanAt[set]+1 },
			func(row *figures.Sale) { d.sales[saleAt[set]], saleAt[set] = *row, saleAt[set]+1 })
	}
	return d
}
