package calibration

import (
	"fmt"
	"slices"
)

// Estimates is from what parts of a composition that are unknown are estimated (docs/methods.md, 0).
type Estimates struct {
	MaxResidual float64  `yaml:"most_residual"` // points: a score is absent where the residual of what is estimated is greater
	MaxCycling  float64  `yaml:"most_cycling"`  // the same of cycling_friendly
	Walk        *Moments `yaml:"walk"`          // of the kinds of errand, of access.slots
	Bicycle     *Moments `yaml:"bicycle"`
	Drive       *Moments `yaml:"drive"`
	Cycling     *Moments `yaml:"cycling"`
	Car         *Moments `yaml:"car"`
	Wellness    *Moments `yaml:"wellness"`
}

// Moments are the mean products of the parts of a composition over places, from which every regression among them follows.
type Moments struct {
	Parts    []string    `yaml:"parts"`
	Rises    bool        `yaml:"rises"`    // an estimate has no constant and rises with every part: what nothing is known near of is not near
	Places   []int       `yaml:"places"`   // of each part, how many places are measured
	Mean     []float64   `yaml:"mean"`     // of each part
	Products [][]float64 `yaml:"products"` // mean of part i × part j, for j ≤ i
}

// ridge keeps parts that are nearly equal from having coefficients of opposite signs.
const ridge = 1e-3

// product is the mean of part i × part j; of n parts, i = n is the constant 1.
func (m *Moments) product(i, j int) float64 {
	n := len(m.Parts)
	switch {
	case i == n && j == n:
		return 1
	case i == n:
		return m.Mean[j]
	case j == n:
		return m.Mean[i]
	}
	return m.Products[max(i, j)][min(i, j)]
}

// Square is the mean square of Σ coefficients × parts, the last coefficient being that of the constant.
func (m *Moments) Square(coefficients []float64) float64 {
	sum := 0.0
	for i, a := range coefficients {
		for j, b := range coefficients {
			sum += a * b * m.product(i, j)
		}
	}
	return sum
}

// Fit is the regression of a part on others: a coefficient for each part, and at last the constant.
func (m *Moments) Fit(part int, of []int) []float64 {
	n := len(m.Parts)
	of = slices.Clone(of)
	if !m.Rises {
		of = append(of, n)
	}
	for {
		coefficients := m.solve(part, of)
		lowest := -1
		if m.Rises {
			for _, i := range of {
				if coefficients[i] < 0 && (lowest < 0 || coefficients[i] < coefficients[lowest]) {
					lowest = i
				}
			}
		}
		if lowest < 0 {
			return coefficients
		}
		of = slices.DeleteFunc(of, func(i int) bool { return i == lowest })
	}
}

// solve solves the normal equations by elimination; they are positive definite.
func (m *Moments) solve(part int, of []int) []float64 {
	rows := make([][]float64, len(of))
	for a, i := range of {
		for _, j := range of {
			rows[a] = append(rows[a], m.product(i, j))
		}
		if i < len(m.Parts) {
			rows[a][a] += ridge * m.product(i, i)
		}
		rows[a] = append(rows[a], m.product(i, part))
	}
	for a := range rows {
		for b := range rows {
			if a == b || rows[a][a] == 0 {
				continue
			}
			factor := rows[b][a] / rows[a][a]
			for c := a; c < len(rows[b]); c++ {
				rows[b][c] -= factor * rows[a][c]
			}
		}
	}
	coefficients := make([]float64, len(m.Parts)+1)
	for a, i := range of {
		if rows[a][a] > 0 {
			coefficients[i] = rows[a][len(of)] / rows[a][a]
		}
	}
	return coefficients
}

// Check reports moments that are not those of some parts.
func (m *Moments) Check(parts []string) error {
	if m == nil || !slices.Equal(m.Parts, parts) || len(m.Mean) != len(parts) || len(m.Places) != len(parts) || len(m.Products) != len(parts) {
		return fmt.Errorf("moments are not of the parts %v", parts)
	}
	for i, row := range m.Products {
		if len(row) != i+1 {
			return fmt.Errorf("products have %d numbers in row %d", len(row), i+1)
		}
	}
	return nil
}
