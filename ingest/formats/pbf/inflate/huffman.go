package inflate

import "math/bits"

// entry is the meaning of the next bits of the stream, the index of a Huffman table of 2^width entries. Longer codes are
// in second tables after the first one.
//
// From the lowest bit it has 8 bits with the length of the code, 8 bits of kind, and 16 bits of value: the literal, the
// base of a length or distance, or the index of the second table.
type entry uint32

const (
	literal entry = 0x8000 // value is the byte
	end     entry = 0x4000 // the block ends
	link    entry = 0x2000 // value is a second table; the low bits of the kind are its width
	invalid entry = 0x1000 // no code starts with these bits
	extra   entry = 0x0f00 // else: number of extra bits to add to the base in value
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
	// The maximum sizes of the tables, including second tables: 2^width and, for longer codes, less than twice their number (zlib's enough.c gives 2342 and 402 for these widths).
	litSize  = 2400
	distSize = 512
	preSize  = 1 << preWidth
)

// The meanings of the symbols of the three alphabets.
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

// build fills table, which has 2^width entries before the second tables, from the code lengths of symbols. It reports
// false if the lengths are not those of a complete prefix code; the format allows a single code of one bit.
func build(table []entry, width int, lengths []uint8, meaning []entry) bool {
	var left [maxCode + 1]int // remaining codes of each length
	for _, n := range lengths {
		left[n]++
	}
	left[0] = 0
	var first [maxCode + 2]int // index in order of the symbols of each length
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

// long adds a code longer than width to its second table, which it creates at the first such code. Since codes are
// ordered by length, the remaining codes decide on its width. It returns the first free index.
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
