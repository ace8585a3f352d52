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

// figure is what a profile says on one line about one area: an estimate, or why there is none.
type figure struct {
	margin.Figure
	gap reason.Reason // the zero one where it is told
}

// What figures lack. A line that is nowhere in the file is unread, which is no gap of the publisher's.
var (
	unread   = reason.Reason{Code: "unread"} // never passed to the sink
	reversed = reasons.Rejected("reversed_confidence_limits", "The upper limit of a confidence interval is below the lower one; the table is left out for the area.")
	differs  = reasons.Rejected("language_mismatch", "An estimate differs between the English and the French file; the table is left out for the area.")
)

// symbols are what Statistics Canada writes in the place of a figure. E stands beside one.
var symbols = map[string]reason.Reason{
	"..":  reasons.Skipped("estimate_not_available", "An estimate is not available (..); the table is left out for the area."),
	"...": reasons.Skipped("estimate_not_applicable", "An estimate is not applicable (...); the table is left out for the area."),
	"x":   reasons.Skipped("estimate_suppressed", "An estimate is suppressed for confidentiality (x); the table is left out for the area."),
	"F":   reasons.Skipped("estimate_unreliable", "An estimate is too unreliable to be published (F); the table is left out for the area."),
}

const caution = "E"

// told is a figure without a known error.
func told(estimate float64) figure {
	return figure{Figure: margin.Figure{Estimate: estimate, MOE: math.NaN()}}
}

// parse reads a figure and the symbol beside it.
func parse(text, symbol string) figure {
	if g, ok := symbols[symbol]; ok {
		return figure{gap: g}
	}
	if g, ok := symbols[text]; ok {
		return figure{gap: g}
	}
	if text == "" {
		return figure{gap: census.MissingEstimate}
	}
	n, ok := number(text)
	switch {
	case !ok:
		return figure{gap: source.InvalidNumber}
	case n < 0:
		return figure{gap: source.NegativeCount}
	}
	return told(n)
}

// grouped is a number with its thousands set off by commas.
var grouped = regexp.MustCompile(`^-?\d{1,3}(,\d{3})+(\.\d*)?$`)

// number reads a number as it is written in English or French: 1234.5, 1,234.5, 1 234,5, 3,1 %.
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

// limits gives a figure its error from the limits of its 95 % confidence interval, where both are told.
func (f *figure) limits(low, high figure) {
	if f.gap != (reason.Reason{}) || low.gap != (reason.Reason{}) || high.gap != (reason.Reason{}) {
		return
	}
	if high.Estimate < low.Estimate {
		f.gap = reversed
		return
	}
	f.MOE = margin.From95(low.Estimate, high.Estimate)
}

// rounded gives a count the error of random rounding, where it has no other.
func (f *figure) rounded() {
	if f.gap == (reason.Reason{}) && !f.Known() {
		f.Figure = margin.Rounded(f.Estimate, 1, calibration.Standard().Demographics.RoundingSE)
	}
}
