package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/schemas/calibration"
)

// leastSamples are the places that a mean product needs.
const leastSamples = 100

// fitMoments pools the moments of regions, each of which counts as one. A pair of parts that no region knows together is
// correlated through the part that both are most correlated with.
func fitMoments(all []samples, prefix string, parts []string, rises bool) *calibration.Moments {
	n := len(parts)
	m := &calibration.Moments{Rises: rises, Places: make([]int, n), Mean: make([]float64, n)}
	square := make([]float64, n)    // mean square, or variance
	regions := make([][]samples, n) // that know a part
	for i, part := range parts {
		m.Parts = append(m.Parts, strings.TrimPrefix(strings.TrimPrefix(part, "bicycle "), "drive "))
		for _, s := range all {
			if _, count := pairMean(s[prefix+part], s[prefix+part], func(a, _ float64) float64 { return a }); count >= leastSamples {
				regions[i], m.Places[i] = append(regions[i], s), m.Places[i]+count
			}
		}
		m.Mean[i], square[i] = levels(regions[i], prefix+part)
		if !rises {
			square[i] -= m.Mean[i] * m.Mean[i]
		}
	}
	if rises {
		sameLevel(regions, prefix, parts, m.Mean, square)
	}
	r := correlations(all, prefix, parts, rises, m.Mean)
	positive(r)
	for i := range n {
		row := make([]float64, i+1)
		for j := range row {
			row[j] = r[i][j] * math.Sqrt(square[i]*square[j])
			if !rises {
				row[j] += m.Mean[i] * m.Mean[j]
			}
		}
		m.Products = append(m.Products, row)
	}
	return m
}

// levels are the mean and the mean square of a part.
func levels(regions []samples, part string) (mean, square float64) {
	for _, s := range regions {
		a, _ := pairMean(s[part], s[part], func(a, _ float64) float64 { return a })
		b, _ := pairMean(s[part], s[part], func(a, b float64) float64 { return a * b })
		mean, square = mean+a/float64(len(regions)), square+b/float64(len(regions))
	}
	return mean, square
}

// sameLevel puts parts that only some regions know on the level of all: shops were measured in a city alone, where all parts
// are more than elsewhere, by as much as the parts known everywhere are.
func sameLevel(regions [][]samples, prefix string, parts []string, mean, square []float64) {
	most := 0
	for _, r := range regions {
		most = max(most, len(r))
	}
	adjustedMean, adjustedSquare := slices.Clone(mean), slices.Clone(square)
	for i := range parts {
		var here, all [2]float64
		for k := range parts {
			if k != i && len(regions[k]) == most {
				a, b := levels(regions[i], prefix+parts[k])
				here[0], here[1], all[0], all[1] = here[0]+a, here[1]+b, all[0]+mean[k], all[1]+square[k]
			}
		}
		if len(regions[i]) < most {
			adjustedMean[i], adjustedSquare[i] = mean[i]*all[0]/here[0], square[i]*all[1]/here[1]
		}
	}
	copy(mean, adjustedMean)
	copy(square, adjustedSquare)
}

// correlations are those of the parts around their means, or around 0.
func correlations(all []samples, prefix string, parts []string, rises bool, means []float64) [][]float64 {
	n := len(parts)
	r := make([][]float64, n)
	for i := range r {
		r[i] = make([]float64, n)
		for j := range r[i] {
			var product, a2, b2, regions float64
			for _, s := range all {
				a, b := s[prefix+parts[i]], s[prefix+parts[j]]
				x, y := means[i], means[j]
				if rises {
					x, y = 0, 0
				}
				p, count := pairMean(a, b, func(a, b float64) float64 { return (a - x) * (b - y) })
				if count < leastSamples {
					continue
				}
				aa, _ := pairMean(a, b, func(a, _ float64) float64 { return (a - x) * (a - x) })
				bb, _ := pairMean(a, b, func(_, b float64) float64 { return (b - y) * (b - y) })
				product, a2, b2, regions = product+p, a2+aa, b2+bb, regions+1
			}
			r[i][j] = math.NaN()
			if regions > 0 {
				r[i][j] = product / math.Sqrt(a2*b2)
			}
		}
	}
	known := make([][]float64, n)
	for i := range r {
		known[i] = append([]float64(nil), r[i]...)
	}
	for i := range r {
		for j := range r[i] {
			if !math.IsNaN(known[i][j]) {
				continue
			}
			r[i][j] = 0
			for k := range n {
				if through := known[i][k] * known[k][j]; math.Abs(through) > math.Abs(r[i][j]) {
					r[i][j] = through
				}
			}
		}
	}
	return r
}

// pairMean is the mean of f over the places at which both parts are known.
func pairMean(a, b []float64, f func(a, b float64) float64) (mean float64, count int) {
	for i := range min(len(a), len(b)) {
		if v := f(a[i], b[i]); !math.IsNaN(v) && !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			mean, count = mean+v, count+1
		}
	}
	return mean / float64(max(count, 1)), count
}

// positive shrinks correlations that were pooled pair by pair towards 0 until they can be those of one distribution.
func positive(r [][]float64) {
	for range 200 {
		if definite(r) {
			return
		}
		for i := range r {
			for j := range r[i] {
				if i != j {
					r[i][j] *= 0.99
				}
			}
		}
	}
}

// definite reports whether a symmetric matrix has a Cholesky decomposition.
func definite(r [][]float64) bool {
	n := len(r)
	l := make([][]float64, n)
	for i := range l {
		l[i] = make([]float64, n)
		for j := range i + 1 {
			sum := r[i][j]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				if sum < 1e-3 {
					return false
				}
				l[i][i] = math.Sqrt(sum)
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	return true
}

// estimatesYAML is estimates.yaml.
func estimatesYAML(e *calibration.Estimates) string {
	var b strings.Builder
	b.WriteString(`# From what unknown parts of compositions are estimated (docs/methods.md, 0): mean products of the parts, from which every
# regression among them follows. [C] Written by go test ./cmd/quartier -run TestEstimates -estimates, from the places and
# streets of Seattle, Ottawa, Pikesville, Portland and Delaware; places has how many points of each part are measured.
estimates:
  most_residual: `)
	fmt.Fprintf(&b, "%v # [A] half of a displayed step: beyond it a score would be a guess\n", e.MaxResidual)
	fmt.Fprintf(&b, "  most_cycling: %v # [A] hills and calm streets are unknown to whole sources, so that a cut does not move them\n",
		e.MaxCycling)
	numbers := func(list []float64) string {
		var texts []string
		for _, v := range list {
			texts = append(texts, fmt.Sprintf("%.4f", v))
		}
		return strings.Join(texts, ", ")
	}
	for _, m := range []struct {
		name string
		*calibration.Moments
	}{{"walk", e.Walk}, {"bicycle", e.Bicycle}, {"drive", e.Drive}, {"cycling", e.Cycling}, {"car", e.Car}, {"wellness", e.Wellness}} {
		fmt.Fprintf(&b, "  %s:\n    parts: [%s]\n    rises: %v\n    places: [%s]\n    mean: [%s]\n    products:\n", m.name,
			strings.Join(m.Parts, ", "), m.Rises,
			strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Places), " ", ", "), "[]"), numbers(m.Mean))
		for _, row := range m.Products {
			fmt.Fprintf(&b, "      - [%s]\n", numbers(row))
		}
	}
	return b.String()
}
