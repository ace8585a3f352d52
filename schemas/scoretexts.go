package schemas

import (
	"fmt"
	"strconv"
)

// Bands is the number of texts of a score, one per band of its values.
const Bands = 6

// scoreTexts has the texts of each score, in the order of Scores.
var scoreTexts = readScoreTexts()

// ScoreText is a phrase that explains a value of a score. score is an index in Scores, value is in ten-thousandths of the
// 0–5 scale and not rounded, so that a place has the same text however its value is rounded.
func ScoreText(score int, value uint16) Text { return scoreTexts[score][Band(value)] }

// Band is the band of a value: the nearest whole number, half up. 24999 is in band 2, 25000 in band 3.
func Band(value uint16) int { return min((int(value)+UnitValue/2)/UnitValue, Bands-1) }

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
