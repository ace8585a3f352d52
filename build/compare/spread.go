package compare

import (
	"database/sql"
	"math"

	"quartier/schemas"
)

// Bins is the number of bins of histograms of scores, each of a quarter of a point.
const Bins = 20

// scaleEnd is the highest value of a score.
const scaleEnd = 5 * schemas.UnitValue

// ScoreSpread is how a score is spread over the geographies that are current in both releases.
type ScoreSpread struct {
	Score        string
	Older, Newer Spread
	Distance     float64 // KS: the greatest difference of the shares with at most some value; 0 where either has none

	moved *[scaleEnd + 1]int64 // geographies by the difference of their values in ten-thousandths
}

// least is the greatest difference by which at least some number of geographies moved: of 1, 5, 7 and 9 it is 5 for 3. It is 1
// where fewer moved.
func (s *ScoreSpread) least(most int) int {
	n := int64(0)
	for difference := scaleEnd; difference > 1; difference-- {
		if n += s.moved[difference]; n >= int64(most) {
			return difference
		}
	}
	return 1
}

// Spread is how the values of one release are spread.
type Spread struct {
	Known  int64
	Median float64     // lower median, in points of the scale 0–5; 0 where none is known
	Bins   [Bins]int64 // values from 0, 0.25, 0.5 …; 5 is in the last one
}

// tally counts the values of a score, in ten-thousandths, in both releases, and by how much they differ.
type tally struct{ scores map[string]*scoreTally }

type scoreTally struct {
	sides [2][scaleEnd + 1]int64
	moved [scaleEnd + 1]int64
}

func (t *tally) add(score string, older, newer sql.NullFloat64) {
	counts := t.scores[score]
	if counts == nil {
		counts = &scoreTally{}
		if t.scores == nil {
			t.scores = map[string]*scoreTally{}
		}
		t.scores[score] = counts
	}
	within := func(v float64) int { return int(min(max(v, 0), scaleEnd)) }
	for side, v := range []sql.NullFloat64{older, newer} {
		if v.Valid {
			counts.sides[side][within(v.Float64)]++
		}
	}
	if older.Valid && newer.Valid {
		counts.moved[within(math.Abs(newer.Float64-older.Float64))]++
	}
}

// spreads are in the order of the API specification, without scores that no geography has.
func (t *tally) spreads() (list []ScoreSpread) {
	for _, score := range schemas.ScoreIDs() {
		if counts := t.scores[score]; counts != nil {
			sides := &counts.sides
			list = append(list, ScoreSpread{score, spreadOf(&sides[0]), spreadOf(&sides[1]), distance(sides), &counts.moved})
		}
	}
	return list
}

func spreadOf(counts *[scaleEnd + 1]int64) (s Spread) {
	for value, n := range counts {
		s.Known += n
		s.Bins[min(value*Bins/scaleEnd, Bins-1)] += n
	}
	below := int64(0)
	for value, n := range counts {
		if below += n; n > 0 && 2*below >= s.Known {
			s.Median = float64(value) / schemas.UnitValue
			break
		}
	}
	return s
}

// distance is the Kolmogorov–Smirnov distance of two samples: of {1, 2, 3} and {2, 3, 4} it is 1/3, between 1 and 2.
func distance(counts *[2][scaleEnd + 1]int64) (most float64) {
	var total, below [2]float64
	for side := range counts {
		for _, n := range counts[side] {
			total[side] += float64(n)
		}
	}
	if total[0] == 0 || total[1] == 0 {
		return 0
	}
	for value := range counts[0] {
		below[0] += float64(counts[0][value])
		below[1] += float64(counts[1][value])
		most = max(most, math.Abs(below[0]/total[0]-below[1]/total[1]))
	}
	return most
}
