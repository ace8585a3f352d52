package geogrid

import (
	"math"
	"testing"
)

func TestBilinear(t *testing.T) {
	nan := float32(math.NaN())
	cells := []float32{10, 20, 30, nan} // two by two
	for at, want := range map[[2]float64]float32{{0, 0}: 10, {0.25, 0}: 12.5, {1, 0}: 20, {0, 0.5}: 20,
		{0.4, 0.4}: (0.36*10 + 0.24*20 + 0.24*30) / 0.84, {-0.5, 0}: 10} {
		if got := Bilinear(cells, 2, 2, at[0], at[1]); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("%v: %v, want %v", at, got, want)
		}
	}
	if got := Bilinear(cells, 2, 2, 0.6, 0.6); got == got {
		t.Errorf("beside the unknown one: %v", got)
	}
}
