package pbf

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"quartier/ingest/source"
)

// The wire types of protocol buffers that occur in OSM files.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

var (
	errWire   = errors.New("malformed protocol buffer")
	errPacked = errors.New("truncated packed list")
	errTwice  = errors.New("duplicate packed list")
)

// fields reads the fields of one message. next sets number and wire, and value (varints) or data (length-delimited);
// fixed-width fields, which the format does not use, are skipped.
type fields struct {
	rest   []byte
	number int
	wire   int
	value  uint64
	data   []byte
	err    error
}

func (f *fields) next() bool {
	if len(f.rest) == 0 || f.err != nil {
		return false
	}
	key, n := uvarint(f.rest)
	if n == 0 || key>>3 == 0 || key>>3 > 1<<29-1 {
		return f.fail()
	}
	f.rest, f.number, f.wire = f.rest[n:], int(key>>3), int(key&7)
	f.data, f.value = nil, 0
	switch f.wire {
	case wireVarint:
		if f.value, n = uvarint(f.rest); n == 0 {
			return f.fail()
		}
	case wireBytes:
		size, m := uvarint(f.rest)
		if m == 0 || size > uint64(len(f.rest)-m) {
			return f.fail()
		}
		n = m + int(size)
		f.data = f.rest[m:n]
	case wireFixed64:
		n = 8
	case wireFixed32:
		n = 4
	default:
		return f.fail()
	}
	if n > len(f.rest) {
		return f.fail()
	}
	f.rest = f.rest[n:]
	return true
}

func (f *fields) fail() bool {
	f.err = errWire
	return false
}

// list stores the bytes of a packed field in to. The format packs every list; an unpacked or duplicate one is an error.
func (f *fields) list(to *[]byte) {
	switch {
	case f.wire != wireBytes:
		f.err = errWire
	case *to != nil:
		f.err = errTwice
	default:
		*to = f.data
	}
}

// uvarint returns one varint and its length, 0 if there is none.
func uvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return longVarint(b)
}

func longVarint(b []byte) (uint64, int) {
	v, n := binary.Uvarint(b)
	return v, max(n, 0)
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// count returns the number of varints in a packed list: all but their last bytes have the high bit set.
func count(list []byte) int {
	n, i := 0, 0
	for ; i+8 <= len(list); i += 8 {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(list[i:]) & 0x8080808080808080)
	}
	for _, b := range list[i:] {
		n += int(^b >> 7)
	}
	return n
}

// numbers appends the varints of a packed list to dst.
func numbers(dst []uint64, list []byte) ([]uint64, error) {
	n := count(list)
	if n > source.MaxPBFParts {
		return dst, errManyParts
	}
	dst = slices.Grow(dst, n)
	if !varints(dst[len(dst):len(dst)+n], list) {
		return dst, errPacked
	}
	return dst[:len(dst)+n], nil
}

// deltas appends the running sums of a packed list of zigzag varints to dst, the encoding of ids and coordinates.
func deltas(dst []int64, list []byte) ([]int64, error) {
	n := count(list)
	if n > source.MaxPBFParts {
		return dst, errManyParts
	}
	dst = slices.Grow(dst, n)
	added := dst[len(dst) : len(dst)+n]
	if !varints(added, list) {
		return dst, errPacked
	}
	sum := int64(0)
	for i, v := range added {
		sum += unzigzag(uint64(v))
		added[i] = sum
	}
	return dst[:len(dst)+n], nil
}

const highBits = 0x8080808080808080

// varints decodes all varints of a list and reports whether the last one is complete. It loads eight bytes and finds the
// ends of the varints in them by their high bits, instead of branching on every byte: lengths are nearly random in these
// files.
//
// For example, in the bytes 96 01 05 the second and third end a varint; they are 150 and 5.
func varints[T int64 | uint64](out []T, list []byte) bool {
	i := 0
	for len(list) >= 8 {
		word := binary.LittleEndian.Uint64(list)
		ends := ^word & highBits
		if ends == 0 {
			v, n := longVarint(list)
			if n == 0 {
				return false
			}
			out[i] = T(v)
			i, list = i+1, list[n:]
			continue
		}
		if ends == highBits {
			eight := out[i : i+8 : i+8]
			for k := range eight {
				eight[k] = T(word >> (8 * k) & 0x7f)
			}
			i, list = i+8, list[8:]
			continue
		}
		taken := 0
		for ; ends != 0; ends &= ends - 1 {
			stop := bits.TrailingZeros64(ends) + 1
			out[i] = T(squeeze(word >> (taken & 63) & (1<<(stop-taken) - 1)))
			i, taken = i+1, stop
		}
		list = list[taken/8:]
	}
	for len(list) > 0 {
		v, n := uvarint(list)
		if n == 0 {
			return false
		}
		out[i] = T(v)
		i, list = i+1, list[n:]
	}
	return true
}

// squeeze removes the high bits of the bytes of a varint.
func squeeze(word uint64) uint64 {
	word = word&0x007f007f007f007f | word&0x7f007f007f007f00>>1
	word = word&0x00003fff00003fff | word&0x3fff00003fff0000>>2
	return word&0x000000000fffffff | word&0x0fffffff00000000>>4
}
