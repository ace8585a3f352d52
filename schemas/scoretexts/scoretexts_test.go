package scoretexts

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/schemas/calibration"
)

// TestScoreTexts checks that the texts are phrases, in both languages.
func TestScoreTexts(t *testing.T) {
	seen := map[string]bool{}
	for s, score := range schemas.Scores {
		for value := 0; value <= 5*schemas.UnitValue; value += schemas.UnitValue / 2 {
			text := Of(s, uint16(value))
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
	if len(seen) != len(schemas.Scores)*Bands {
		t.Errorf("%d different texts for %d bands", len(seen), len(schemas.Scores)*Bands)
	}
}

var elision = regexp.MustCompile(`\b(de|le|la|que|ne) [aeiouyéèh]|\bde les?\b|\bà les?\b| [:;?!%]|  `)

func TestBands(t *testing.T) {
	for score, cases := range map[string]map[uint16]int{
		"quiet":            {0: 0, 2499: 0, 2500: 1, 5000: 1, 12499: 1, 12500: 2, 20000: 2, 22499: 2, 22500: 3, 42499: 4, 42500: 5, 50000: 5},
		"transit_friendly": {0: 0, 2500: 1, 17499: 1, 17500: 2, 27499: 2, 27500: 3, 30000: 3, 37499: 3, 37500: 4, 42500: 5},
	} {
		s := slices.IndexFunc(schemas.Scores, func(one schemas.Score) bool { return one.ID == score })
		for value, want := range cases {
			if got := Band(s, value); got != want {
				t.Errorf("%s: %d is in band %d, want %d", score, value, got, want)
			}
			if from := BandFrom(s, want); from > value || want < Bands-1 && BandFrom(s, want+1) <= value {
				t.Errorf("%s: band %d begins at %d, above %d, or ends there", score, want, from, value)
			}
		}
	}
}

// A served value has one text: a value rounded to a half, a tenth or four decimals has the text of what is served, and all
// three have the same. Texts never go down as values rise.
func TestOneTextForAValue(t *testing.T) {
	for s, score := range schemas.Scores {
		last := 0
		for value := range 5*schemas.UnitValue + 1 {
			round := func(unit int) uint16 { return uint16((value + unit/2) / unit * unit) }
			band := Band(s, uint16(value))
			if half, tenth := Band(s, round(schemas.Step)), Band(s, round(schemas.UnitValue/10)); half != band || tenth != band {
				t.Fatalf("%s %d is in band %d, rounded to a half in %d, to a tenth in %d", score.ID, value, band, half, tenth)
			}
			if band < last || band > last+1 {
				t.Fatalf("%s %d is in band %d after %d", score.ID, value, band, last)
			}
			last = band
		}
	}
	for s, score := range schemas.Scores {
		texts := map[string]int{}
		for band := range Bands {
			text := OfBand(s, band)
			texts["en "+text.EN]++
			texts["fr "+text.FR]++
		}
		if len(texts) != 2*Bands {
			t.Errorf("%s has the same text in two steps: %v", score.ID, texts)
		}
	}
}

// The minutes in the texts of schools are those of the distances at which their scores change the step, at 80 m a minute.
func TestMinutesToSchools(t *testing.T) {
	c := calibration.Standard()
	for s, score := range schemas.Scores {
		stretch, school := c.Education.DistanceFactor[score.ID]
		if !school {
			continue
		}
		for band := range Bands - 1 {
			nearer := OfBand(s, band+1)
			at := minutesAt(c, stretch, float64(band)+.25)
			for _, text := range []string{nearer.EN, nearer.FR} {
				minutes := numbers(text)
				if got := float64(minutes[len(minutes)-1]); math.Abs(got-at) > .7 {
					t.Errorf("%s %d: %q ends at %v minutes, the score's step at %.1f", score.ID, band+1, text, got, at)
				}
			}
			farther := OfBand(s, band)
			if a, b := numbers(farther.EN), numbers(nearer.EN); a[0] != b[len(b)-1] {
				t.Errorf("%s: %q follows %q", score.ID, nearer.EN, farther.EN)
			}
			if a, b := numbers(nearer.EN), numbers(nearer.FR); !slices.Equal(a, b) {
				t.Errorf("%s: %q is %q", score.ID, nearer.EN, nearer.FR)
			}
		}
	}
}

// minutesAt are the minutes on foot to a school that scores a value.
func minutesAt(c *calibration.Calibration, stretch, value float64) float64 {
	for i := 1; i < len(c.Education.Curve); i++ {
		if a, b := c.Education.Curve[i-1], c.Education.Curve[i]; value >= b[1] {
			return (a[0] + (a[1]-value)/(a[1]-b[1])*(b[0]-a[0])) * stretch / c.Walking.MetresAMinute
		}
	}
	return math.Inf(1)
}

func numbers(text string) (list []int) {
	for _, digits := range regexp.MustCompile(`\d+`).FindAllString(text, -1) {
		n, _ := strconv.Atoi(digits)
		list = append(list, n)
	}
	return list
}
