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

// Edge says that a listing may continue another, of which it has the indexes.
type Edge struct {
	Before, Next int32
	evidence     evidence
}

// entry is a listing that went off unsold, under a key that a listing of the same home has too.
type entry struct {
	key  uint64
	item int32
}

// Edges finds all pairs of which one may continue the other, each once, ordered by Next. Only listings that went off unsold are indexed, by
// parcel, address and the cell of a grid; cells are of the size of the greatest distance, so that those around suffice.
func Edges(list []Listing, c *calibration.Market) []Edge {
	var edges []Edge
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
						edges = append(edges, Edge{entries[at].item, int32(next), e})
					}
				}
			})
		}
	}
	slices.SortFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Next, b.Next), cmp.Compare(a.Before, b.Before))
	})
	return slices.Compact(edges)
}

// EdgesFrom are those of Edges of which one is the listing of index first or a later one. It looks closely only at listings
// that share a parcel, an address or the neighbourhood with one of these.
func EdgesFrom(list []Listing, first int, c *calibration.Market) []Edge {
	var some []Listing
	var numbers []int32
	near := newNeighbourhood(list[first:], c.SameHomeM)
	for i := range list {
		if i >= first || near.has(&list[i]) {
			some, numbers = append(some, list[i]), append(numbers, int32(i))
		}
	}
	var edges []Edge
	for _, e := range Edges(some, c) {
		if e.Before, e.Next = numbers[e.Before], numbers[e.Next]; int(max(e.Before, e.Next)) >= first {
			edges = append(edges, e)
		}
	}
	return edges
}

// neighbourhood answers quickly that a listing has nothing in common with some others.
type neighbourhood struct{ parcels, addresses, squares filter }

// squareBits is the logarithm of the side of a square, about 45 m of latitude, in units.
const squareBits = 12

func squareKey(lng, lat int64) uint64 {
	return mix(uint64(uint32(lng>>squareBits))<<32 | uint64(uint32(lat>>squareBits)))
}

func newNeighbourhood(list []Listing, metres float64) neighbourhood {
	var parcels, addresses, squares []entry
	height := rowHeight(metres)
	for i := range list {
		l := &list[i]
		parcels, addresses = append(parcels, entry{key: parcelKey(l)}), append(addresses, entry{key: addressKey(l)})
		if !l.Located {
			continue
		}
		row, width := rowOf(l.Point.Lat, metres)
		for _, r := range []int64{row - 1, row + 1} { // the widest of those around
			_, w := rowOf(int32(r*height), metres)
			width = max(width, w)
		}
		lng, lat := int64(l.Point.Lng), int64(l.Point.Lat)
		const side = 1 << squareBits
		for x := (lng - width) &^ (side - 1); x <= lng+width; x += side {
			for y := (lat - height) &^ (side - 1); y <= lat+height; y += side {
				squares = append(squares, entry{key: squareKey(x, y)})
			}
		}
	}
	return neighbourhood{newFilter(parcels), newFilter(addresses), newFilter(squares)}
}

func (n *neighbourhood) has(l *Listing) bool {
	return l.Parcel != 0 && n.parcels.has(l.Parcel) || l.Address != 0 && n.addresses.has(addressKey(l)) ||
		l.Located && n.squares.has(squareKey(int64(l.Point.Lng), int64(l.Point.Lat)))
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
