package schemas

import (
	"regexp"
	"strings"
	"testing"
)

func TestChannels(t *testing.T) {
	if len(Measures) != int(FirstScore) || len(Measures)+len(Scores) != ChannelCount {
		t.Fatalf("%d measures and %d scores", len(Measures), len(Scores))
	}
	for c := range Channel(ChannelCount) {
		if got, ok := ChannelOf(ChannelName(c)); !ok || got != c {
			t.Errorf("channel %d has the name %s, which is that of channel %d", c, ChannelName(c), got)
		}
	}
	if _, ok := ChannelOf("charm"); ok {
		t.Error("there is a channel with the name charm")
	}
}

// TestScoreTexts checks that the texts are phrases, in both languages.
func TestScoreTexts(t *testing.T) {
	seen := map[string]bool{}
	for s, score := range Scores {
		for value := 0; value <= 5*UnitValue; value += UnitValue / 2 {
			text := ScoreText(s, uint16(value))
			for _, words := range []string{text.EN, text.FR} {
				if words == "" || strings.HasSuffix(words, ".") || words != strings.TrimSpace(words) || strings.ContainsAny(words, "<>&\"'") {
					t.Errorf("%s at %d: %q is not a phrase", score.ID, value, words)
				}
			}
			if elision.MatchString(text.FR) {
				t.Errorf("%s at %d: %q needs an elision or a non-breaking space", score.ID, value, text.FR)
			}
			seen[text.EN] = true
		}
	}
	if len(seen) != len(Scores)*Bands {
		t.Errorf("%d different texts for %d bands", len(seen), len(Scores)*Bands)
	}
}

var elision = regexp.MustCompile(`\b(de|le|la|que|ne) [aeiouyéèh]|\bde les?\b|\bà les?\b| [:;?!%]|  `)

func TestBands(t *testing.T) {
	for value, want := range map[uint16]int{0: 0, 4999: 0, 5000: 1, 14999: 1, 15000: 2, 44999: 4, 45000: 5, 50000: 5} {
		if got := Band(value); got != want {
			t.Errorf("%d is in band %d, want %d", value, got, want)
		}
	}
}
