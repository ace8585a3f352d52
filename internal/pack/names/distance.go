package names

import (
	"math"
	"math/bits"
	"unicode/utf8"
)

// distance is the optimal string alignment distance of a and b: the number of insertions, deletions, substitutions and
// transpositions of adjacent characters, none of them inside another. It is what pattern.distance must return.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// pattern is a folded name prepared for comparison with many, by the bit-parallel algorithm of Hyyrö (2003).
type pattern struct {
	runes []rune
	ascii [utf8.RuneSelf]uint64 // positions of each character in the name
	other []position            // those of other characters
}

type position struct {
	r    rune
	mask uint64
}

const wordSize = 64

// tolerance is the number of errors that are allowed: none in a number.
func (p *pattern) tolerance() int {
	for _, r := range p.runes {
		if r < '0' || r > '9' {
			return Tolerance(len(p.runes))
		}
	}
	return 0
}

func (p *pattern) set(folded []byte) {
	p.runes, p.other = p.runes[:0], p.other[:0]
	clear(p.ascii[:])
	for _, r := range string(folded) {
		p.runes = append(p.runes, r)
	}
	for i, r := range p.runes[:min(len(p.runes), wordSize)] {
		if r < utf8.RuneSelf {
			p.ascii[r] |= 1 << i
			continue
		}
		p.other = append(p.other, position{r, p.mask(r) | 1<<i})
	}
}

// mask is the positions of a rune; of several entries of one rune the last is complete.
func (p *pattern) mask(r rune) uint64 {
	for i := len(p.other) - 1; i >= 0; i-- {
		if p.other[i].r == r {
			return p.other[i].mask
		}
	}
	return 0
}

// distance is the distance to a folded name.
func (p *pattern) distance(folded []byte) int { return p.within(folded, math.MaxInt/2) }

// within is the distance to a folded name where that is at most so many errors, else some number that is greater. It ends where
// the rest of the name, even if all of it fits, would leave more errors.
func (p *pattern) within(folded []byte, most int) int {
	n := len(p.runes)
	if n == 0 || n > wordSize {
		return distance(p.runes, []rune(string(folded)))
	}
	var (
		vertical, negative, diagonal, before uint64 = ^uint64(0), 0, 0, 0
		lowest                                      = uint64(1) << (n - 1)
		errors                                      = n
	)
	for i := 0; i < len(folded) && errors-(len(folded)-i) <= most; {
		var at uint64
		if c := folded[i]; c < utf8.RuneSelf {
			at = p.ascii[c]
			i++
		} else {
			r, size := utf8.DecodeRune(folded[i:])
			at = p.mask(r)
			i += size
		}
		swapped := (^diagonal & at) << 1 & before
		diagonal = ((at & vertical) + vertical) ^ vertical | at | negative | swapped
		up := negative | ^(diagonal | vertical)
		down := diagonal & vertical
		if up&lowest != 0 {
			errors++
		} else if down&lowest != 0 {
			errors--
		}
		up, down = up<<1|1, down<<1
		vertical, negative = down|^(diagonal|up), up&diagonal
		before = at
	}
	return errors
}

// classes are groups of characters with the number of bits that each has in a signature: as many as distinguish names. Names of 25
// letters have several of the frequent ones, and rarely one of the rare ones. The last class has all other characters.
var classes = []struct {
	characters string
	bits       int
}{
	{"a", 4}, {"b", 2}, {"c", 2}, {"d", 3}, {"e", 5}, {"f", 1}, {"g", 2}, {"h", 2}, {"i", 4}, {"k", 1}, {"l", 4}, {"m", 2}, {"n", 4},
	{"o", 4}, {"p", 2}, {"r", 4}, {"s", 4}, {"t", 4}, {"u", 3}, {"v", 1}, {"w", 1}, {"y", 1}, {"jqxz", 1}, {"01234", 1}, {"56789", 1},
	{"", 1},
}

// classBits are the bits of the class of each ASCII character; in place utf8.RuneSelf those of all others.
var classBits = func() (masks [utf8.RuneSelf + 1]uint64) {
	first := 0
	for _, c := range classes {
		mask := (uint64(1)<<c.bits - 1) << first
		first += c.bits
		for _, character := range []byte(c.characters) {
			masks[character] = mask
		}
		masks[utf8.RuneSelf] = mask
	}
	return masks
}()

// signature is the set of characters of a folded name: of the bits of a class as many are set, from the lowest on, as the name
// has characters of it. An insertion or deletion changes at most one bit, a substitution two, a transposition none.
func signature(folded []byte) uint64 {
	var set uint64
	for _, r := range string(folded) {
		mask := classBits[min(r, utf8.RuneSelf)]
		if mask == 0 {
			mask = classBits[utf8.RuneSelf]
		}
		set |= (set&mask<<1 | mask&-mask) & mask
	}
	return set
}

// bitDistance is the number of bits in which two signatures differ.
func bitDistance(a, b uint64) int { return bits.OnesCount64(a ^ b) }
