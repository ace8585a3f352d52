package names

import (
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"

	"quartier/internal/pack"
)

// setsInBlock is the number of signatures in a block. With a half as many, blocks are ruled out more often and take more memory.
const setsInBlock = 16

// A search spends the work on so many blocks at once, in units of a pack.Meter.
const (
	spentAtOnce = 16
	setsWork    = 5
)

// similar finds texts with few typing errors: of those of similar length it compares the ones that their signature does
// not rule out.
type similar struct {
	lengths []uint32 `pack:"length lengths"`
	sets    []uint64 `pack:"signature texts"`
	numbers []uint32 `pack:"number texts"`
	blocks  []uint64 `pack:"block 2 blocks"`
}

func (s *similar) load(l *pack.Loader, prefix string, texts int) {
	l.Fill(s, prefix, map[string]int{"texts": texts, "blocks": (texts + setsInBlock - 1) / setsInBlock, "lengths": maxRunes + 2})
}

// blocksOf is the number of blocks of n items.
func blocksOf(n int) int { return (n + blockSize - 1) / blockSize }

// each calls visit with the numbers of all texts that may be within tolerance errors of a pattern of folded, some at a time.
// visit returns the tolerance that is still of interest. It ends early if the meter says so.
func (s *similar) each(p *pattern, folded []byte, tolerance int, meter *pack.Meter, visit func(numbers []uint32) int) {
	length, set := len(p.runes), signature(folded)
	var room [setsInBlock]uint32
	for more := 0; more <= tolerance; more++ { // the closest lengths first, so that tolerance falls early
		tolerance = s.eachOfLength(length+more, more, set, tolerance, meter, &room, visit)
		if more > 0 {
			tolerance = s.eachOfLength(length-more, more, set, tolerance, meter, &room, visit)
		}
	}
}

// eachOfLength is each for the texts of one length, that differs by more from the pattern's, and returns the tolerance.
func (s *similar) eachOfLength(length, more int, set uint64, tolerance int, meter *pack.Meter, numbers *[setsInBlock]uint32,
	visit func(numbers []uint32) int) int {
	if length < 1 || length > maxRunes {
		return tolerance
	}
	lo, hi := uint64(s.lengths[length]), uint64(s.lengths[length+1])
	if hi > uint64(len(s.sets)) {
		return tolerance
	}
	bound := 2*tolerance - more // an insertion or deletion changes one bit, a substitution two
	for spent := 0; lo < hi; spent++ {
		if spent%spentAtOnce == 0 && meter.Spend(spentAtOnce*setsWork) {
			break
		}
		block := lo / setsInBlock
		end := min((block+1)*setsInBlock, hi)
		both := s.blocks[2*block : 2*block+2 : 2*block+2]
		if bits.OnesCount64(both[0]&^set|set&^both[1]) <= bound {
			n := 0
			ofBlock := s.numbers[lo:end]
			for i, other := range s.sets[lo:end] {
				if bitDistance(set, other) <= bound {
					numbers[n%setsInBlock] = ofBlock[i]
					n++
				}
			}
			if n > 0 {
				if tolerance = visit(numbers[:n]); tolerance < more {
					break
				}
				bound = 2*tolerance - more
			}
		}
		lo = end
	}
	return tolerance
}

// signatureEntry is a signature and the index of its text.
type signatureEntry struct {
	set    uint64
	number uint32
}

// writeSimilar writes the sections of a similar.
func writeSimilar(out *pack.Writer, prefix string, texts []string) {
	byLength := make([][]signatureEntry, maxRunes+1)
	for i, text := range texts {
		length := min(utf8.RuneCountInString(text), maxRunes)
		byLength[length] = append(byLength[length], signatureEntry{signature([]byte(text)), uint32(i)})
	}
	begins := pack.NewSection[uint32](out, prefix+"length")
	sets, numbers := pack.NewSection[uint64](out, prefix+"signature"), pack.NewSection[uint32](out, prefix+"number")
	blocks := pack.NewSection[uint64](out, prefix+"block")
	all, any, in := ^uint64(0), uint64(0), 0
	var scratch []signatureEntry
	for _, list := range byLength {
		begins.Append(uint32(sets.Len()))
		scratch = slices.Grow(scratch[:0], len(list))
		cluster(list, scratch)
		for _, s := range list {
			sets.Append(s.set)
			numbers.Append(s.number)
			all, any, in = all&s.set, any|s.set, in+1
			if in == setsInBlock {
				blocks.Append(all, any)
				all, any, in = ^uint64(0), 0, 0
			}
		}
	}
	if in > 0 {
		blocks.Append(all, any)
	}
	begins.Append(uint32(sets.Len()))
}

// cluster sorts similar signatures together: it splits the list by the bit that splits it most evenly, then each half.
// scratch has room for the list.
func cluster(list, scratch []signatureEntry) {
	if len(list) <= setsInBlock {
		return
	}
	var count [64]int
	for _, s := range list {
		for set := s.set; set != 0; set &= set - 1 {
			count[bits.TrailingZeros64(set)]++
		}
	}
	best, uneven := 0, math.MaxInt
	for bit, n := range count {
		if u := max(2*n-len(list), len(list)-2*n); u < uneven {
			best, uneven = bit, u
		}
	}
	if uneven == len(list) { // all the same
		return
	}
	without, with := list[:0], scratch[:0]
	for _, s := range list {
		if s.set>>best&1 == 0 {
			without = append(without, s)
		} else {
			with = append(with, s)
		}
	}
	split := len(without)
	copy(list[split:], with)
	cluster(list[:split], scratch)
	cluster(list[split:], scratch)
}
