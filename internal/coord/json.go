package coord

import (
	"math"
	"strconv"
)

// AppendLatLng appends polygons as JSON: a list of polygons, each a list of rings of [lat, lng] in degrees.
func AppendLatLng(dst []byte, polygons []Area) []byte {
	dst = append(dst, '[')
	for i, polygon := range polygons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for r := range polygon.Ends {
			if r > 0 {
				dst = append(dst, ',')
			}
			dst = appendRing(dst, polygon.Ring(r))
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

func appendRing(dst []byte, ring []Point) []byte {
	dst = append(dst, '[')
	for i, p := range ring {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendUnits(append(dst, '['), p.Lat)
		dst = appendUnits(append(dst, ','), p.Lng)
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

// AppendDegrees appends a longitude or latitude in degrees, −180 to 180, as a decimal number of at most seven decimals.
func AppendDegrees(dst []byte, degrees float64) []byte {
	return appendUnits(dst, int32(math.Round(degrees*Scale)))
}

// appendUnits appends units of 1e-7 degrees as degrees, without zeros at the end: −751234000 is -75.1234.
func appendUnits(dst []byte, units int32) []byte {
	n := int64(units)
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendInt(dst, n/Scale, 10)
	fraction := n % Scale
	if fraction == 0 {
		return dst
	}
	digits := [8]byte{'.'}
	last := 0
	for i := len(digits) - 1; i > 0; i-- {
		if digits[i] = byte('0' + fraction%10); last == 0 && digits[i] != '0' {
			last = i
		}
		fraction /= 10
	}
	return append(dst, digits[:last+1]...)
}
