package profile

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"quartier/ingest/census"
	"quartier/ingest/source"
	"quartier/internal/margin"
	"quartier/schemas/calibration"
	"quartier/schemas/reason"
)

// figure is the value of a line for an area: an estimate, or why there is none.
type figure struct {
	margin.Figure
	missing reason.Reason // why there is no estimate; the zero Reason where there is one
}

// Why a figure is missing. unread is that of a line that is not in the file.
var (
	unread   = reason.Reason{Code: "unread"} // never passed to the sink
	reversed = reasons.Rejected("reversed_confidence_limits",
		"The upper limit of a confidence interval is below the lower one; the table is left out for the area.")
	differs = reasons.Rejected("language_mismatch",
		"An estimate differs between the English and the French file; the table is left out for the area.")
)

// symbols are what Statistics Canada writes in place of an estimate.
var symbols = map[string]reason.Reason{
	"..":  reasons.Skipped("estimate_not_available", "An estimate is not available (..); the table is left out for the area."),
	"...": reasons.Skipped("estimate_not_applicable", "An estimate is not applicable (...); the table is left out for the area."),
	"x":   reasons.Skipped("estimate_suppressed", "An estimate is suppressed for confidentiality (x); the table is left out for the area."),
	"F":   reasons.Skipped("estimate_unreliable", "An estimate is too unreliable to be published (F); the table is left out for the area."),
}

// caution is the symbol next to an estimate to be used with caution.
const caution = "E"

// withoutError returns a figure without a margin of error.
func withoutError(estimate float64) figure {
	return figure{Figure: margin.Figure{Estimate: estimate, MOE: math.NaN()}}
}

// parse parses an estimate and the symbol next to it.
func parse(text, symbol string) figure {
	if g, ok := symbols[symbol]; ok {
		return figure{missing: g}
	}
	if g, ok := symbols[text]; ok {
		return figure{missing: g}
	}
	if text == "" {
		return figure{missing: census.MissingEstimate}
	}
	n, ok := number(text)
	switch {
	case !ok:
		return figure{missing: source.InvalidNumber}
	case n < 0:
		return figure{missing: source.NegativeCount}
	}
	return withoutError(n)
}

// grouped matches a number with commas between groups of three digits.
var grouped = regexp.MustCompile(`^-?\d{1,3}(,\d{3})+(\.\d*)?$`)

// number parses a number in English or French notation: 1234.5, 1,234.5, 1 234,5, 3,1 %.
func number(text string) (float64, bool) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	text = strings.Join(strings.Fields(strings.TrimSuffix(text, "%")), "")
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// limits sets the margin of error from the limits of a 95 % confidence interval, where both are published.
func (f *figure) limits(low, high figure) {
	if f.missing != (reason.Reason{}) || low.missing != (reason.Reason{}) || high.missing != (reason.Reason{}) {
		return
	}
	if high.Estimate < low.Estimate {
		f.missing = reversed
		return
	}
	f.MOE = margin.From95(low.Estimate, high.Estimate)
}

// rounded sets the margin of error to that of random rounding, where the figure has no other.
func (f *figure) rounded() {
	if f.missing == (reason.Reason{}) && !f.Known() {
		f.Figure = margin.Rounded(f.Estimate, 1, calibration.Standard().Demographics.RoundingSE)
	}
}
