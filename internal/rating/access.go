package rating

import "math"

// Gravity is Σ λ^(k−1) w_k over the worths of places, nearest first (methods, 1.2).
func Gravity(lambda float64, worths []float64) float64 {
	g, share := 0.0, 1.0
	for _, w := range worths {
		g += share * w
		share *= lambda
	}
	return g
}

// Saturate is 5(1 − exp(−g/g0)), normaliser (b).
func Saturate(g, g0 float64) float64 { return -5 * math.Expm1(-g/g0) }

// LogRamp is 5 up to near metres, 0 from far on, by the logarithm between: normaliser (c).
func LogRamp(metres, near, far float64) float64 {
	if metres <= near {
		return 5
	}
	return 5 * clamp(1-math.Log(metres/near)/math.Log(far/near))
}

// LogShare is 5 ln(1+raw)/ln(1+perfect), at most 5: the normaliser of transit (methods, 1.6).
func LogShare(raw, perfect float64) float64 {
	return 5 * clamp(math.Log1p(raw)/math.Log1p(perfect))
}

// Slots is Σ weight_k w_k over the worths of places, nearest first; places beyond the weights do not count, and weights
// beyond the places are lost (methods, 1.1).
func Slots(weights, worths []float64) float64 {
	sum := 0.0
	for k, w := range worths[:min(len(worths), len(weights))] {
		sum += weights[k] * w
	}
	return sum
}

// Piecewise is the height of a curve at x, straight between its points, level beyond its ends. The points' first
// numbers rise.
func Piecewise(curve [][2]float64, x float64) float64 {
	if x <= curve[0][0] {
		return curve[0][1]
	}
	for i := 1; i < len(curve); i++ {
		if a, b := curve[i-1], curve[i]; x <= b[0] {
			return a[1] + (x-a[0])/(b[0]-a[0])*(b[1]-a[1])
		}
	}
	if math.IsNaN(x) {
		return x
	}
	return curve[len(curve)-1][1]
}

// Band is the greatest of the rising bands that is at most size, by its place; -1 where all are greater.
func Band(bands []float64, size float64) int {
	band := -1
	for i, least := range bands {
		if size >= least {
			band = i
		}
	}
	return band
}

// ParkStretch is by how much farther people walk to a park of so many hectares (methods, 5).
func ParkStretch(hectares float64) float64 { return 1 + math.Log10(max(hectares, 1)) }

// ParkMass is what a park of so many hectares is worth, beside one of 1.
func ParkMass(hectares float64) float64 { return math.Sqrt(hectares) }

// Total is the sum of weights.
func Total(weights []float64) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return sum
}

// clamp brings x into 0–1; NaN stays.
func clamp(x float64) float64 { return min(max(x, 0), 1) }
