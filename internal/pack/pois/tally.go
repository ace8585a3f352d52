package pois

// tally counts how many sets have each category. Its counters are bytes in eight words, which are added to the totals
// before they overflow: adding a set takes eight additions. The zero value is ready.
type tally struct {
	bytes [8]uint64 // byte b of word k counts the sets that have category 8b+k
	added int
	total [64]int
}

// lanes has the lowest bit of every byte.
const lanes = 0x0101010101010101

// add counts one set.
func (t *tally) add(set uint64) {
	if t.added == 255 {
		t.empty()
	}
	t.added++
	b := &t.bytes
	b[0] += set & lanes
	b[1] += set >> 1 & lanes
	b[2] += set >> 2 & lanes
	b[3] += set >> 3 & lanes
	b[4] += set >> 4 & lanes
	b[5] += set >> 5 & lanes
	b[6] += set >> 6 & lanes
	b[7] += set >> 7 & lanes
}

// addAll counts sets. Of fifteen at a time, carry-save adders first make four words that have the number of sets with each
// category in binary: of {0, 2} and {0} the ones are {2} and the twos {0}.
func (t *tally) addAll(sets []uint64) {
	for ; len(sets) >= 15; sets = sets[15:] {
		if t.added > 255-15 {
			t.empty()
		}
		t.added += 15
		s := (*[15]uint64)(sets)
		ones, a := addBits(s[0], s[1], s[2])
		ones, b := addBits(ones, s[3], s[4])
		ones, c := addBits(ones, s[5], s[6])
		ones, d := addBits(ones, s[7], s[8])
		ones, e := addBits(ones, s[9], s[10])
		ones, f := addBits(ones, s[11], s[12])
		ones, g := addBits(ones, s[13], s[14])
		twos, h := addBits(a, b, c)
		twos, i := addBits(twos, d, e)
		twos, j := addBits(twos, f, g)
		fours, eights := addBits(h, i, j)
		for k := range t.bytes {
			t.bytes[k] += ones>>k&lanes + twos>>k&lanes<<1 + fours>>k&lanes<<2 + eights>>k&lanes<<3
		}
	}
	for _, set := range sets {
		t.add(set)
	}
}

// addBits adds three words bit by bit: the sums and the carries.
func addBits(a, b, c uint64) (sum, carry uint64) {
	half := a ^ b
	return half ^ c, a&b | half&c
}

func (t *tally) empty() {
	for k, word := range t.bytes {
		for b := range 8 {
			t.total[8*b+k] += int(word >> (8 * b) & 255)
		}
	}
	t.bytes, t.added = [8]uint64{}, 0
}

// into adds the counts of the categories to counts and resets the tally.
func (t *tally) into(counts *[NumCategories]int) {
	t.empty()
	for i := range counts {
		counts[i] += t.total[i]
	}
	t.total = [64]int{}
}
