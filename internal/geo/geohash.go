package geo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/paulmach/orb"
)

// ErrGeohash marks an invalid geohash.
var ErrGeohash = errors.New("not a geohash")

const geohashDigits = "0123456789bcdefghjkmnpqrstuvwxyz"

// Geohash is the geohash of p with the given number of characters, in lower case.
func Geohash(p orb.Point, chars int) string {
	low, high := orb.Point{-maxLongitude, -maxLatitude}, orb.Point{maxLongitude, maxLatitude}
	name := make([]byte, chars)
	for bit := range 5 * chars {
		axis := bit % 2 // longitude first
		middle := (low[axis] + high[axis]) / 2
		name[bit/5] <<= 1
		if p[axis] >= middle {
			name[bit/5] |= 1
			low[axis] = middle
		} else {
			high[axis] = middle
		}
	}
	for i, digit := range name {
		name[i] = geohashDigits[digit]
	}
	return string(name)
}

// GeohashCell is the cell of a geohash of 1 to 12 characters, in either case.
func GeohashCell(name string) (orb.Bound, error) {
	if name == "" || len(name) > 12 {
		return orb.Bound{}, fmt.Errorf("%w: %.20q", ErrGeohash, name)
	}
	low, high := orb.Point{-maxLongitude, -maxLatitude}, orb.Point{maxLongitude, maxLatitude}
	for i := range len(name) {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		digit := strings.IndexByte(geohashDigits, c)
		if digit < 0 {
			return orb.Bound{}, fmt.Errorf("%w: %.20q", ErrGeohash, name)
		}
		for k := range 5 {
			axis := (5*i + k) % 2
			middle := (low[axis] + high[axis]) / 2
			if digit&(16>>k) != 0 {
				low[axis] = middle
			} else {
				high[axis] = middle
			}
		}
	}
	return orb.Bound{Min: low, Max: high}, nil
}
