package schemas

import (
	"fmt"
	"slices"
)

// Step is the smallest difference of values that points are shown with, in ten-thousandths.
const Step = UnitValue / 2

// HalfPoints is the number of steps that scores are displayed in: 0, 0.5, … 5.
const HalfPoints = 5*UnitValue/Step + 1

// ScoreSpread is how a score is spread over the homes of a region.
type ScoreSpread struct {
	Region string `json:"region"`
	Score  string `json:"score"`
	// households of the region, those of residential streets without counts estimated by length; its nodes, if it has no homes
	Homes     int64               `json:"homes"`
	Known     int64               `json:"known"` // those with the score
	P10       float64             `json:"p10"`   // percentiles over the known ones, to 0.01; 0 without any
	P50       float64             `json:"p50"`
	P90       float64             `json:"p90"`
	Low       float64             `json:"low"` // the extremes
	High      float64             `json:"high"`
	Steps     [HalfPoints]float64 `json:"steps"`               // shares of the known ones by displayed half point, to four decimals
	Collapsed string              `json:"collapsed,omitempty"` // why the scale is collapsed
	Accepted  string              `json:"accepted,omitempty"`  // why the region file accepts that
}

// Agreement is how far two channels that must agree order the homes of a region alike.
type Agreement struct {
	Region   string  `json:"region"`
	A        string  `json:"a"` // channels
	B        string  `json:"b"`
	Homes    int64   `json:"homes"`              // that have both
	Rank     float64 `json:"rank"`               // Spearman's coefficient over them, to 0.01; its negative for a pair that must differ
	Least    float64 `json:"least"`              // minimum
	Judged   bool    `json:"judged"`             // enough homes
	Accepted string  `json:"accepted,omitempty"` // why the region file accepts less
}

// Pair names the two channels, as a region file does.
func (a *Agreement) Pair() string { return a.A + " ~ " + a.B }

// Fails reports whether the channels agree too little and the region file does not accept it.
func (a *Agreement) Fails() bool { return a.Judged && a.Rank < a.Least && a.Accepted == "" }

// checkSpreads checks the spreads: every region has none or all of the scores in their order.
func (m *Manifest) checkSpreads() (problems []error) {
	counts := map[string]int{}
	for _, s := range m.Spreads {
		at := counts[s.Region]
		counts[s.Region]++
		if at >= len(Scores) || Scores[at].ID != s.Score || !slices.Contains(m.Regions, s.Region) {
			problems = append(problems, fmt.Errorf("spread of %s of region %s is not in order", s.Score, s.Region))
		}
		if s.Known < 0 || s.Known > s.Homes || !(0 <= s.Low && s.Low <= s.P10 && s.P10 <= s.P50 && s.P50 <= s.P90 && s.P90 <= s.High &&
			s.High <= 5) {
			problems = append(problems, fmt.Errorf("spread of %s of region %s: %+v", s.Score, s.Region, s))
		}
	}
	for region, n := range counts {
		if n != len(Scores) {
			problems = append(problems, fmt.Errorf("region %s has the spreads of %d of %d scores", region, n, len(Scores)))
		}
	}
	for _, a := range m.Agreements {
		if !slices.Contains(m.Regions, a.Region) || a.Homes < 0 || !(a.Rank >= -1 && a.Rank <= 1) {
			problems = append(problems, fmt.Errorf("agreement %s of region %s: %+v", a.Pair(), a.Region, a))
		}
	}
	return problems
}
