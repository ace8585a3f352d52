package strips

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Hit is a point in a result.
type Hit struct {
	Index      uint32 // in the table
	Decimetres uint32 // distance
}

// Metres is the distance in metres, to 0.1 m.
func (h Hit) Metres() float64 { return float64(h.Decimetres) / 10 }

// decimetres rounds non-negative metres to the precision of answers.
func decimetres(metres float64) uint32 {
	return uint32(min(metres*10+0.5, math.MaxUint32-1))
}

// closeDecimetres is decimetres of less than 1,000 km.
func closeDecimetres(metres float64) uint32 { return uint32(metres*10 + 0.5) }

// MaxMetres is the most bytes that PutMetres writes to.
const MaxMetres = 11

// PutMetres is AppendMetres into memory with room for MaxMetres bytes, of which all may be changed. It returns how many the
// distance takes.
func (h Hit) PutMetres(to []byte) int {
	if h.Decimetres >= 1e7 {
		return len(h.AppendMetres(to[:0]))
	}
	var text uint64 // the first byte is the lowest
	size, whole := 0, h.Decimetres/10
	if tenth := h.Decimetres % 10; tenth != 0 {
		text, size = uint64('0'+tenth)<<8|'.', 2
	}
	for {
		text = text<<8 | uint64('0'+whole%10)
		size++
		if whole /= 10; whole == 0 {
			break
		}
	}
	binary.LittleEndian.PutUint64(to, text)
	return size
}

// AppendMetres appends the distance in metres as encoding/json writes it.
func (h Hit) AppendMetres(dst []byte) []byte {
	dst = strconv.AppendUint(dst, uint64(h.Decimetres/10), 10)
	if tenth := h.Decimetres % 10; tenth != 0 {
		dst = append(dst, '.', byte('0'+tenth))
	}
	return dst
}
