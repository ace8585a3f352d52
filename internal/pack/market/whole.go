package market

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"quartier/internal/pack"
	"quartier/schemas/market"
)

// whole is the cells of all intervals in one file, as layouts up to 15 had them, for servers alone. Its lists have a bit for each of
// the intervals that move, or for each of the closed ones, where today's have two bytes.
type whole struct {
	lists  [2]pack.Lists[uint8] // of the intervals that move, and of the closed ones
	closed int                  // the first closed interval
}

// loadWhole is the cells of a file of an earlier layout; nil of this one.
func loadWhole(l *pack.Loader, geographies int) *whole {
	if !l.Has("market.closed.ends") {
		return nil
	}
	w := &whole{closed: slices.IndexFunc(market.Intervals(0), func(i market.Interval) bool { return i.Closed })}
	for n, name := range []string{"market.moving", "market.closed"} {
		w.lists[n] = pack.LoadLists[uint8](l, name, geographies)
	}
	return w
}

// at is a cell as the file has it; nil if there is none.
func (w *whole) at(geography int, of market.PropertyType, interval int) []byte {
	list, count := w.lists[0].At(geography), w.closed
	if interval >= w.closed {
		list, count, interval = w.lists[1].At(geography), IntervalCount-w.closed, interval-w.closed
	}
	if len(list) < typeBytes {
		return nil
	}
	types, list := binary.LittleEndian.Uint16(list), list[typeBytes:]
	if types&(1<<of) == 0 {
		return nil
	}
	for before := bits.OnesCount16(types & (1<<of - 1)); ; before-- {
		has, rest, ok := cut(list, (count+7)/8)
		if !ok {
			return nil
		}
		cells := ones(has, count)
		ends, rest, ok := cut(rest, endBytes*cells)
		if !ok || cells == 0 {
			return nil
		}
		text, rest, ok := cut(rest, endOf(ends, cells))
		switch {
		case !ok:
			return nil
		case before > 0:
			list = rest
			continue
		case has[interval/8]>>(interval%8)&1 == 0:
			return nil
		}
		n := ones(has, interval)
		if from, to := endOf(ends, n), endOf(ends, n+1); from <= to && to <= len(text) {
			return text[from:to]
		}
		return nil
	}
}

// cut cuts data after n bytes; false if it is shorter.
func cut(data []byte, n int) (first, rest []byte, ok bool) {
	if n > len(data) {
		return nil, nil, false
	}
	return data[:n], data[n:], true
}

// ones is how many of the first n bits are set.
func ones(set []byte, n int) (count int) {
	for i := range n {
		count += int(set[i/8] >> (i % 8) & 1)
	}
	return count
}

// endOf is where the n-th cell ends; 0 for n = 0.
func endOf(ends []byte, n int) int {
	if n == 0 {
		return 0
	}
	return int(binary.LittleEndian.Uint16(ends[endBytes*(n-1):]))
}
