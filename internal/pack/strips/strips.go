// Package strips finds points of a pack by place: in a circle, a polygon or around a geography, and the nearest of them.
// Points are in strips of latitude of about 440 m, in each strip by longitude. A shape cuts every strip into a few runs
// that binary searches find; points of runs that are entirely inside need no look at their coordinates. The sections of n
// points in s strips from pole to pole, after the prefix of a table such as "poi.":
//
//	point  Point × n     positions, in the order of Compare
//	strip  uint32 × s+1  first point of each strip, and n
//
// An example: points A, B and C in strip 5, from west to east. strip is 0 up to strip 5 and 3 from strip 6; a circle around
// B whose inner part reaches from A to B has the sure run [0,2), and the run [2,3), where C's distance decides. The two
// nearest are those with the smallest keys, which are the distance in decimetres above the rank among names.
package strips

import (
	"cmp"
	"encoding/binary"
	"math"
	"strconv"

	"quartier/internal/coord"
	"quartier/internal/pack"
)

// stripHeight is the height of a strip in units: about 440 m.
const stripHeight = 40000

// numStrips is the number of strips from pole to pole.
const numStrips = int(180*coord.Scale)/stripHeight + 1

// Shape is the area of a search and the point from which distances are measured.
type Shape struct {
	Lng, Lat float64     // degrees: the point, the polygon's centre, the geography's centroid
	RadiusM  float64     // with no Area: metres around the point
	Area     *coord.Area // else the polygon or geography
	BufferM  float64     // metres around Area that are included
	Stop     func() bool // whether to end the search, see pack.Meter; nil: never
}

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

// Index is the points of a table; the zero value has none.
type Index struct {
	Points []coord.Point `pack:"point points"`
	starts []uint32      `pack:"strip strips"`
}

// Load loads the index whose sections begin with prefix.
func Load(l *pack.Loader, prefix string) (x Index) {
	n := len(pack.Load[coord.Point](l, prefix+"point", pack.Any))
	l.Fill(&x, prefix, map[string]int{"points": n, "strips": numStrips + 1})
	return x
}

// Compare orders points as an index has them.
func Compare(a, b coord.Point) int {
	return cmp.Or(
		cmp.Compare(stripOf(float64(a.Lat)), stripOf(float64(b.Lat))),
		cmp.Compare(a.Lng, b.Lng),
		cmp.Compare(a.Lat, b.Lat))
}

// Starts is the section "strip" of n points in the order of Compare.
func Starts(n int, at func(i int) coord.Point) []uint32 {
	starts := make([]uint32, numStrips+1)
	for i := range n {
		starts[stripOf(float64(at(i).Lat))+1]++
	}
	for i := range numStrips {
		starts[i+1] += starts[i]
	}
	return starts
}

// stripOf is the strip of a latitude in units.
func stripOf(lat float64) int {
	return min(max(int((lat+90*coord.Scale)/stripHeight), 0), numStrips-1)
}

// strip is the range of the points of a strip; empty if the file is damaged, or x the zero value.
func (x *Index) strip(i int) (first, last uint32) {
	if i+1 >= len(x.starts) {
		return 0, 0
	}
	first, last = x.starts[i], x.starts[i+1]
	if first > last || uint64(last) > uint64(len(x.Points)) {
		return 0, 0
	}
	return first, last
}

// longitudes is the first point from lo on, in a range of one strip, that is not west of a longitude; hi if all are.
func (x *Index) longitudes(lo, hi uint32, lng float64) uint32 {
	for lo < hi {
		mid := lo + (hi-lo)/2
		if float64(x.Points[mid].Lng) < lng {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// cut is longitudes for four longitudes at once. Which half goes on is computed instead of decided, and the four searches do not
// wait for each other: a processor guesses half of such decisions wrong, and waits for the points of each step.
func (x *Index) cut(lo, hi uint32, at [4]float64) [4]uint32 {
	points := x.Points[lo:hi]
	w0, w1, w2, w3 := ceilUnits(at[0]), ceilUnits(at[1]), ceilUnits(at[2]), ceilUnits(at[3])
	var a, b, c, d int // of points; all before them are west
	n := len(points)
	for n > 1 {
		half := n / 2
		a += half & isWest(points[a+half-1], w0)
		b += half & isWest(points[b+half-1], w1)
		c += half & isWest(points[c+half-1], w2)
		d += half & isWest(points[d+half-1], w3)
		n -= half
	}
	if n > 0 {
		a += 1 & isWest(points[a], w0)
		b += 1 & isWest(points[b], w1)
		c += 1 & isWest(points[c], w2)
		d += 1 & isWest(points[d], w3)
	}
	return [4]uint32{lo + uint32(a), lo + uint32(b), lo + uint32(c), lo + uint32(d)}
}

// isWest is −1, all bits, for a point west of a longitude, else 0.
func isWest(p coord.Point, lng int64) int { return int((int64(p.Lng) - lng) >> 63) }

// ceilUnits is the least longitude in units that is not west of lng, of those that points can have or one more.
func ceilUnits(lng float64) int64 {
	if lng >= math.MaxInt32 {
		return math.MaxInt32
	}
	if !(lng > math.MinInt32) {
		return math.MinInt32
	}
	return int64(math.Ceil(lng))
}
