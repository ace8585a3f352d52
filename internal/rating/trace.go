package rating

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"quartier/internal/wording"
)

// Trace records how one value was computed. A nil Trace records nothing: functions write to it inside `if t != nil`
// only, so that the values of millions of nodes cost a comparison and no allocation.
//
// Example: two cafés within 400 m leave the terms {Metres: 116, Decay: 1, Weight: 1} and {Metres: 128, Decay: 1,
// Weight: 0.8}, and the steps G = 1.8 and
//
//	Step{Formula: Formula("5 (1 − exp(−{G}/{G0}))"), Value: 3.667, Vars: {G 1.8} {G0 1.362 access.gravities.coffee_shop_access.g0}}
//
// which reads "5 (1 − exp(−G/G0))" with symbols and "5 (1 − exp(−1.8000/1.362)) = 3.6664" with numbers.
type Trace struct {
	Steps []Step // in the order of evaluation; the last one is the value
	Parts []Part // of weighted means
	Terms []Term // of sums over places, in the order of the places
}

// Step is a formula and its result.
type Step struct {
	Symbol  string // of the result; "" for the value itself
	Formula *wording.Line
	Value   float64 // NaN: no data
	Vars    []Var   // of the formula, and other constants that it depends on
}

// Var is a number that a formula uses.
type Var struct {
	Symbol string
	Value  float64
	Unit   string    // "m", "dB", …; "" for plain numbers
	Path   string    // in calibration.yaml; "" for what is not a constant
	List   []float64 // instead of Value, if there are several
}

// Part is a part of a weighted mean. A Value of NaN means no data.
type Part struct {
	Name          string
	Classes       []string // of places, instead of a name
	Value, Weight float64
	Share         float64       // what it adds to the mean
	Of            *wording.Line // what it is a part of, if not of the value
	Count         bool          // Value is a number of places
	Estimated     bool          // there are no data; Value is estimated from the other parts, or NaN if that is not possible
}

// Term is a place in a sum: Weight times Decay, which is W of the distance.
type Term struct{ Metres, Decay, Weight float64 }

// step records a formula.
func (t *Trace) step(symbol string, formula *wording.Line, value float64, vars ...Var) {
	t.Steps = append(t.Steps, Step{symbol, formula, value, vars})
}

// value is a number that is not a constant.
func value(symbol string, v float64) Var { return Var{Symbol: symbol, Value: v} }

// quantity is a number with a unit that is not a constant.
func quantity(symbol string, v float64, unit string) Var {
	return Var{Symbol: symbol, Value: v, Unit: unit}
}

// constant is a number of the calibration.
func constant(symbol string, v float64, unit, path string) Var {
	return Var{Symbol: symbol, Value: v, Unit: unit, Path: path}
}

// constants are several numbers of the calibration under one path.
func constants(symbol string, list []float64, unit, path string) Var {
	return Var{Symbol: symbol, List: list, Unit: unit, Path: path}
}

var say, formula = wording.Say, wording.Formula

// Text is the formula with symbols: "5 (1 − exp(−G/G0))", "G = Σ …".
func (s *Step) Text(in wording.Language) string { return s.result(in, in.Text(s.Formula)) }

// Filled is the formula with numbers in place of its symbols, without the result; "" if it has no symbols.
func (s *Step) Filled(in wording.Language) string {
	if !s.Formula.HasSymbols() {
		return ""
	}
	numbers := map[string]string{}
	for _, v := range s.Vars {
		numbers[v.Symbol] = v.number(in)
	}
	return in.Filled(s.Formula, numbers)
}

// Worked is the formula with numbers and its result: "5 (1 − exp(−1.8000/1.362)) = 3.6664"; "" if it has no symbols.
func (s *Step) Worked(in wording.Language) string {
	text := s.Filled(in)
	if text == "" {
		return ""
	}
	return s.result(in, text+" = "+Var{Value: s.Value}.number(in))
}

// result is a text after the symbol of the result.
func (s *Step) result(in wording.Language, text string) string {
	if s.Symbol != "" {
		return in.Symbol(s.Symbol) + " = " + text
	}
	return text
}

// Text is the number with its unit.
func (v Var) Text() string { return strings.TrimSuffix(v.number(wording.English)+" "+v.Unit, " ") }

// number is the number: constants in full, other ones with four digits after the point, or one if they have a unit.
func (v Var) number(in wording.Language) string {
	if math.IsNaN(v.Value) && v.List == nil {
		return in.Text(say("missing_number"))
	}
	return in.Number(v.digits())
}

func (v Var) digits() string {
	switch {
	case v.List != nil:
		return strings.Trim(strings.ReplaceAll(fmt.Sprintf("%.6g", v.List), " ", ", "), "[]")
	case math.IsInf(v.Value, 1):
		return "∞"
	case v.Path != "":
		return strconv.FormatFloat(v.Value, 'f', -1, 64)
	case v.Unit != "":
		return fmt.Sprintf("%.1f", v.Value)
	}
	return fmt.Sprintf("%.4f", v.Value)
}
