package market

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"

	"quartier/schemas/market"
)

// piece is the JSON between two numbers of a cell: `},"interval_wide":{"homes_sold_count":`.
type piece struct {
	text   [pieceBytes]byte // then anything: it is copied as a whole, in a fraction of the time of a copy of its length
	length uint
}

const pieceBytes = 64

// members are the steps with a number or word, in the order of the JSON. A set of them has bit k for member k.
var members = func() (all []step) {
	for _, s := range steps {
		if s.kind != open && s.kind != shut {
			all = append(all, s)
		}
	}
	return all
}()

// Sets of members.
var (
	countSet = setWhere(func(k int) bool { return slices.Contains(counts, members[k].metric) })
	againSet = setWhere(func(k int) bool { return members[k].kind == again })
	wordSet  = setWhere(func(k int) bool { return members[k].kind == word })
)

// missingBit is in the set of a cell of which nothing is active at the end, or nothing sold.
const missingBit = 1 << 63

func setWhere(f func(k int) bool) (set uint64) {
	for k := range members {
		if f(k) {
			set |= 1 << k
		}
	}
	return set
}

// setOf is the set of members of a cell.
func setOf(values *market.Values) uint64 {
	set := setWhere(func(k int) bool {
		s := &members[k]
		return values[s.metric] != market.Absent && (s.kind != word || values[s.metric] == s.value)
	})
	if values[market.Active] == 0 || values[market.Sold] == 0 {
		set |= missingBit
	}
	return set
}

// possible reports whether a cell can have a set of members: all counts, at most one word, and what is there again.
func possible(set uint64) bool {
	if set&countSet != countSet || set&^missingBit>>len(members) != 0 || bits.OnesCount64(set&wordSet) > 1 {
		return false
	}
	for _, a := range agains {
		if set>>a.again&1 != set>>a.first&1 {
			return false
		}
	}
	return true
}

// agains are the members that are there again, with the first one of the same number.
var agains = func() (all []struct{ first, again int }) {
	for k, s := range members {
		if s.kind == again {
			first := slices.IndexFunc(members, func(o step) bool { return o.kind == number && o.metric == s.metric })
			all = append(all, struct{ first, again int }{first, k})
		}
	}
	return all
}()

// maxMembers is more than there are members.
const maxMembers = 64

// between are the pieces by two members that follow each other in a cell: between[a+1][b] comes after member a and before b.
// Row 0 begins a cell, and the last column ends it.
var between = func() (all [maxMembers][maxMembers]piece) {
	for a := range len(members) + 1 {
		for b := a; b <= len(members); b++ {
			all[a][b].length = uint(copy(all[a][b].text[:], textBetween(a-1, b)))
			if b < len(members) && slices.Contains(counts, members[b].metric) {
				break // every cell has it
			}
		}
	}
	return all
}()

// textBetween is the JSON after member a, −1 at the beginning, and before member b of a cell that has none in between.
// Objects without members are left out.
func textBetween(a, b int) string {
	var ends, begins string
	var opened []int // length of begins before each object
	at := -1
	for _, s := range steps {
		if s.kind != open && s.kind != shut {
			if at++; at == b {
				return ends + "," + begins + s.json()
			}
			continue
		}
		switch inside := at >= a; {
		case !inside:
		case s.kind == open:
			opened = append(opened, len(begins))
			begins += `"` + s.name + `":{`
		case len(opened) > 0:
			begins, opened = begins[:opened[len(opened)-1]], opened[:len(opened)-1]
		default:
			ends += "}"
		}
	}
	return ends + "}"
}

// Append appends the code of an interval and its schemas.MarketPeriods to dst. missing reports that nothing was active at
// its end, or nothing sold in it. A geography without a time zone has no intervals, so that nothing is appended.
func (r *Row) Append(dst []byte, interval int) (_ []byte, missing bool) {
	if r.heads == nil {
		return dst, true
	}
	dst = append(dst, r.heads[interval]...)
	set, data := r.cell(interval)
	if set == 0 {
		return append(dst, noneMembers...), true
	}
	return appendCell(dst, set&^missingBit, data), set&missingBit != 0
}

const (
	cellBytes   = 4 << 10 // more than the JSON of a cell without its period takes
	numberBytes = 16      // more than the text of a number, which is copied as a whole like a piece
)

// appendCell appends a set of members, the first one after a comma, and the end of the cell. data are the lengths of the
// numbers and their texts.
func appendCell(dst []byte, set uint64, data []byte) []byte {
	dst = slices.Grow(dst, cellBytes+pieceBytes)
	out := (*[cellBytes + pieceBytes]byte)(dst[len(dst):][:cellBytes+pieceBytes])
	var numbers [maxMembers]text
	setNumbers(&numbers, set, data)
	data = data[:cap(data)]
	from, n := &between[0], uint(0)
	for ; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set) % maxMembers
		p, number := &from[k], numbers[k]
		*(*[pieceBytes]byte)(out[n%cellBytes:]) = p.text
		n += p.length
		*(*[numberBytes]byte)(out[n%cellBytes:]) = *(*[numberBytes]byte)(data[number.at:])
		n += uint(number.length)
		from = &between[(k+1)%maxMembers]
	}
	last := &from[len(members)]
	*(*[pieceBytes]byte)(out[n%cellBytes:]) = last.text
	return dst[:uint(len(dst))+n+last.length]
}

// text is where the text of a number is.
type text struct{ at, length uint16 }

// setNumbers finds the texts of the numbers of a set of members, by member.
func setNumbers(all *[maxMembers]text, set uint64, data []byte) {
	set &^= againSet
	at, n, lengths := uint16(bits.OnesCount64(set)+1)/2, 0, uint64(0)
	for ; set != 0; set &= set - 1 {
		if n%16 == 0 {
			lengths = binary.LittleEndian.Uint64(data[n/2 : cap(data)])
		}
		length := uint16(lengths & 15)
		all[bits.TrailingZeros64(set)%maxMembers] = text{at, length}
		at, lengths, n = at+length, lengths>>4, n+1
	}
	for _, a := range agains {
		all[a.again] = all[a.first]
	}
}

// appendNumber appends a metric as encoding/json does its value.
func appendNumber(dst []byte, m market.Metric, v int64) []byte {
	abs := uint64(v)
	if v < 0 {
		dst, abs = append(dst, '-'), -abs
	}
	one := uint64(1)
	for range m.Decimals() {
		one *= 10
	}
	dst = strconv.AppendUint(dst, abs/one, 10)
	if rest := abs % one; rest != 0 {
		dst = append(dst, '.')
		for ; rest != 0; rest = rest * 10 % one {
			dst = append(dst, byte('0'+rest*10/one))
		}
	}
	return dst
}

// numberOf is the metric with a text of appendNumber.
func numberOf(text []byte, m market.Metric) int64 {
	v, decimals, negative := int64(0), -1, false
	for _, b := range text {
		switch {
		case b == '-':
			negative = true
		case b == '.':
			decimals = 0
		default:
			v = 10*v + int64(b-'0')
			if decimals >= 0 {
				decimals++
			}
		}
	}
	for n := max(decimals, 0); n < m.Decimals(); n++ {
		v *= 10
	}
	if negative {
		return -v
	}
	return v
}
