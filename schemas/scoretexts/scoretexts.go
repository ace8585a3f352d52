// Package scoretexts has the texts of scores: which of six each value has, in both languages. In: score_texts.tsv of the
// vocabularies.
package scoretexts

import (
	"fmt"
	"strconv"

	"quartier/schemas"
)

// Bands is the number of texts of a score, its ladder from 0 to 5: each is clearly more than the one before.
const Bands = 6

// ladder has the texts of a score, and which of them each half has.
type ladder struct {
	texts [Bands]schemas.Text
	bands [schemas.HalfPoints]uint8
}

// ladders are those of the scores, in the order of schemas.Scores.
var ladders = readLadders()

// Of is a phrase that explains a value of a score. score is an index in schemas.Scores, value is in ten-thousandths of the
// 0–5 scale, as it is served. A value has one text, and a place the same one whether its value is served rounded to schemas.HalfPoints or
// tenths, or not rounded.
func Of(score int, value uint16) schemas.Text { return OfBand(score, Band(score, value)) }

// OfBand is the phrase of a band of a score, 0 to Bands − 1.
func OfBand(score, band int) schemas.Text { return ladders[score].texts[band] }

// Band is the band of a value of a score: that of the nearest step, half up. Where a band begins score_texts.tsv says for each
// score; most have 0 in band 0, 0.5 and 1 in band 1, 4.5 and 5 in band 5.
func Band(score int, value uint16) int {
	return int(ladders[score].bands[min((int(value)+schemas.Step/2)/schemas.Step, schemas.HalfPoints-1)])
}

// BandFrom is the least value of a band of a score, in ten-thousandths.
func BandFrom(score, band int) uint16 {
	for i, b := range ladders[score].bands {
		if int(b) == band {
			return uint16(max(0, i*schemas.Step-schemas.Step/2))
		}
	}
	return 5 * schemas.UnitValue
}

// readLadders reads score_texts.tsv, which must have every band of every score, in order, each from a later half on.
func readLadders() []ladder {
	list := make([]ladder, len(schemas.Scores))
	n, last := 0, 0
	schemas.ReadVocabulary("score_texts.tsv", func(c []string) schemas.Text {
		from, err := strconv.ParseFloat(c[2], 64)
		first, band := int(2*from), n%Bands
		if n >= len(schemas.Scores)*Bands || c[0] != schemas.Scores[n/Bands].ID || c[1] != strconv.Itoa(band) || err != nil ||
			first >= schemas.HalfPoints ||
			band == 0 && first != 0 || band > 0 && first <= last {
			panic(fmt.Sprintf("score_texts.tsv: text %d is of %q, band %q, from %q", n+1, c[0], c[1], c[2]))
		}
		l := &list[n/Bands]
		l.texts[band] = schemas.Text{EN: c[3], FR: c[4]}
		for i := first; i < schemas.HalfPoints; i++ {
			l.bands[i] = uint8(band)
		}
		n, last = n+1, first
		return schemas.Text{}
	})
	if n != len(schemas.Scores)*Bands {
		panic(fmt.Sprintf("score_texts.tsv: %d texts", n))
	}
	return list
}
