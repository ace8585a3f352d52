package rating

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas/calibration"
)

// momentsOf are the moments of places.
func momentsOf(rises bool, places [][]float64) *calibration.Moments {
	n := len(places[0])
	m := &calibration.Moments{Parts: make([]string, n), Mean: make([]float64, n), Rises: rises}
	for i := range n {
		m.Products = append(m.Products, make([]float64, i+1))
		for _, p := range places {
			m.Mean[i] += p[i] / float64(len(places))
			for j := range i + 1 {
				m.Products[i][j] += p[i] * p[j] / float64(len(places))
			}
		}
	}
	return m
}

// The residual is the root mean square of the errors over the places that the moments are of, estimates are right in the mean
// where they have a constant, and what is known is not changed.
func TestEstimatesOfThePlacesTheyAreFrom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 4
		places := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(0, 1), n, n), 20, 60).Draw(t, "places")
		weights := rapid.SliceOfN(rapid.Float64Range(0.1, 3), n, n).Draw(t, "weights")
		known, rises := rapid.UintRange(0, 1<<n-1).Draw(t, "known"), rapid.Bool().Draw(t, "rises")
		e := NewEstimate(momentsOf(rises, places), weights, known)
		square, mean := 0.0, 0.0
		for _, p := range places {
			off := e.Constant
			for i, v := range p {
				off += (e.Weights[i] - weights[i]) * v
			}
			square, mean = square+off*off/float64(len(places)), mean+off/float64(len(places))
		}
		if math.Abs(math.Sqrt(square)-e.Residual) > 1e-6 {
			t.Fatalf("a residual of %v, and %v over the places", e.Residual, math.Sqrt(square))
		}
		if !rises && math.Abs(mean) > 0.02 {
			t.Fatalf("%v off in the mean", mean)
		}
		for i, w := range e.Weights {
			if isKnown := known>>i&1 != 0; !isKnown && w != 0 || isKnown && rises && w < weights[i] {
				t.Fatalf("part %d has the weight %v of %v", i, w, weights[i])
			}
		}
		if known == 1<<n-1 && e.Residual != 0 {
			t.Fatalf("with all parts known the residual is %v", e.Residual)
		}
	})
}

// An unknown part that is half of a known one is estimated as that.
func TestEstimateFindsTheRelation(t *testing.T) {
	var places [][]float64
	for i := range 100 {
		x, y := float64(i%10)/10, float64(i/10)/10
		places = append(places, []float64{x, y, x / 2})
	}
	e := NewEstimate(momentsOf(true, places), []float64{1, 1, 2}, 0b011)
	if math.Abs(e.Weights[0]-2) > 0.01 || math.Abs(e.Weights[1]-1) > 0.01 || e.Residual > 0.01 {
		t.Errorf("weights %v, residual %v", e.Weights, e.Residual)
	}
}

// The estimates of the calibration are of the parts of the compositions.
func TestEstimatesOfTheCalibration(t *testing.T) {
	var kinds []string
	for _, slot := range standard.Access.Slots {
		kinds = append(kinds, slot.Name)
	}
	c := &standard.Estimates
	for name, m := range map[string]struct {
		*calibration.Moments
		parts []string
	}{
		"walk": {c.Walk, kinds}, "bicycle": {c.Bicycle, kinds}, "drive": {c.Drive, kinds}, "wellness": {c.Wellness, WellnessParts[:]},
		"cycling": {c.Cycling, []string{"lanes", "hills", "errands", "calm", "intersections"}},
		"car":     {c.Car, []string{"errands", "ramp", "arterial"}},
	} {
		if err := m.Check(m.parts); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i, n := range m.Places {
			if n < 100 || m.Products[i][i] <= 0 {
				t.Errorf("%s: %s is of %d places", name, m.Parts[i], n)
			}
		}
	}
}
