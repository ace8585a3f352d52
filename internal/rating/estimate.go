package rating

import (
	"math"
	"slices"
	"strings"
	"sync"

	"quartier/internal/wording"
	"quartier/schemas/calibration"
)

// Estimate is how a weighted sum of parts follows from those that are known, by least squares over places where all are known
// (docs/methods.md, 0). The weight of an unknown part is not lent to the known ones: that would take the parks of a place
// for its cafés.
type Estimate struct {
	Weights  []float64   // of each part: its own and what it says of the unknown ones; 0 for unknown ones
	Constant float64     // what the unknown parts are where all known ones are 0
	Parts    [][]float64 // of each unknown part: the coefficients of all parts, and a constant; nil for known ones
	Residual float64     // root mean square of the error of the sum, in the unit of weight × part
}

// NewEstimate estimates Σ weights × parts from a set of known parts, bit i for part i.
func NewEstimate(m *calibration.Moments, weights []float64, known uint) *Estimate {
	n := len(weights)
	e := &Estimate{Weights: make([]float64, n), Parts: make([][]float64, n)}
	wrong := make([]float64, n+1) // the error of the sum, as coefficients of the parts and a constant
	var of []int
	for i := range n {
		if known>>i&1 != 0 {
			of = append(of, i)
			e.Weights[i] = weights[i]
		}
	}
	for i := range n {
		if known>>i&1 != 0 || weights[i] == 0 {
			continue
		}
		e.Parts[i] = m.Fit(i, of)
		wrong[i] -= weights[i]
		for j, coefficient := range e.Parts[i] {
			wrong[j] += weights[i] * coefficient
			if j < n {
				e.Weights[j] += weights[i] * coefficient
			} else {
				e.Constant += weights[i] * coefficient
			}
		}
	}
	e.Residual = math.Sqrt(max(0, m.Square(wrong)))
	return e
}

// estimator has the estimates from all sets of known parts of a composition.
type estimator struct {
	weights []float64
	of      []func() *Estimate // by set
}

var estimators sync.Map // *estimator by its moments

// estimated is the estimator of a composition. Its weights are of the calibration that the moments are of.
func estimated(m *calibration.Moments, weights ...float64) *estimator {
	if e, made := estimators.Load(m); made {
		return e.(*estimator)
	}
	e := &estimator{weights: slices.Clone(weights), of: make([]func() *Estimate, 1<<len(weights))}
	for known := range e.of {
		e.of[known] = sync.OnceValue(func() *Estimate { return NewEstimate(m, e.weights, uint(known)) })
	}
	made, _ := estimators.LoadOrStore(m, e)
	return made.(*estimator)
}

// blend is the weighted mean of parts, of which those without data (NaN) are estimated; NaN if scale times the residual of
// the mean is over most. t may be nil.
func (e *estimator) blend(most, scale float64, parts []float64) (mean float64, of *Estimate) {
	known, all := uint(0), 0.0
	for i, v := range parts {
		all += e.weights[i]
		if !math.IsNaN(v) {
			known |= 1 << i
		}
	}
	of = e.of[known]()
	if scale*of.Residual > most*all {
		return math.NaN(), of
	}
	sum := of.Constant
	for i, v := range parts {
		if known>>i&1 != 0 {
			sum += of.Weights[i] * v
		}
	}
	return sum / all, of
}

// blended records a blend and its parts. path is the folder of the weights in calibration.yaml, under the names of the parts
// that have one. Where unknown parts could not be estimated nothing is: the formula has the weights of all parts.
func (e *estimator) blended(t *Trace, symbol, path string, mean float64, of *Estimate, parts []float64, names ...string) {
	if math.IsNaN(mean) {
		of = &Estimate{Weights: e.weights, Parts: make([][]float64, len(parts))}
	}
	all := Total(e.weights)
	var terms []string
	vars := []Var{value("all weights", all)}
	for i := range parts {
		if of.Parts[i] == nil && of.Weights[i] != 0 {
			weight := value("weight of "+names[i], of.Weights[i])
			if of.Weights[i] == e.weights[i] {
				weight = constant(weight.Symbol, weight.Value, "", path+"."+names[i])
			}
			terms = append(terms, "{"+weight.Symbol+"} × {"+names[i]+"}")
			vars = append(vars, value(names[i], parts[i]), weight)
		}
		if e.weights[i] != 0 {
			part := Part{Name: names[i], Value: of.part(i, parts), Weight: e.weights[i], Estimated: math.IsNaN(parts[i])}
			part.Share = part.Weight * part.Value / all
			if symbol != "" {
				part.Of = say("in_step", wording.Symbol(symbol))
			}
			t.Parts = append(t.Parts, part)
		}
	}
	if of.Constant != 0 {
		terms, vars = append(terms, "{constant}"), append(vars, value("constant", of.Constant))
	}
	t.step(symbol, formula("("+strings.Join(terms, " + ")+")/{all weights}"), mean, vars...)
}

// part is a part, or what the others say of it.
func (e *Estimate) part(i int, parts []float64) float64 {
	of := e.Parts[i]
	if of == nil {
		return parts[i]
	}
	sum := of[len(parts)]
	for j, known := range parts {
		if of[j] != 0 {
			sum += of[j] * known
		}
	}
	return sum
}
