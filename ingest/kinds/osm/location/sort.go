package location

const digit = 11 // bits sorted in one pass

// sortIDs radix-sorts ids with scratch space of the same size, and returns both, possibly swapped. The ids of a file share
// their upper bits, so that three or four passes suffice; a comparison sort takes some ten times as long.
func sortIDs(ids, scratch []int64) (sorted, other []int64) {
	const sign = -1 << 63 // flipped, negative ids come first
	for shift := 0; shift < 64; shift += digit {
		var count [1 << digit]int
		for _, id := range ids {
			count[uint64(id^sign)>>shift%(1<<digit)]++
		}
		if len(ids) == 0 || count[uint64(ids[0]^sign)>>shift%(1<<digit)] == len(ids) {
			continue // all have the same digit
		}
		at := 0
		for d, n := range count {
			count[d], at = at, at+n
		}
		scratch = scratch[:len(ids)]
		for _, id := range ids {
			d := uint64(id^sign) >> shift % (1 << digit)
			scratch[count[d]] = id
			count[d]++
		}
		ids, scratch = scratch, ids
	}
	return ids, scratch
}
