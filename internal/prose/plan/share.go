package plan

import (
	"math"
	"strings"

	"quartier/internal/prose/phrase"
)

// words of shares with the range in which each is true, the more telling first.
var words = []struct {
	word      string
	low, high float64
}{
	{"all", 0.9, 1}, {"three_quarters", 0.7, 0.8}, {"two_thirds", 0.62, 0.71}, {"half", 0.45, 0.55}, {"third", 0.29, 0.38},
	{"quarter", 0.21, 0.29}, {"fifth", 0.17, 0.23},
	{"few", 0, 0.1}, {"most", 0.6, 1}, {"over_half", 0.5, 1}, {"over_third", 1.0 / 3, 1}, {"over_quarter", 0.25, 1},
}

// exact is the width of an interval up to which a share is given in percent.
const exact = 0.06

// shareSlot words a share of homes by its 90 % interval: a word is used only where it is true of the entire interval. A narrow
// interval, and a share without a known error, give the percentage. ok is false where nothing can be said.
func shareSlot(f fact) (s phrase.Slot, ok bool) {
	s = phrase.Slot{Kind: phrase.Share, N: f.Value, Word: "percent"}
	if math.IsNaN(f.Low) || math.IsNaN(f.High) {
		return s, f.Value >= 0.05 && f.Value <= 1
	}
	if !(f.Low >= 0 && f.Low <= f.Value && f.Value <= f.High && f.High <= 1) || f.Low == 0 && f.High == 0 {
		return s, false
	}
	word := shareWord(f.Low, f.High)
	if f.High-f.Low > exact || word == "all" || word == "few" || f.Low == f.High && word != "" {
		s.Word = word
	}
	return s, s.Word != ""
}

// shareWord is the most telling word that is true of an entire interval; "" if none is.
func shareWord(low, high float64) string {
	for _, w := range words {
		if low >= w.low && high <= w.high && (low > w.low || !strings.HasPrefix(w.word, "over_")) {
			return w.word
		}
	}
	return ""
}
