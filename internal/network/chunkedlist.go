package network

const (
	pileBits = 15 // of an index inside a piece
	pileMask = 1<<pileBits - 1
)

// chunkedList is a list that grows without copying its elements.
type chunkedList[T any] struct {
	pieces [][]T
	count  int
}

func (p *chunkedList[T]) add(v T) {
	if p.count>>pileBits == len(p.pieces) {
		p.pieces = append(p.pieces, make([]T, 0, 1<<pileBits))
	}
	last := &p.pieces[len(p.pieces)-1]
	*last = append(*last, v)
	p.count++
}

func (p *chunkedList[T]) at(i uint32) T { return p.pieces[i>>pileBits][i&pileMask] }

// slice appends the elements [first, end) to dst.
func (p *chunkedList[T]) slice(dst []T, first, end uint32) []T {
	for first < end {
		piece := p.pieces[first>>pileBits][first&pileMask:]
		piece = piece[:min(uint32(len(piece)), end-first)]
		dst = append(dst, piece...)
		first += uint32(len(piece))
	}
	return dst
}
