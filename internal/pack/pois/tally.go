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
