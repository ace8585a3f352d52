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
