package acs

import (
	"math"
	"slices"
	"strconv"

	"quartier/ingest/census"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// controlled is in place of the margin of error of an estimate that was set to a known count: the margin is 0.
const controlled = -555555555

// annotations are the values in place of a missing estimate or margin of error: too few cases, a median in an open bin, a
// controlled estimate, not applicable, not available.
var annotations = []float64{-222222222, -333333333, controlled, -666666666, -888888888, -999999999}

// missingTexts are the texts with the same meaning.
var missingTexts = []string{"", ".", "-", "N", "(X)", "**", "***", "null"}

// estimateOf parses an estimate, or returns why there is none.
func estimateOf(text []byte) (float64, reason.Reason) {
	n, ok := number(text)
	switch {
	case !ok && slices.Contains(missingTexts, string(text)), ok && slices.Contains(annotations, n):
		return 0, census.MissingEstimate
	case !ok:
		return 0, source.InvalidNumber
	case n < 0:
		return 0, source.NegativeCount
	}
	return n, reason.Reason{}
}

// marginOf parses a margin of error; NaN where it is missing, and false where it is invalid.
func marginOf(text []byte) (float64, bool) {
	n, ok := number(text)
	switch {
	case ok && n >= 0:
		return n, true
	case ok && n == controlled, string(text) == "*****":
		return 0, true
	}
	return math.NaN(), ok && slices.Contains(annotations, n) || !ok && slices.Contains(missingTexts, string(text))
}

// number parses a finite number.
func number(text []byte) (float64, bool) {
	const most = 15 // digits that a float64 represents exactly
	if len(text) > 0 && len(text) <= most && digits(text) {
		n := int64(0)
		for _, c := range text {
			n = 10*n + int64(c-'0')
		}
		return float64(n), true
	}
	n, err := strconv.ParseFloat(string(text), 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}
