package rating

import (
	"math"

	"quartier/internal/wording"
)

// Saturate is 5 (1 − exp(−g/g0)), normaliser (b) of docs/methods.md, 0.
func Saturate(g, g0 float64) float64 { return -5 * math.Expm1(-g/g0) }

const (
	saturation = "5 (1 − exp(−{G}/{G0}))"
	logRamp    = "5 {clamp}(1 − ln({d}/{near})/ln({far}/{near}))"
	logShare   = "5 {clamp}(ln(1 + {raw})/ln(1 + {perfect}))"
)

// LogRamp is 5 up to near metres, 0 from far on, and falls with the logarithm in between: normaliser (c).
func LogRamp(metres, near, far float64) float64 {
	if metres <= near {
		return 5
	}
	return 5 * clamp(1-math.Log(metres/near)/math.Log(far/near))
}

// LogShare is 5 ln(1+raw)/ln(1+perfect), at most 5: the normaliser of transit (docs/methods.md, 1.6).
func LogShare(raw, perfect float64) float64 {
	return 5 * clamp(math.Log1p(raw)/math.Log1p(perfect))
}

// Piecewise interpolates a curve at x linearly between its points; before the first and after the last point it is
// level. The points' first numbers rise.
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

// Blend is the weighted mean of the parts with data; NaN if these have less than minShare of all weight. Example: 4 with
// weight 0.6, no data with 0.1 and 2 with 0.3 give (2.4 + 0.6)/0.9 = 3.33.
func Blend(minShare float64, parts ...Weighted) float64 {
	sum, known, all := 0.0, 0.0, 0.0
	for _, p := range parts {
		all += p.Weight
		if !math.IsNaN(p.Value) {
			sum += p.Weight * p.Value
			known += p.Weight
		}
	}
	if known == 0 || known < minShare*all {
		return math.NaN()
	}
	return sum / known
}

// Weighted is a number with its weight; NaN means no data.
type Weighted struct{ Value, Weight float64 }

// mean records a Blend and its parts. path is the folder of the weights in calibration.yaml, under the names of the
// parts; "" if they are equal.
func (t *Trace) mean(symbol, path string, mean float64, parts []Weighted, names ...string) {
	known := 0.0
	for _, p := range parts {
		if !math.IsNaN(p.Value) {
			known += p.Weight
		}
	}
	terms, vars := "", []Var{value("weights with data", known)}
	for i, p := range parts {
		name, of := names[i], (*wording.Line)(nil)
		if i > 0 {
			terms += " + "
		}
		vars = append(vars, value(name, p.Value))
		if path == "" {
			of = say("in_step", wording.Symbol(symbol))
		} else {
			weight := constant("weight of "+name, p.Weight, "", path+"."+name)
			vars = append(vars, weight)
			terms += weight.Text() + " × "
		}
		t.Parts = append(t.Parts, Part{Name: name, Value: p.Value, Weight: p.Weight, Share: p.Weight * p.Value / known, Of: of})
		terms += "{" + name + "}"
	}
	t.step(symbol, formula("("+terms+")/{weights with data}"), mean, vars...)
}

// Total is the sum of weights.
func Total(weights []float64) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return sum
}

// Invert finds the x in [lo, hi] at which a formula that only rises or only falls between them first has a value.
func Invert(formula func(x float64) float64, value, lo, hi float64) float64 {
	rises := formula(hi) > formula(lo)
	for range 64 {
		middle := (lo + hi) / 2
		if v := formula(middle); v != value && v < value == rises {
			lo = middle
		} else {
			hi = middle
		}
	}
	return hi
}

// clamp limits x to 0–1; NaN stays.
func clamp(x float64) float64 { return min(max(x, 0), 1) }
