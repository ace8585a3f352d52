// Package inflate decompresses zlib streams (RFC 1950 and 1951) of known decompressed size. Since it does not stream, it
// needs no window, buffer or state between calls, and takes about half the time of a reader.
package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
)

// The errors of a stream.
var (
	ErrFormat   = errors.New("malformed zlib stream")
	ErrShort    = errors.New("unexpected end of stream")
	ErrSize     = errors.New("decompressed size differs from that in the header")
	ErrChecksum = errors.New("checksum mismatch")
)

// Decoder has the tables of one goroutine. The zero value is ready for use.
type Decoder struct {
	lit  [litSize]entry
	dist [distSize]entry
	pre  [preSize]entry

	src     []byte
	at      int    // index of the next byte of src
	bits    uint64 // loaded and not yet used, lowest first
	n       uint   // number of bits; zeros are loaded after the end of src
	overrun uint   // bytes loaded after the end
	dst     []byte
	out     int
}

// Zlib decompresses src to dst, whose length must be the decompressed size.
func (d *Decoder) Zlib(dst, src []byte) error {
	if len(src) < 6 || src[0]&0x0f != 8 || src[0]>>4 > 7 || src[1]&0x20 != 0 || binary.BigEndian.Uint16(src)%31 != 0 {
		return ErrFormat
	}
	d.src, d.at, d.bits, d.n, d.overrun, d.dst, d.out = src, 2, 0, 0, 0, dst, 0
	defer func() { d.src, d.dst = nil, nil }()
	for last := false; !last; {
		d.load()
		last = d.take(1) == 1
		if err := d.block(d.take(2)); err != nil {
			return err
		}
	}
	if d.out != len(dst) {
		return fmt.Errorf("%w: %d bytes instead of %d", ErrSize, d.out, len(dst))
	}
	d.align()
	if d.overrun > 0 || len(src)-d.at < 4 {
		return ErrShort
	}
	if adler32.Checksum(dst) != binary.BigEndian.Uint32(src[d.at:]) {
		return ErrChecksum
	}
	return nil
}

func (d *Decoder) block(kind uint64) error {
	switch kind {
	case 0:
		return d.stored()
	case 1:
		d.fixed()
	case 2:
		if err := d.dynamic(); err != nil {
			return err
		}
	default:
		return ErrFormat
	}
	return d.codes()
}

// load loads bits until there are at least 56.
func (d *Decoder) load() {
	if d.at+8 <= len(d.src) {
		d.bits |= binary.LittleEndian.Uint64(d.src[d.at:]) << d.n
		d.at += int(63-d.n) >> 3
		d.n |= 56
		return
	}
	for d.n < 56 {
		if d.at < len(d.src) {
			d.bits |= uint64(d.src[d.at]) << d.n
			d.at++
		} else {
			d.overrun++
		}
		d.n += 8
	}
}

func (d *Decoder) take(n uint) uint64 {
	v := d.bits & (1<<n - 1)
	d.bits >>= n
	d.n -= n
	return v
}

// align skips to the next byte boundary and returns complete unused bytes.
func (d *Decoder) align() {
	bytes := d.n / 8
	behind := min(bytes, d.overrun)
	d.overrun -= behind
	d.at -= int(bytes - behind)
	d.bits, d.n = 0, 0
}

// stored copies an uncompressed block.
func (d *Decoder) stored() error {
	d.align()
	if d.overrun > 0 || len(d.src)-d.at < 4 {
		return ErrShort
	}
	size := int(binary.LittleEndian.Uint16(d.src[d.at:]))
	if size != int(^binary.LittleEndian.Uint16(d.src[d.at+2:])) {
		return ErrFormat
	}
	d.at += 4
	switch {
	case len(d.src)-d.at < size:
		return ErrShort
	case len(d.dst)-d.out < size:
		return ErrSize
	}
	d.out += copy(d.dst[d.out:], d.src[d.at:d.at+size])
	d.at += size
	return nil
}

// fixed sets the tables that the format defines.
func (d *Decoder) fixed() {
	var lengths [288 + 32]uint8
	for i := range lengths {
		switch {
		case i < 144, i >= 280 && i < 288:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 5
		}
	}
	build(d.lit[:], litWidth, lengths[:288], litMeaning[:])
	build(d.dist[:], distWidth, lengths[288:], distMeaning[:])
}

// preOrder is the order of the lengths of the codes of code lengths.
var preOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the tables of a block.
func (d *Decoder) dynamic() error {
	lits, dists, pres := int(d.take(5))+257, int(d.take(5))+1, int(d.take(4))+4
	if lits > 286 || dists > 30 {
		return ErrFormat
	}
	var preLengths [19]uint8
	for _, symbol := range preOrder[:pres] {
		d.load()
		preLengths[symbol] = uint8(d.take(3))
	}
	if !build(d.pre[:], preWidth, preLengths[:], preMeaning[:]) {
		return ErrFormat
	}
	var lengths [286 + 30]uint8
	if err := d.lengths(lengths[:lits+dists]); err != nil {
		return err
	}
	if lengths[256] == 0 || !build(d.lit[:], litWidth, lengths[:lits], litMeaning[:]) ||
		!build(d.dist[:], distWidth, lengths[lits:lits+dists], distMeaning[:]) {
		return ErrFormat
	}
	return nil
}

// lengths reads the run-length coded code lengths.
func (d *Decoder) lengths(lengths []uint8) error {
	for i := 0; i < len(lengths); {
		d.load()
		if d.overrun > 8 {
			return ErrShort
		}
		e := d.pre[d.bits&(1<<preWidth-1)]
		if e.is(invalid) {
			return ErrFormat
		}
		d.take(e.taken())
		run, value := 1, uint8(e.value())
		switch {
		case value < 16:
		case value == 16 && i == 0:
			return ErrFormat
		case value == 16:
			run, value = 3+int(d.take(2)), lengths[i-1]
		case value == 17:
			run, value = 3+int(d.take(3)), 0
		default:
			run, value = 11+int(d.take(7)), 0
		}
		if run > len(lengths)-i {
			return ErrFormat
		}
		for range run {
			lengths[i] = value
			i++
		}
	}
	return nil
}
