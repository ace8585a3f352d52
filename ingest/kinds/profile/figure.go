package profile

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"quartier/ingest/source"
	"quartier/ingest/tally"
	"quartier/internal/margin"
	"quartier/schemas/calibration"
)

// figure is what a profile says on one line about one area: an estimate, or why there is none.
type figure struct {
	margin.Figure
	gap tally.Gap // the zero one where it is told
}

// What figures lack. A line that is nowhere in the file is unread, which is no gap of the publisher's.
var (
	unread   = tally.Gap{Severity: source.Skipped, Reason: "not in the file"}
	empty    = tally.Gap{Severity: source.Skipped, Reason: "a figure is empty"}
	reversed = tally.Gap{Severity: source.Rejected, Reason: "the limits of a confidence interval change places"}
	differs  = tally.Gap{Severity: source.Rejected, Reason: "a figure differs between the English and the French file"}
)

// symbols are what Statistics Canada writes in the place of a figure. E stands beside one.
var symbols = map[string]tally.Gap{
	"..":  {Severity: source.Skipped, Reason: "a figure is not available (..)"},
	"...": {Severity: source.Skipped, Reason: "a figure is not applicable (...)"},
	"x":   {Severity: source.Skipped, Reason: "a figure is suppressed (x)"},
	"F":   {Severity: source.Skipped, Reason: "a figure is too unreliable to be published (F)"},
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
		return figure{gap: empty}
	}
	n, ok := number(text)
	switch {
	case !ok:
		return figure{gap: tally.NoNumber}
	case n < 0:
		return figure{gap: tally.Negative}
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
	if f.gap != (tally.Gap{}) || low.gap != (tally.Gap{}) || high.gap != (tally.Gap{}) {
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
	if f.gap == (tally.Gap{}) && !f.Known() {
		f.Figure = margin.Rounded(f.Estimate, 1, calibration.Standard().Demographics.RoundingSE)
	}
}
