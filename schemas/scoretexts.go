package schemas

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed scoretexts.tsv
var scoreTextsTSV string

// Bands is the number of texts of a score, one per band of its values.
const Bands = 6

// scoreTexts has the texts of each score, in the order of Scores.
var scoreTexts = readScoreTexts()

// ScoreText is a phrase that explains a value of a score. score is an index in Scores, value is in ten-thousandths of the
// 0–5 scale and not rounded, so that a place has the same text however its value is rounded.
func ScoreText(score int, value uint16) Text { return scoreTexts[score][Band(value)] }

// Band is the band of a value: the nearest whole number, half up. 24999 is in band 2, 25000 in band 3.
func Band(value uint16) int { return min((int(value)+UnitValue/2)/UnitValue, Bands-1) }

// readScoreTexts parses scoretexts.tsv, which must have every band of every score, in order.
func readScoreTexts() [][Bands]Text {
	texts := make([][Bands]Text, len(Scores))
	lines := strings.Split(strings.TrimSpace(scoreTextsTSV), "\n")[1:]
	if len(lines) != len(Scores)*Bands {
		panic(fmt.Sprintf("scoretexts.tsv: %d texts", len(lines)))
	}
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		if len(cells) != 4 || cells[0] != Scores[i/Bands].ID || cells[1] != strconv.Itoa(i%Bands) {
			panic(fmt.Sprintf("scoretexts.tsv, line %d: %q", i+2, line))
		}
		texts[i/Bands][i%Bands] = Text{cells[2], cells[3]}
	}
	return texts
}
