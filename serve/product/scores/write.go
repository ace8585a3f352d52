package scores

import (
	"math/bits"

	"quartier/schemas"
	"quartier/schemas/scoretexts"
	"quartier/serve/endpoint"
)

// rounding is the unit to which a score is rounded, in ten-thousandths.
type rounding uint16

// The roundings of the API specification.
const (
	toHalf    rounding = schemas.Step
	toTenth   rounding = schemas.UnitValue / 10
	unrounded rounding = 1 // four decimals, as scores are stored
)

// apply rounds half up.
func (r rounding) apply(value uint16) uint16 {
	return uint16((uint32(value) + uint32(r)/2) / uint32(r) * uint32(r))
}

// scoreHeads[s] is `"name":{"value":"`, and scoreTails[language][s][band] is `","text":"…"}`.
var (
	scoreHeads = func() (heads []string) {
		for _, s := range schemas.Scores {
			heads = append(heads, `"`+s.ID+`":{"value":"`)
		}
		return heads
	}()
	scoreTails = map[string][][]string{"en": tailsIn("en"), "fr": tailsIn("fr")}
)

func tailsIn(language string) [][]string {
	tails := make([][]string, len(schemas.Scores))
	for s := range schemas.Scores {
		for band := range scoretexts.Bands {
			text := scoretexts.OfBand(s, band).In(language)
			tails[s] = append(tails[s], `","text":`+endpoint.Quote(text)+`}`)
		}
	}
	return tails
}

// appendScores appends an object of the known scores in the set, each a schemas.LocationScore.
func appendScores(b []byte, scores []uint16, set endpoint.ScoreSet, r rounding, language string) []byte {
	tails := scoreTails[language]
	b = append(b, '{')
	for rest := set; rest != 0; rest &= rest - 1 {
		s := bits.TrailingZeros32(uint32(rest))
		if scores[s] == schemas.AbsentValue {
			continue
		}
		b = endpoint.AppendComma(b)
		value := r.apply(scores[s])
		b = append(b, scoreHeads[s]...)
		b = AppendValue(b, value)
		b = append(b, tails[s][scoretexts.Band(s, value)]...)
	}
	return append(b, '}')
}

// AnyKnown reports whether a score of the set is known.
func AnyKnown(scores []uint16, set endpoint.ScoreSet) bool {
	for rest := set; rest != 0; rest &= rest - 1 {
		if scores[bits.TrailingZeros32(uint32(rest))] != schemas.AbsentValue {
			return true
		}
	}
	return false
}

// AppendValue appends a value of a channel as a decimal number of one to four decimals: 45000 as 4.5.
func AppendValue(b []byte, value uint16) []byte {
	b = append(b, byte('0'+value/schemas.UnitValue), '.')
	rest := value % schemas.UnitValue
	b = append(b, byte('0'+rest/1000))
	for rest %= 1000; rest != 0; rest = rest % 100 * 10 {
		b = append(b, byte('0'+rest/100))
	}
	return b
}
