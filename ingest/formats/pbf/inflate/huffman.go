package inflate

import "math/bits"

// A Huffman table is looked up by the next bits of the stream, as many as it is wide, and tells by an entry what they
// mean. Codes that are longer lead to a second table behind the first one.
//
// An entry is, from the lowest bit: 8 bits with the number of bits that the code takes, 8 bits of kind, 16 bits of
// value: the literal, the base of a length or distance, or where the second table begins.
type entry uint32

const (
	literal entry = 0x8000 // value is the byte
	end     entry = 0x4000 // the block ends
	link    entry = 0x2000 // value is a second table; the low bits of the kind are its width
	invalid entry = 0x1000 // no code begins so
	extra   entry = 0x0f00 // else: so many bits are to be added to the base in value
)

func (e entry) taken() uint      { return uint(e) & 0xff }
func (e entry) value() int       { return int(e >> 16) }
func (e entry) extraBits() uint  { return uint(e&extra) >> 8 }
func (e entry) is(k entry) bool  { return e&k != 0 }
func (e entry) linkWidth() uint  { return e.extraBits() }
func base(value, n int) entry    { return entry(value)<<16 | entry(n)<<8 }
func (e entry) with(n int) entry { return e | entry(n) }

const (
	maxCode   = 15 // bits of a code
	litWidth  = 11
	distWidth = 8
	preWidth  = 7
	// The most entries that the tables can need, second tables included: 2^width and, for the codes that are longer,
	// less than twice their number (zlib's enough.c gives 2342 and 402 for these widths).
	litSize  = 2400
	distSize = 512
	preSize  = 1 << preWidth
)

// meanings of the symbols of the three alphabets.
var litMeaning, distMeaning, preMeaning = func() (lit [288]entry, dist [32]entry, pre [19]entry) {
	for i := range 256 {
		lit[i] = literal | base(i, 0)
	}
	lit[256] = end
	for i, from := 257, 3; i < 285; i++ {
		n := max(0, (i-261)/4)
		lit[i] = base(from, n)
		from += 1 << n
	}
	lit[285] = base(258, 0)
	lit[286], lit[287] = invalid, invalid
	for i, from := 0, 1; i < 30; i++ {
		n := max(0, (i-2)/2)
		dist[i] = base(from, n)
		from += 1 << n
	}
	dist[30], dist[31] = invalid, invalid
	for i := range pre {
		pre[i] = base(i, 0)
	}
	return lit, dist, pre
}()

// build fills table, whose first part is 2^width long, from the code lengths of symbols. It reports false where the
// lengths make no prefix code, or one that leaves bit strings without a meaning; a single code of one bit is let pass,
// as the format has it.
func build(table []entry, width int, lengths []uint8, meaning []entry) bool {
	var left [maxCode + 1]int // codes of each length that are still to be entered
	for _, n := range lengths {
		left[n]++
	}
	left[0] = 0
	var first [maxCode + 2]int // place of a length's symbols in order
	space := 0
	for n := 1; n <= maxCode; n++ {
		first[n+1] = first[n] + left[n]
		space += left[n] << (maxCode - n)
	}
	used := first[maxCode+1]
	if space != 1<<maxCode && (used > 1 || left[1] != used) {
		return false
	}
	var order [288]uint16
	for symbol, n := range lengths {
		if n > 0 {
			order[first[n]] = uint16(symbol)
			first[n]++
		}
	}
	for i := range table[:1<<width] {
		table[i] = invalid
	}
	code, free := 0, 1<<width // code is aligned to the left of 15 bits
	for _, symbol := range order[:used] {
		n := int(lengths[symbol])
		reversed := int(bits.Reverse16(uint16(code << 1)))
		if e := meaning[symbol].with(n); n > width {
			free = long(table, width, free, &left, n, reversed, e)
		} else {
			for i := reversed; i < 1<<width; i += 1 << n {
				table[i] = e
			}
		}
		code += 1 << (maxCode - n)
		left[n]--
	}
	return true
}

// long enters a code that is longer than width into its second table, which it makes at the first such code: codes
// come in order of length, so that it is as wide as the codes that are left can fill. It returns the first free place.
func long(table []entry, width, free int, left *[maxCode + 1]int, n, reversed int, e entry) int {
	at := &table[reversed&(1<<width-1)]
	if !at.is(link) {
		size := n - width
		for room := 1<<size - left[n]; room > 0 && width+size < maxCode; {
			size++
			room = room<<1 - left[width+size]
		}
		*at = link | base(free, size).with(width)
		free += 1 << size
	}
	for i := reversed >> width; i < 1<<at.linkWidth(); i += 1 << (n - width) {
		table[at.value()+i] = e
	}
	return free
}
