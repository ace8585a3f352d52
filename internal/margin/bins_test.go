package margin

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/schemas/calibration"
)

var (
	inf         = math.Inf(1)
	standard    = calibration.Standard().Demographics
	linearWidth = standard.LinearDollars
)

// incomes are the bins of household incomes in the US.
var incomes = [...]float64{0, 10e3, 15e3, 20e3, 25e3, 30e3, 35e3, 40e3, 45e3, 50e3, 60e3, 75e3, 100e3, 125e3, 150e3, 200e3, inf}

// counted are bins with counts, each with the same margin.
func counted(limits []float64, moe float64, counts ...float64) (bins []Bin) {
	for i, n := range counts {
		bins = append(bins, Bin{limits[i], limits[i+1], Figure{n, moe}})
	}
	return bins
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits []float64
		counts []float64
		want   float64
	}{
		{"the lowest bin, linearly", []float64{0, 10e3, 20e3}, []float64{80, 20}, 6250},
		{"a narrow bin, linearly", []float64{0, 10e3, 12.5e3, inf}, []float64{40, 40, 20}, 10625},
		{"a wide bin, by Pareto's law: half of all are above √2 of 10,000", []float64{0, 10e3, 20e3, inf}, []float64{20, 60, 20},
			10e3 * math.Pow(80./50, math.Ln2/math.Log(80./20))},
		{"none above, linearly", []float64{0, 10e3, 20e3, inf}, []float64{25, 75, 0}, 10e3 + 10e3/3.},
		{"between two bins, at their border", []float64{0, 10e3, 20e3, inf}, []float64{50, 30, 20}, 10e3},
		{"an empty bin in the middle, at its lower end", []float64{0, 10e3, 20e3, inf}, []float64{50, 0, 50}, 10e3},
		{"in the open bin", []float64{0, 100e3, 200e3, inf}, []float64{20, 20, 60}, 200e3},
		{"in the open bin of another table", []float64{0, 100e3, inf}, []float64{20, 60}, 100e3},
	} {
		m, ok := Median(counted(c.limits, 5, c.counts...), linearWidth)
		near(t, c.name, m.Estimate, c.want, 1e-6)
		open := strings.Contains(c.name, "open")
		if !ok || open != m.Open || open == m.Known() || open != math.IsNaN(m.Upper) || !open && !(m.Lower <= c.want && c.want <= m.Upper) {
			t.Errorf("%s: %+v, %t", c.name, m, ok)
		}
	}
	if _, ok := Median(counted(incomes[:], 12, 0, 0, 0), linearWidth); ok {
		t.Error("a median of empty bins")
	}
	bins := counted(incomes[:], 12, 30, 50, 20)
	bins[1].Count.MOE = math.NaN()
	m, ok := Median(bins, linearWidth)
	if !ok || m.Known() || !math.IsNaN(m.Lower) || !math.IsNaN(m.Upper) || math.IsNaN(m.Estimate) {
		t.Errorf("without a margin: %+v, %t", m, ok)
	}
}

// TestMedianInterval by hand: 100 and 100 with margins of 30 and 40 make a share of 0.5 ± 50/400.
func TestMedianInterval(t *testing.T) {
	bins := []Bin{{0, 1000, Figure{100, 30}}, {1000, 3000, Figure{100, 40}}}
	m, _ := Median(bins, linearWidth)
	near(t, "the median", m.Estimate, 1000, 1e-9)
	near(t, "its lower limit", m.Lower, 750, 1e-9)
	near(t, "its upper limit", m.Upper, 1500, 1e-9)
	near(t, "its margin", m.MOE, (250+500)/2, 1e-9) // linear on either side
	bins[1] = Bin{1000, inf, Figure{90, 40}}
	m, _ = Median(bins, linearWidth)
	near(t, "a median below the open bin", m.Estimate, 950, 1e-9)
	near(t, "its upper limit in an open bin above one that begins at 0", m.Upper, 1250, 1e-9)
	bins[1] = Bin{1000, inf, Figure{90, 300}}
	if m, _ = Median(bins, linearWidth); m.Lower != 0 || m.Upper != 1250 {
		t.Errorf("nothing is known of it: %+v", m)
	}
	// Of 8 in the last two bins 2 are above twice the lower end, so k is 2. The open bin has 1.44 times as many as are above the
	// quantile at ½ + 0.4132.
	bins = []Bin{{0, 100e3, Figure{8, 0}}, {100e3, 200e3, Figure{6, 0}}, {200e3, inf, Figure{2, 32 * (0.5 - 2/(16*1.44))}}}
	m, _ = Median(bins, linearWidth)
	near(t, "its upper limit by Pareto's law", m.Upper, 240e3, 1e-6)
}

// households draws counts of the bins of incomes.
func households() *rapid.Generator[[]Bin] {
	return rapid.Custom(func(t *rapid.T) []Bin {
		counts := rapid.SliceOfN(rapid.OneOf(rapid.Just(0.), rapid.Float64Range(0.1, 300)), len(incomes)-1, len(incomes)-1).Draw(t, "counts")
		counts[rapid.IntRange(0, len(counts)-1).Draw(t, "household")] += 1
		return counted(incomes[:], rapid.Float64Range(0, 60).Draw(t, "margin"), counts...)
	})
}

// TestMedianAgreesWithBisection compares with the median found by bisection over the distribution inside of each bin.
func TestMedianAgreesWithBisection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bins := households().Draw(t, "bins")
		all := 0.0
		for _, b := range bins {
			all += b.Count.Estimate
		}
		above := func(dollars float64) float64 {
			n := 0.0
			for i, b := range bins {
				higher := 0.0
				for _, c := range bins[i+1:] {
					higher += c.Count.Estimate
				}
				switch c := b.Count.Estimate; {
				case dollars <= b.Lower:
					n += c
				case dollars >= b.Upper:
				case b.Upper-b.Lower <= linearWidth || i == 0 || higher == 0:
					n += c * (b.Upper - dollars) / (b.Upper - b.Lower)
				default:
					k := math.Log((c+higher)/higher) / math.Log(b.Upper/b.Lower)
					n += (c+higher)*math.Pow(b.Lower/dollars, k) - higher
				}
			}
			return n
		}
		m, _ := Median(bins, linearWidth)
		lo, hi := 0.0, 200e3
		for range 100 {
			if mid := (lo + hi) / 2; above(mid) > all/2*(1+1e-12) {
				lo = mid
			} else {
				hi = mid
			}
		}
		if m.Open {
			if lo < 200e3-1e-3 {
				t.Fatalf("open, by bisection %v", lo)
			}
			return
		}
		if math.Abs(m.Estimate-lo) > 1e-3 {
			t.Fatalf("%v, by bisection %v", m.Estimate, lo)
		}
		if !(0 <= m.Lower && m.Lower <= m.Estimate && m.Estimate <= m.Upper && m.MOE >= 0) {
			t.Fatalf("%+v", m)
		}
	})
}

// TestMedianIsMonotonic moves households to a higher bin, which lowers neither the median nor its limits.
func TestMedianIsMonotonic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bins := households().Draw(t, "bins")
		poor, _ := Median(bins, linearWidth)
		from := rapid.IntRange(0, len(bins)-2).Draw(t, "from")
		to := rapid.IntRange(from+1, len(bins)-1).Draw(t, "to")
		moved := rapid.Float64Range(0, 1).Draw(t, "share") * bins[from].Count.Estimate
		richer := slices.Clone(bins)
		richer[from].Count.Estimate -= moved
		richer[to].Count.Estimate += moved
		for i := range bins { // all the same margins: only counts have moved
			if (bins[i].Count.Estimate == 0) != (richer[i].Count.Estimate == 0) {
				return
			}
		}
		rich, _ := Median(richer, linearWidth)
		upper := min(poor.Upper, 200e3) // in the open bin it follows from the bin below, too
		if rich.Estimate < poor.Estimate-1e-6 || rich.Lower < poor.Lower-1e-6 || rich.Upper < upper-1e-6 || poor.Open && !rich.Open {
			t.Fatalf("%+v; richer, %+v", poor, rich)
		}
	})
}

func TestMean(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits []float64
		counts []float64
		want   float64
	}{
		{"the middle of bins", []float64{0, 10e3, 30e3}, []float64{50, 50}, 12.5e3},
		{"the open bin: of 4 in the last two one is above twice, so k is 2", []float64{0, 100e3, 200e3, inf}, []float64{0, 75, 25},
			0.75*150e3 + 0.25*400e3},
		{"capped: k at most 1, three times", []float64{0, 100e3, 200e3, inf}, []float64{0, 25, 75}, 0.25*150e3 + 0.75*600e3},
		{"capped: k little above 1, three times", []float64{0, 100e3, 200e3, inf}, []float64{0, 55, 45}, 0.55*150e3 + 0.45*600e3},
		{"capped: the open bin alone", []float64{0, 100e3, 200e3, inf}, []float64{0, 0, 10}, 600e3},
		{"empty open bin", []float64{0, 100e3, 200e3, inf}, []float64{0, 10, 0}, 150e3},
	} {
		f, ok := Mean(counted(c.limits, 5, c.counts...))
		near(t, c.name, f.Estimate, c.want, 1e-6)
		if !ok || f.Known() == strings.HasPrefix(c.name, "capped") {
			t.Errorf("%s: %v, %t", c.name, f, ok)
		}
	}
	if _, ok := Mean(counted(incomes[:], 12, 0, 0)); ok {
		t.Error("a mean of empty bins")
	}
	// 100 at 5,000 and 100 at 20,000, mean 12,500: each count moves it by 7,500/200.
	f, _ := Mean([]Bin{{0, 10e3, Figure{100, 30}}, {10e3, 30e3, Figure{100, 40}}})
	near(t, "the margin", f.MOE, 50*7500/200., 1e-9)
}

// TestNinetyPercentIntervals draws samples of towns with known values, publishes them like a survey, and counts how often
// the true values are in the intervals. Every town has its own mean income.
func TestNinetyPercentIntervals(t *testing.T) {
	const trials, areas, households, sample = 1500, 5, 600, 60
	random := rand.New(rand.NewPCG(90, 5))
	covered := map[string]int{}
	count := func(what string, truth, lower, upper float64) {
		if lower <= truth && truth <= upper {
			covered[what]++
		}
	}
	for range trials {
		var cells [len(incomes) - 1]Sum // as in the package: added area by area
		var everybody []float64
		mean := math.Log(50e3) + 0.3*random.NormFloat64()
		for range areas {
			town := make([]float64, households)
			local := mean + 0.2*random.NormFloat64()
			for i := range town {
				town[i] = math.Exp(local + 0.7*random.NormFloat64())
			}
			everybody = append(everybody, town...)
			for i, f := range survey(town, sample, random) {
				cells[i].Add(f, 1)
			}
		}
		slices.Sort(everybody)
		var bins []Bin
		var all, poor Sum
		for i := range cells {
			bins = append(bins, Bin{incomes[i], incomes[i+1], cells[i].Figure()})
			all.Merge(cells[i])
			if i < 2 {
				poor.Merge(cells[i])
			}
		}
		below := func(dollars float64) float64 {
			n, _ := slices.BinarySearch(everybody, dollars)
			return float64(n)
		}
		lower, upper, _ := Interval(poor.Figure(), 0, inf)
		count("a sum", below(15e3), lower, upper)
		total := Figure{float64(len(everybody)), 0}
		lower, upper, _ = ShareInterval(poor.Figure(), total)
		count("a share", below(15e3)/total.Estimate, lower, upper)
		lower, upper, _ = ShareInterval(cells[len(cells)-1].Figure(), total)
		count("a share near zero", 1-below(200e3)/total.Estimate, lower, upper)
		m, _ := Median(bins, linearWidth)
		count("a median", (everybody[len(everybody)/2-1]+everybody[len(everybody)/2])/2, m.Lower, m.Upper)
	}
	for what, n := range covered {
		if f := float64(n) / trials; f < 0.87 || f > 0.97 {
			t.Errorf("%s is in its interval in a share of %.3f", what, f)
		} else {
			t.Logf("%s: %.3f", what, f)
		}
	}
	if len(covered) != 4 {
		t.Errorf("only %v are covered", covered)
	}
}

// survey is the result of a simple random sample of the incomes of a town, as the ACS publishes it: the margin of a zero
// is the count for which a sample has no such household one time in twenty.
func survey(town []float64, sample int, random *rand.Rand) (cells [len(incomes) - 1]Figure) {
	size := float64(len(town))
	n := float64(sample)
	for _, i := range random.Perm(len(town))[:sample] {
		at, found := slices.BinarySearch(incomes[:], town[i])
		if !found {
			at--
		}
		cells[at].Estimate += size / n
	}
	for i := range cells {
		p := cells[i].Estimate / size
		if p == 0 {
			cells[i].MOE = size * (1 - math.Pow(0.05, 1/n))
		} else {
			cells[i].MOE = Z * size * math.Sqrt(p*(1-p)/(n-1)*(1-n/size))
		}
	}
	return cells
}
