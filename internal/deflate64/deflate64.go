// Package deflate64 decompresses method 9 of .zip archives, "Enhanced Deflate", which package archive/zip does not. It is
// Deflate (RFC 1951) with a window of 64 kB, 32 codes of distances, and a last code of lengths that has 16 more bits.
package deflate64

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Method is the number of the method in .zip archives.
const Method = 9

// ErrCorrupt is the error of data that are not of this method.
var ErrCorrupt = errors.New("damaged Deflate64 data")

const (
	windowSize = 1 << 16
	maxBits    = 15 // of a code
	endOfBlock = 256
	literals   = 288 // with the two that no data use
	distances  = 32
)

// Bases and additional bits of the codes of lengths from 257 and of distances.
var (
	lengthBase = [29]uint32{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 3}
	lengthBits = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 16}
	distBase   = [distances]uint32{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
		6145, 8193, 12289, 16385, 24577, 32769, 49153}
	orderOfLengths = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

// code finds symbols by the next bits. An entry is a symbol times 16 plus the number of its bits; 0: no code.
type code struct {
	entries [1 << maxBits]uint16
	bits    uint // of an index
}

// set makes the canonical code of these lengths, of which 0 is a symbol that does not occur.
func (c *code) set(lengths []uint8) error {
	var count [maxBits + 1]int
	c.bits = 1
	for _, n := range lengths {
		count[n]++
		c.bits = max(c.bits, uint(n))
	}
	var next [maxBits + 1]int
	first := 0
	for n := 1; n <= maxBits; n++ {
		next[n] = first
		if first += count[n]; first > 1<<n {
			return fmt.Errorf("%w: too many codes", ErrCorrupt)
		}
		first <<= 1
	}
	clear(c.entries[:1<<c.bits])
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		at := 0 // the code with its first bit lowest, as it is read
		for i, value := 0, next[n]; i < int(n); i, value = i+1, value>>1 {
			at = at<<1 | value&1
		}
		next[n]++
		for ; at < 1<<c.bits; at += 1 << n {
			c.entries[at] = uint16(symbol<<4) | uint16(n)
		}
	}
	return nil
}

// reader is a stream. It keeps the last 64 kB of what it decompressed.
type reader struct {
	in      *bufio.Reader
	bits    uint64
	have    uint // bits, some of which may be behind the end
	behind  uint // bits of them that are
	window  [windowSize]byte
	written int64 // bytes
	read    int64 // by the caller
	length  int   // what is left of a copy, or of a stored block
	from    int   // its distance
	state   func(*reader) error
	last    bool // the block is the last
	err     error
	symbols code
	dists   code
}

// NewReader decompresses a stream. It reads beyond its end. Its signature is that of zip.Decompressor.
func NewReader(in io.Reader) io.ReadCloser {
	return &reader{in: bufio.NewReaderSize(in, 64<<10), state: (*reader).block}
}

// Close ends reading.
func (r *reader) Close() error { return nil }

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.read == r.written && r.err == nil {
		r.err = r.state(r)
	}
	if r.read == r.written {
		return 0, r.err
	}
	n := 0
	for n < len(p) && r.read < r.written {
		at := int(r.read % windowSize)
		end := min(at+int(r.written-r.read), windowSize)
		copied := copy(p[n:], r.window[at:end])
		n += copied
		r.read += int64(copied)
	}
	return n, nil
}

// room is how many bytes can be written before the caller must read.
func (r *reader) room() int { return windowSize - int(r.written-r.read) }

// need makes n bits available, 32 at most. Those behind the end are 0, and an error once they are used.
func (r *reader) need(n uint) error {
	for r.have < n {
		b, err := r.in.ReadByte()
		if err == io.EOF {
			b, err = 0, nil
			r.behind += 8
		}
		if err != nil {
			return err
		}
		r.bits |= uint64(b) << r.have
		r.have += 8
	}
	return nil
}

// drop uses n bits.
func (r *reader) drop(n uint) error {
	r.bits >>= n
	if r.have -= n; r.have < r.behind {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// number reads a number of n bits.
func (r *reader) number(n uint) (uint32, error) {
	if err := r.need(n); err != nil {
		return 0, err
	}
	value := uint32(r.bits & (1<<n - 1))
	return value, r.drop(n)
}

// symbol reads a code.
func (r *reader) symbol(c *code) (int, error) {
	if err := r.need(c.bits); err != nil {
		return 0, err
	}
	entry := c.entries[r.bits&(1<<c.bits-1)]
	if entry == 0 {
		return 0, fmt.Errorf("%w: no such code", ErrCorrupt)
	}
	return int(entry >> 4), r.drop(uint(entry & 15))
}

// block begins a block, or ends the stream.
func (r *reader) block() error {
	if r.last {
		return io.EOF
	}
	header, err := r.number(3)
	if err != nil {
		return err
	}
	r.last = header&1 == 1
	switch header >> 1 {
	case 0:
		return r.storedBlock()
	case 1:
		r.state = (*reader).decode
		return r.fixedCodes()
	case 2:
		r.state = (*reader).decode
		return r.readCodes()
	}
	return fmt.Errorf("%w: no such kind of block", ErrCorrupt)
}

// storedBlock begins a block of bytes as they are.
func (r *reader) storedBlock() error {
	if err := r.drop(r.have % 8); err != nil {
		return err
	}
	length, err := r.number(16)
	if err != nil {
		return err
	}
	complement, err := r.number(16)
	if err != nil {
		return err
	}
	if length != ^complement&0xffff {
		return fmt.Errorf("%w: the length of a stored block", ErrCorrupt)
	}
	r.length, r.state = int(length), (*reader).stored
	return nil
}

func (r *reader) stored() error {
	for n := min(r.length, r.room()); n > 0; n-- {
		b, err := r.number(8)
		if err != nil {
			return err
		}
		r.put(byte(b))
		r.length--
	}
	if r.length == 0 {
		r.state = (*reader).block
	}
	return nil
}

func (r *reader) put(b byte) {
	r.window[r.written%windowSize] = b
	r.written++
}

func (r *reader) fixedCodes() error {
	var lengths [literals]uint8
	for i := range lengths {
		switch {
		case i < 144 || i >= 280:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		default:
			lengths[i] = 7
		}
	}
	if err := r.symbols.set(lengths[:]); err != nil {
		return err
	}
	var five [distances]uint8
	for i := range five {
		five[i] = 5
	}
	return r.dists.set(five[:])
}

// readCodes reads the codes of a block.
func (r *reader) readCodes() error {
	counts, err := r.number(14)
	if err != nil {
		return err
	}
	symbols, dists, coded := int(counts&31)+257, int(counts>>5&31)+1, int(counts>>10)+4
	var lengths [literals + distances]uint8
	for _, at := range orderOfLengths[:coded] {
		n, err := r.number(3)
		if err != nil {
			return err
		}
		lengths[at] = uint8(n)
	}
	if err := r.symbols.set(lengths[:len(orderOfLengths)]); err != nil {
		return err
	}
	clear(lengths[:])
	for i := 0; i < symbols+dists; {
		length, times, err := r.lengthCode(lengths[:i])
		if err != nil {
			return err
		}
		if i+times > symbols+dists {
			return fmt.Errorf("%w: too many lengths of codes", ErrCorrupt)
		}
		for ; times > 0; times-- {
			lengths[i] = length
			i++
		}
	}
	if lengths[endOfBlock] == 0 {
		return fmt.Errorf("%w: a block without an end", ErrCorrupt)
	}
	if err := r.symbols.set(lengths[:symbols]); err != nil {
		return err
	}
	return r.dists.set(lengths[symbols : symbols+dists])
}

// lengthCode reads the length of a code, and how often it follows those before.
func (r *reader) lengthCode(before []uint8) (length uint8, times int, err error) {
	symbol, err := r.symbol(&r.symbols)
	if err != nil || symbol < 16 {
		return uint8(symbol), 1, err
	}
	var more uint32
	switch symbol {
	case 16:
		if len(before) == 0 {
			return 0, 0, fmt.Errorf("%w: a repetition of nothing", ErrCorrupt)
		}
		more, err = r.number(2)
		return before[len(before)-1], int(more) + 3, err
	case 17:
		more, err = r.number(3)
		return 0, int(more) + 3, err
	}
	more, err = r.number(7)
	return 0, int(more) + 11, err
}

// decode decodes symbols until the window is full or the block ends.
func (r *reader) decode() error {
	for room := r.room(); room > 0; room = r.room() {
		if r.length > 0 {
			n := min(r.length, room)
			for range n {
				r.put(r.window[(r.written-int64(r.from))%windowSize])
			}
			r.length -= n
			continue
		}
		symbol, err := r.symbol(&r.symbols)
		switch {
		case err != nil:
			return err
		case symbol < endOfBlock:
			r.put(byte(symbol))
		case symbol == endOfBlock:
			r.state = (*reader).block
			return nil
		default:
			if err := r.startCopy(symbol - endOfBlock - 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// startCopy reads the rest of a length and its distance.
func (r *reader) startCopy(n int) error {
	if n >= len(lengthBase) {
		return fmt.Errorf("%w: no such length", ErrCorrupt)
	}
	more, err := r.number(uint(lengthBits[n]))
	if err != nil {
		return err
	}
	dist, err := r.symbol(&r.dists)
	if err != nil {
		return err
	}
	further, err := r.number(uint(max(dist/2-1, 0)))
	if err != nil {
		return err
	}
	r.length, r.from = int(lengthBase[n]+more), int(distBase[dist]+further)
	if int64(r.from) > r.written {
		return fmt.Errorf("%w: a copy of what was before the beginning", ErrCorrupt)
	}
	return nil
}
