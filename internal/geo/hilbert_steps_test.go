package geo

import (
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// TestHilbertAgreesWithOneBitAtATime compares the steps of several bits with the textbook's.
func TestHilbertAgreesWithOneBitAtATime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := orb.Point{rapid.Float64Range(-181, 181).Draw(t, "lng"), rapid.Float64Range(-91, 91).Draw(t, "lat")}
		const order = 31
		x, y := grid((p[0]+maxLongitude)/(2*maxLongitude), order), grid((p[1]+maxLatitude)/(2*maxLatitude), order)
		want := uint64(0)
		for s := uint32(1) << (order - 1); s > 0; s >>= 1 {
			rx, ry := min(x&s, 1), min(y&s, 1)
			want += uint64(s) * uint64(s) * uint64((3*rx)^ry)
			x, y = x&(s-1), y&(s-1)
			if ry == 0 {
				if rx == 1 {
					x, y = s-1-x, s-1-y
				}
				x, y = y, x
			}
		}
		if got := Hilbert(p); got != want {
			t.Fatalf("%v is at %d, want %d", p, got, want)
		}
	})
}
