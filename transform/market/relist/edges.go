package relist

import (
	"cmp"
	"math"
	"slices"

	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/schemas/market"
)

// edge says that a listing may continue another.
type edge struct {
	before, next int32
	evidence     evidence
}

// entry is a listing that went off unsold, under a key that a listing of the same home has too.
type entry struct {
	key  uint64
	item int32
}

// edgesOf finds all pairs of which one may continue the other, each once. Only listings that went off unsold are indexed, by
// parcel, address and the cell of a grid; cells are of the size of the greatest distance, so that those around suffice.
func edgesOf(list []Listing, c *calibration.Market) []edge {
	var edges []edge
	cell := func(l *Listing) uint64 { return cellOf(l, c.SameHomeM) }
	around := func(l *Listing, visit func(uint64)) { cellsAround(l, c.SameHomeM, visit) }
	for _, kind := range []struct {
		own    func(*Listing) uint64
		around func(*Listing, func(uint64))
	}{
		{parcelKey, once(parcelKey)},
		{addressKey, once(addressKey)},
		// Of two listings that both have an address the position does not matter.
		{func(l *Listing) uint64 {
			if l.Address != 0 {
				return 0
			}
			return cell(l)
		}, around},
		{cell, func(l *Listing, visit func(uint64)) {
			if l.Address == 0 {
				around(l, visit)
			}
		}},
	} {
		entries := index(list, kind.own)
		if len(entries) == 0 {
			continue
		}
		seen := newFilter(entries)
		for next := range list {
			b := &list[next]
			if b.On == market.NoDay {
				continue
			}
			kind.around(b, func(key uint64) {
				if !seen.has(key) {
					return
				}
				at, _ := slices.BinarySearchFunc(entries, key, func(e entry, key uint64) int { return cmp.Compare(e.key, key) })
				for ; at < len(entries) && entries[at].key == key; at++ {
					if e := continues(&list[entries[at].item], b, c); e != no {
						edges = append(edges, edge{entries[at].item, int32(next), e})
					}
				}
			})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.next, b.next), cmp.Compare(a.before, b.before))
	})
	return slices.Compact(edges)
}

// index lists what went off unsold by key.
func index(list []Listing, key func(*Listing) uint64) []entry {
	var entries []entry
	for i := range list {
		if list[i].Unsold != market.NoDay {
			if k := key(&list[i]); k != 0 {
				entries = append(entries, entry{k, int32(i)})
			}
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.item, b.item)) })
	return entries
}

func once(key func(*Listing) uint64) func(*Listing, func(uint64)) {
	return func(l *Listing, visit func(uint64)) {
		if k := key(l); k != 0 {
			visit(k)
		}
	}
}

func parcelKey(l *Listing) uint64 { return l.Parcel }

func addressKey(l *Listing) uint64 {
	if l.Address == 0 {
		return 0
	}
	return mix(l.Address ^ l.Unit*31)
}

// cellOf is the key of the cell of a listing's position.
func cellOf(l *Listing, metres float64) uint64 {
	if !l.Located {
		return 0
	}
	row, width := rowOf(l.Point.Lat, metres)
	return cellKey(l, row, floorDiv(int64(l.Point.Lng), width))
}

// cellsAround visits the keys of the cells within the distance of a listing's position.
func cellsAround(l *Listing, metres float64, visit func(uint64)) {
	if !l.Located {
		return
	}
	row, _ := rowOf(l.Point.Lat, metres)
	height := rowHeight(metres)
	for r := row - 1; r <= row+1; r++ {
		_, width := rowOf(int32(r*height), metres)
		lng := int64(l.Point.Lng)
		for column := floorDiv(lng-2*width, width) + 1; column <= floorDiv(lng+width, width); column++ {
			visit(cellKey(l, r, column))
		}
	}
}

func cellKey(l *Listing, row, column int64) uint64 {
	return mix(uint64(row)<<32^uint64(uint32(column))^uint64(l.Type)<<24) | 1
}

// rowHeight is the height of a row of cells in units, at least the distance.
func rowHeight(metres float64) int64 { return int64(math.Ceil(metres/110_500*coord.Scale)) + 1 }

// rowOf is the row of a latitude, and the width of its cells in units: at least the distance, everywhere in the row.
func rowOf(lat int32, metres float64) (row, width int64) {
	height := rowHeight(metres)
	row = floorDiv(int64(lat), height)
	north := math.Max(math.Abs(float64(row*height)), math.Abs(float64((row+1)*height))) / coord.Scale
	x, _ := geo.MetresPerDegree(math.Min(north+0.001, 89.9))
	return row, int64(math.Ceil(metres/x*coord.Scale)) + 1
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mix spreads a key over all bits (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// filter answers quickly that a key is not there.
type filter struct {
	bits  []uint64
	shift uint
}

func newFilter(entries []entry) filter {
	size := 64
	for size < 16*len(entries) {
		size *= 2
	}
	f := filter{bits: make([]uint64, size/64), shift: 64}
	for n := size; n > 1; n /= 2 {
		f.shift--
	}
	for _, e := range entries {
		at := mix(e.key) >> f.shift
		f.bits[at/64] |= 1 << (at % 64)
	}
	return f
}

func (f filter) has(key uint64) bool {
	at := mix(key) >> f.shift
	return f.bits[at/64]&(1<<(at%64)) != 0
}
