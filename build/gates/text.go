package gates

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"quartier/schemas"
)

// Tripped are the verdicts beyond their limits.
func (all Verdicts) Tripped() (list Verdicts) {
	for _, v := range all {
		if v.Tripped() {
			list = append(list, v)
		}
	}
	return list
}

// Err is an ErrTripped with the gates that hold the release back, their measures, and the options that accept them; nil if
// there are none.
func (all Verdicts) Err() error {
	var lines, options []string
	byGate := map[string]int{}
	for _, v := range all.Tripped() {
		if v.Accepted == "" {
			byGate[gateID(v.Gate)]++
			lines = append(lines, "  "+v.String())
			options = append(options, v.Gate)
		}
	}
	if lines == nil {
		return nil
	}
	const most = 3 // of a gate, before it is accepted for all subjects
	var accept []string
	named := map[string]bool{}
	for _, gate := range options {
		if id := gateID(gate); byGate[id] > most {
			gate = id
		}
		if !named[gate] {
			named[gate] = true
			accept = append(accept, fmt.Sprintf("--accept '%s=REASON'", gate))
		}
	}
	return fmt.Errorf("%w: %d of %d are beyond their limits\n%s\nif this is right: %s", ErrTripped, len(lines), len(all),
		strings.Join(lines, "\n"), strings.Join(accept, " "))
}

// String is a line such as 'category.cafes: 0.52, limit 0.30: 114 → 55'.
func (v *Verdict) String() string {
	text := fmt.Sprintf("%s: %s, limit %s", v.Gate, v.MeasureText(), v.LimitText())
	if v.Before != "" || v.After != "" {
		text += ": " + strings.TrimPrefix(v.Before+" → "+v.After, " → ")
	}
	if v.Detail != "" {
		text += " (" + v.Detail + ")"
	}
	if v.Accepted != "" {
		text += "; accepted: " + v.Accepted
	}
	return text
}

// MeasureText is the measure in its unit.
func (v *Verdict) MeasureText() string { return inUnit(v.Gate, v.Measure) }

// LimitText is the limit in its unit.
func (v *Verdict) LimitText() string { return inUnit(v.Gate, v.Limit) }

func inUnit(gate string, value float64) string {
	switch g, _ := schemas.GateOf(gate); g.Unit {
	case schemas.GateCount:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case schemas.GatePoints:
		return fmt.Sprintf("%.2f points", value)
	}
	return strconv.FormatFloat(100*value, 'f', 1, 64) + " %"
}

// Table formats tripped verdicts, and the number of the others.
func (all Verdicts) Table() string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	tripped := all.Tripped()
	for _, v := range tripped {
		state := "holds the release back"
		if v.Accepted != "" {
			state = "accepted: " + v.Accepted
		}
		if v.Detail != "" {
			state += " (" + v.Detail + ")"
		}
		fmt.Fprintf(w, "%s\t%s\tlimit %s\t%s → %s\t%s\n", v.Gate, v.MeasureText(), v.LimitText(), v.Before, v.After, state)
	}
	w.Flush()
	fmt.Fprintf(&out, "%d of %d gates are within their limits\n", len(all)-len(tripped), len(all))
	return out.String()
}

// count writes a number with commas: 1,234,567.
func count(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
