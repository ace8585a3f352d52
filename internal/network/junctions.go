package network

import (
	"math"
	"math/bits"

	"quartier/internal/coord"
)

// none is the number of no node.
const none = math.MaxUint32

// junctions finds the vertices that become nodes: ends of lines, and where lines meet or one meets itself. nodeAt is the
// node of each vertex or none; nodes are numbered by the order of their keys.
func junctions(b *Builder) (nodeAt []uint32, nodes []coord.Point) {
	nodeAt = make([]uint32, b.keys.count)
	begin := uint32(0)
	for _, end := range b.ends {
		if end > begin {
			nodeAt[begin], nodeAt[end-1] = lineEnd, lineEnd
		}
		begin = end
	}
	for _, placed := range []bool{false, true} {
		order := b.verticesOf(placed)
		radixSort(order, func(v uint32) uint64 { return uint64(b.keys.at(v)) ^ 1<<63 })
		for i := 0; i < len(order); {
			j := i + 1
			for j < len(order) && b.keys.at(order[j]) == b.keys.at(order[i]) {
				j++
			}
			node := uint32(none)
			if j-i > 1 || nodeAt[order[i]] == lineEnd {
				node = uint32(len(nodes))
				nodes = append(nodes, b.points.at(order[i]))
			}
			for ; i < j; i++ {
				nodeAt[order[i]] = node
			}
		}
	}
	return nodeAt, nodes
}

const lineEnd = 1 // marks the ends of lines in nodeAt before it has nodes

// verticesOf lists the vertices of the lines that are joined by position, or of those joined by ids.
func (b *Builder) verticesOf(placed bool) []uint32 {
	count, begin := 0, uint32(0)
	for i, end := range b.ends {
		if b.placed[i] == placed {
			count += int(end - begin)
		}
		begin = end
	}
	order := make([]uint32, 0, count)
	begin = 0
	for i, end := range b.ends {
		for v := begin; b.placed[i] == placed && v < end; v++ {
			order = append(order, v)
		}
		begin = end
	}
	return order
}

// radixSort sorts items by key. It is stable. All digits are counted in one pass, since reading keys in the order of the
// items is cheaper than in any later order.
func radixSort(items []uint32, key func(uint32) uint64) {
	const digit = 11
	low, high := uint64(math.MaxUint64), uint64(0)
	for _, item := range items {
		low, high = min(low, key(item)), max(high, key(item))
	}
	if len(items) == 0 || low == high {
		return
	}
	next := make([][1<<digit + 1]uint32, (bits.Len64(high-low)+digit-1)/digit) // of each digit: where the next item goes, by value
	for _, item := range items {
		rest := key(item) - low
		for d := range next {
			next[d][rest&(1<<digit-1)+1]++
			rest >>= digit
		}
	}
	from, to := items, make([]uint32, len(items))
	for d := range next {
		next := &next[d]
		for i := 1; i < len(next); i++ {
			next[i] += next[i-1]
		}
		for _, item := range from {
			value := (key(item) - low) >> (d * digit) & (1<<digit - 1)
			to[next[value]] = item
			next[value]++
		}
		from, to = to, from
	}
	if &from[0] != &items[0] {
		copy(items, from)
	}
}
