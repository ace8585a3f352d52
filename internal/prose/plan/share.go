package plan

import (
	"quartier/internal/prose/phrase"
)

// words of shares with the range in which each is true, the more telling first.
var words = []struct {
	word      string
	low, high float64
}{
	{"all", 0.9, 1}, {"three_quarters", 0.7, 0.8}, {"two_thirds", 0.62, 0.71}, {"half", 0.45, 0.55}, {"third", 0.29, 0.38}, {"quarter", 0.21, 0.29}, {"fifth", 0.17, 0.23},
	{"few", 0, 0.1}, {"most", 0.6, 1}, {"over_half", 0.5, 1}, {"over_third", 1.0 / 3, 1}, {"over_quarter", 0.25, 1},
}

// exact is the width of an interval up to which a share is given in percent.
const exact = 0.06

// shareSlot words a share of homes by its 90 % interval: a word is used only where it is true of the entire interval. ok is false
// where none is. A narrow interval gives a percentage.
func shareSlot(f fact) (s phrase.Slot, ok bool) {
	low, high := f.Low, f.High
	if !(low >= 0 && low <= f.Value && f.Value <= high && high <= 1) || low == 0 && high == 0 {
		return s, false
	}
	s = phrase.Slot{Kind: phrase.Share, N: f.Value}
	for _, w := range words {
		if low > w.low && high <= w.high || low >= w.low && high <= w.high && w.word != "over_half" && w.word != "over_third" && w.word != "over_quarter" {
			s.Word = w.word
			break
		}
	}
	if high-low <= exact && s.Word != "all" && s.Word != "few" && f.Value >= 0.1 {
		s.Word = "percent"
	}
	return s, s.Word != ""
}
