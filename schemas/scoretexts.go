package schemas

import (
	"fmt"
	"strconv"
)

// Bands is the number of texts of a score, its ladder from 0 to 5: each is clearly more than the one before.
const Bands = 6

// Step is the smallest difference of values that points are shown with, in ten-thousandths.
const Step = UnitValue / 2

// ladder has the texts of a score, and which of them each half has.
type ladder struct {
	texts [Bands]Text
	bands [HalfPoints]uint8
}

// ladders are those of the scores, in the order of Scores.
var ladders = readLadders()

// ScoreText is a phrase that explains a value of a score. score is an index in Scores, value is in ten-thousandths of the
// 0–5 scale, as it is served. A value has one text, and a place the same one whether its value is served rounded to halves or
// tenths, or not rounded.
func ScoreText(score int, value uint16) Text { return BandText(score, Band(score, value)) }

// BandText is the phrase of a band of a score, 0 to Bands − 1.
func BandText(score, band int) Text { return ladders[score].texts[band] }

// Band is the band of a value of a score: that of the nearest step, half up. Where a band begins score_texts.tsv says for each
// score; most have 0 in band 0, 0.5 and 1 in band 1, 4.5 and 5 in band 5.
func Band(score int, value uint16) int {
	return int(ladders[score].bands[min((int(value)+Step/2)/Step, HalfPoints-1)])
}

// BandFrom is the least value of a band of a score, in ten-thousandths.
func BandFrom(score, band int) uint16 {
	for i, b := range ladders[score].bands {
		if int(b) == band {
			return uint16(max(0, i*Step-Step/2))
		}
	}
	return 5 * UnitValue
}

// readLadders reads score_texts.tsv, which must have every band of every score, in order, each from a later half on.
func readLadders() []ladder {
	list := make([]ladder, len(Scores))
	n, last := 0, 0
	readVocabulary("score_texts.tsv", func(c []string) Text {
		from, err := strconv.ParseFloat(c[2], 64)
		first, band := int(2*from), n%Bands
		if n >= len(Scores)*Bands || c[0] != Scores[n/Bands].ID || c[1] != strconv.Itoa(band) || err != nil || first >= HalfPoints ||
			band == 0 && first != 0 || band > 0 && first <= last {
			panic(fmt.Sprintf("score_texts.tsv: text %d is of %q, band %q, from %q", n+1, c[0], c[1], c[2]))
		}
		l := &list[n/Bands]
		l.texts[band] = Text{c[3], c[4]}
		for i := first; i < HalfPoints; i++ {
			l.bands[i] = uint8(band)
		}
		n, last = n+1, first
		return Text{}
	})
	if n != len(Scores)*Bands {
		panic(fmt.Sprintf("score_texts.tsv: %d texts", n))
	}
	return list
}
