package pois

import (
	"encoding/binary"
	"fmt"
)

// spooled is a POI in the spool of a Writer.
type spooled struct {
	categories     uint64
	baseCategories uint32
	tail           uint32 // number of the piece of JSON that is shared
	region         uint16
	brands, tags   []uint32 // numbers by order of appearance
	name, key      []byte
	head, base     []byte // pieces of JSON
}

// spooledSize is the length of what is of fixed length.
const spooledSize = 8 + 4 + 4 + 2 + 2 + 2 + 4 + 4 + 4 + 4

// append appends the bytes of p.
func (p *spooled) append(out []byte) []byte {
	order := binary.LittleEndian
	out = order.AppendUint64(out, p.categories)
	out = order.AppendUint32(out, p.baseCategories)
	out = order.AppendUint32(out, p.tail)
	for _, n := range []uint16{p.region, uint16(len(p.brands)), uint16(len(p.tags))} {
		out = order.AppendUint16(out, n)
	}
	pieces := [][]byte{p.name, p.key, p.head, p.base}
	for _, piece := range pieces {
		out = order.AppendUint32(out, uint32(len(piece)))
	}
	for _, list := range [][]uint32{p.brands, p.tags} {
		for _, n := range list {
			out = order.AppendUint32(out, n)
		}
	}
	for _, piece := range pieces {
		out = append(out, piece...)
	}
	return out
}

// read reads the POI of an item. Its pieces are valid until the next read.
func (w *Writer) read(it item) (p spooled, err error) {
	data, err := w.spool.Read(it.at, int(it.size))
	if err != nil {
		return p, fmt.Errorf("read a POI: %w", err)
	}
	order := binary.LittleEndian
	p.categories, p.baseCategories, p.tail = order.Uint64(data), order.Uint32(data[8:]), order.Uint32(data[12:])
	p.region = order.Uint16(data[16:])
	rest := data[spooledSize:]
	numbers := func(n uint16) (list []uint32) {
		for range n {
			list, rest = append(list, order.Uint32(rest)), rest[4:]
		}
		return list
	}
	p.brands, p.tags = numbers(order.Uint16(data[18:])), numbers(order.Uint16(data[20:]))
	for i, piece := range []*[]byte{&p.name, &p.key, &p.head, &p.base} {
		n := order.Uint32(data[22+4*i:])
		*piece, rest = rest[:n:n], rest[n:]
	}
	return p, nil
}
