package schemas

import (
	"fmt"
	"strconv"
)

// Bands is the number of texts of a score, its ladder from 0 to 5: each is clearly more than the one before.
const Bands = 6

// Step is the smallest difference of values that points are shown with, in ten-thousandths.
const Step = UnitValue / 2

// scoreTexts has the texts of each score, in the order of Scores.
var scoreTexts = readScoreTexts()

// ScoreText is a phrase that explains a value of a score. score is an index in Scores, value is in ten-thousandths of the
// 0–5 scale, as it is served. A value has one text, and a place the same one whether its value is served rounded to halves or
// tenths, or not rounded.
func ScoreText(score int, value uint16) Text { return scoreTexts[score][Band(value)] }

// Band is the band of a value: the nearest step, half up, then the nearest whole number, half up. So 0 is in band 0, 0.5 and 1
// are in band 1, 4.5 and 5 in band 5; of values with four decimals 2.2499 has the band of 2, and 2.25 that of 2.5, which is 3.
func Band(value uint16) int {
	steps := (int(value) + Step/2) / Step
	return min((steps+1)/2, Bands-1)
}

// readScoreTexts reads score_texts.tsv, which must have every band of every score, in order.
func readScoreTexts() [][Bands]Text {
	texts := make([][Bands]Text, len(Scores))
	n := 0
	readVocabulary("score_texts.tsv", func(c []string) Text {
		if n >= len(Scores)*Bands || c[0] != Scores[n/Bands].ID || c[1] != strconv.Itoa(n%Bands) {
			panic(fmt.Sprintf("score_texts.tsv: text %d is of %q, band %q", n+1, c[0], c[1]))
		}
		texts[n/Bands][n%Bands] = Text{c[2], c[3]}
		n++
		return Text{}
	})
	if n != len(Scores)*Bands {
		panic(fmt.Sprintf("score_texts.tsv: %d texts", n))
	}
	return texts
}
