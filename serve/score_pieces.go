package serve

import (
	"math/bits"
	"strconv"

	"quartier/schemas"
	"quartier/serve/account"
)

// scoreSet is a set of scores, by their place in schemas.Scores.
type scoreSet uint32

// scoresOf are the scores that an agreement covers.
func scoresOf(a *account.Agreement) (set scoreSet) {
	for i, s := range schemas.Scores {
		if a.AllowsScore(s.ID) {
			set |= 1 << i
		}
	}
	return set
}

// scores judges which scores a request may have: those that it includes, or all of the agreement where it names none.
func (x *exchange) scores(include uint64) (scoreSet, error) {
	asked := scoreSet(include)
	if asked == 0 {
		return x.who.scores, nil
	}
	if asked&^x.who.scores != 0 {
		return 0, errForbiddenValue
	}
	return asked, nil
}

// rounding is how exactly a score is told, in ten-thousandths.
type rounding uint16

// The roundings of the contract.
const (
	toHalf  rounding = schemas.UnitValue / 2
	toTenth rounding = schemas.UnitValue / 10
	toFour  rounding = 1 // four decimals, as scores are kept
)

// apply rounds, halves upward.
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
		for band := range schemas.Bands {
			text := schemas.ScoreText(s, uint16(band*schemas.UnitValue)).In(language)
			tails[s] = append(tails[s], `","text":`+string(appendText(nil, text))+`}`)
		}
	}
	return tails
}

// appendScores appends an object of the scores in the set that are not absent.
func appendScores(b []byte, values []uint16, set scoreSet, r rounding, language string) []byte {
	tails := scoreTails[language]
	b = append(b, '{')
	first := true
	for rest := set; rest != 0; rest &= rest - 1 {
		s := bits.TrailingZeros32(uint32(rest))
		if values[s] == schemas.AbsentValue {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, scoreHeads[s]...)
		b = appendValue(b, r.apply(values[s]))
		b = append(b, tails[s][schemas.Band(values[s])]...)
	}
	return append(b, '}')
}

// anyScore reports whether a score of the set is known.
func anyScore(values []uint16, set scoreSet) bool {
	for rest := set; rest != 0; rest &= rest - 1 {
		if values[bits.TrailingZeros32(uint32(rest))] != schemas.AbsentValue {
			return true
		}
	}
	return false
}

// appendValue appends a value of a channel as a decimal number of one to four decimals.
func appendValue(b []byte, value uint16) []byte {
	b = append(b, byte('0'+value/schemas.UnitValue), '.')
	rest := value % schemas.UnitValue
	b = append(b, byte('0'+rest/1000))
	for rest %= 1000; rest != 0; rest = rest % 100 * 10 {
		b = append(b, byte('0'+rest/100))
	}
	return b
}

// appendDensity appends a number to 0.1.
func appendDensity(b []byte, perKM2 float64) []byte {
	return strconv.AppendFloat(b, perKM2, 'f', 1, 64)
}
