package acs

import (
	"bytes"
	"math"
	"regexp"
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

// missingTexts are the texts with the same meaning; NA is that of R.
var missingTexts = []string{"", ".", "-", "N", "(X)", "**", "***", "null", "NA"}

// estimateOf parses an estimate, or returns why there is none. A median in an open bin is one of the jam values or, on
// data.census.gov, the limit of its bin:
//
//	250,000+ is 250001 and 2,500- is 2499
func estimateOf(text []byte, jams []float64) (estimate float64, open bool, why reason.Reason) {
	if n, ok := number(bytes.TrimRight(text, "+-")); ok && jams != nil && len(text) > 0 {
		switch text[len(text)-1] {
		case '+':
			return n + 1, true, checkJam(n+1, jams)
		case '-':
			return n - 1, true, checkJam(n-1, jams)
		}
	}
	n, ok := number(text)
	switch {
	case !ok && slices.Contains(missingTexts, string(text)), ok && slices.Contains(annotations, n):
		return 0, false, census.MissingEstimate
	case !ok:
		return 0, false, source.InvalidNumber
	case n < 0:
		return 0, false, source.NegativeCount
	}
	return n, slices.Contains(jams, n), reason.Reason{}
}

// checkJam returns the reason for a limit that the table does not have.
func checkJam(n float64, jams []float64) reason.Reason {
	if slices.Contains(jams, n) {
		return reason.Reason{}
	}
	return source.InvalidNumber
}

// marginOf parses a margin of error; NaN where it is missing, and false where it is invalid.
func marginOf(text []byte) (float64, bool) {
	n, ok := number(bytes.TrimPrefix(bytes.TrimPrefix(text, []byte("+/-")), []byte("±")))
	switch {
	case ok && n >= 0:
		return n, true
	case ok && n == controlled, string(text) == "*****":
		return 0, true
	}
	return math.NaN(), ok && slices.Contains(annotations, n) || !ok && slices.Contains(missingTexts, string(text))
}

// grouped is a number with commas between groups of three digits.
var grouped = regexp.MustCompile(`^\d{1,3}(,\d{3})+$`)

// number parses a finite number: 1234, 1,234, 1604.0, 1e+05.
func number(text []byte) (float64, bool) {
	const most = 15 // digits that a float64 represents exactly
	if bytes.IndexByte(text, ',') > 0 && grouped.Match(text) {
		text = bytes.ReplaceAll(text, []byte(","), nil)
	}
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
