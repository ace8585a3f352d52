// Package reason describes why rows of data are rejected, repaired or skipped. A reason has a code, a severity and a
// sentence, and is declared once, in the package that raises it:
//
//	var (
//		reasons   reason.List
//		noCounts  = reasons.Repaired("block_without_counts", "The block has no counts; it is staged without any.")
//		otherKind = reasons.Skipped("other_kind", "The row is of a kind that the source is not read for.")
//	)
//
// A row is then counted as noCounts, or, where rows are to be counted by a value too, as otherKind.With(value).
package reason

// Severity says what became of a row.
type Severity string

// The severities.
const (
	Rejected Severity = "rejected" // the row is wrong and is left out
	Repaired Severity = "repaired" // the row is used after a correction or with an assumption
	Skipped  Severity = "skipped"  // the row is left out because it is out of scope or incomplete
	Noted    Severity = "noted"    // nothing was changed: how the file is written, counted once for what it applies to
)

// Reason is why a row is not used as it is. The zero value is no reason: the row is fine.
type Reason struct {
	Code        string // lower-case words joined by underscores; the same code has the same severity and description everywhere
	Severity    Severity
	Description string // one sentence
	Detail      string // the value by which rows of this code are counted separately, such as amenity=bench; "": none
}

// With returns the reason with a detail.
func (r Reason) With(detail string) Reason {
	r.Detail = detail
	return r
}

// OK reports whether r is the zero value: no reason to leave a row out or to change it.
func (r Reason) OK() bool { return r == Reason{} }

// Error returns String. A Reason is an error so that a parser can return it.
func (r Reason) Error() string { return r.String() }

// String returns the code, followed by the detail where there is one: "unmapped_category: amenity=bench".
func (r Reason) String() string {
	if r.Detail == "" {
		return r.Code
	}
	return r.Code + ": " + r.Detail
}

// List collects the reasons that a package declares, in the order of declaration.
type List []Reason

// Rejected declares the reason of rows that are wrong and left out.
func (l *List) Rejected(code, description string) Reason { return l.add(code, Rejected, description) }

// Repaired declares the reason of rows that are used after a correction or with an assumption.
func (l *List) Repaired(code, description string) Reason { return l.add(code, Repaired, description) }

// Skipped declares the reason of rows that are left out because they are out of scope or incomplete.
func (l *List) Skipped(code, description string) Reason { return l.add(code, Skipped, description) }

// Noted declares what is reported of a file or a column of it, not of rows.
func (l *List) Noted(code, description string) Reason { return l.add(code, Noted, description) }

func (l *List) add(code string, severity Severity, description string) Reason {
	r := Reason{Code: code, Severity: severity, Description: description}
	*l = append(*l, r)
	return r
}

// Raiser is a part of the pipeline with the reasons that it raises.
type Raiser struct {
	Name    string // a kind of source, or a step of transform
	Reasons []Reason
}
