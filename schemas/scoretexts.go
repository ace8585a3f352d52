package schemas

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed scoretexts.tsv
var scoreTextsTSV string

// Bands is the number of rungs of a score's ladder of texts.
const Bands = 6

// scoreTexts holds the ladder of each score, in the order of Scores.
var scoreTexts = readScoreTexts()

// ScoreText says in plain words what a score means: a fragment without a full stop. score is its place in Scores,
// value ten-thousandths of the 0–5 scale as they are kept: a place has one text, however its value is rounded.
func ScoreText(score int, value uint16) Text { return scoreTexts[score][Band(value)] }

// Band is the rung of a value: the nearest whole number, halves upward.
func Band(value uint16) int { return min((int(value)+UnitValue/2)/UnitValue, Bands-1) }

// readScoreTexts reads scoretexts.tsv, which must tell every rung of every score, in order. A test calls it first.
func readScoreTexts() [][Bands]Text {
	ladders := make([][Bands]Text, len(Scores))
	lines := strings.Split(strings.TrimSpace(scoreTextsTSV), "\n")[1:]
	if len(lines) != len(Scores)*Bands {
		panic(fmt.Sprintf("scoretexts.tsv: %d rungs", len(lines)))
	}
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		if len(cells) != 4 || cells[0] != Scores[i/Bands].ID || cells[1] != strconv.Itoa(i%Bands) {
			panic(fmt.Sprintf("scoretexts.tsv, line %d: %q", i+2, line))
		}
		ladders[i/Bands][i%Bands] = Text{cells[2], cells[3]}
	}
	return ladders
}
