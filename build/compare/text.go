package compare

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"quartier/schemas/reason"
)

// String is Text with the figures that changed the most.
func (c *Comparison) String() string { return c.Text(MostFigures) }

// MostFigures is the number of variables of a level that String lists.
const MostFigures = 10

// Text formats the comparison for a terminal, without what did not change. Of the demographics of a level it lists the
// population and the most variables with the largest differences; 0: all.
func (c *Comparison) Text(most int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s of %s → %s of %s\n", c.Older.Release, c.Older.AsOf, c.Newer.Release, c.Newer.AsOf)
	if c.Older.Schema != c.Newer.Schema {
		fmt.Fprintf(&out, "manifest schema %d → %d\n", c.Older.Schema, c.Newer.Schema)
	}
	if c.Older.Calibration != c.Newer.Calibration {
		fmt.Fprintf(&out, "calibration %s → %s\n", cmp.Or(c.Older.Calibration, "unknown"), cmp.Or(c.Newer.Calibration, "unknown"))
	}
	if !c.Continues {
		out.WriteString("the newer release does not continue the older one\n")
	}
	for _, note := range c.Notes {
		fmt.Fprintf(&out, "note: %s\n", note)
	}
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, l := range c.Geographies {
		fmt.Fprintf(w, "level %d\t%s\t%d\n", l.Level, l.Kind, l.Rows)
	}
	for _, p := range append([]POIChange{c.POIs}, c.Categories...) {
		if p.Category == "" {
			p.Category = "all"
		} else if p.Added == 0 && p.Removed == 0 {
			continue
		}
		fmt.Fprintf(w, "pois: %s\t+%d −%d\t%d kept\n", p.Category, p.Added, p.Removed, p.Kept)
	}
	if s := c.Schools; s.Added+s.Removed+s.Kept > 0 {
		fmt.Fprintf(w, "schools\t+%d −%d\t%d kept\n", s.Added, s.Removed, s.Kept)
	}
	for _, p := range c.Profiles {
		fmt.Fprintf(w, "profiles: level %d\t+%d −%d\t%d kept, %d rewritten\n", p.Level, p.Added, p.Removed, p.Kept, p.Rewritten)
	}
	w.Flush()
	for group, heading := range headings {
		c.printFigures(&out, Figures(group), heading, most)
	}
	c.printIssues(&out)
	return out.String()
}

var headings = [...]string{
	Scores:    "scores of geographies in both, in points of 0–5 (moved: by 0.2)",
	Measures:  "measures at street nodes in both, in points of 0–5 (moved: by 0.2)",
	Shares:    "shares of demographics of geographies in both, in percentage points (moved: by 1)",
	Variables: "other demographics of geographies in both, in percent of the older value (moved: by 1 %)",
}

// population is listed for every level.
const population = "population_total/total_individuals"

// printFigures prints the figures of a group that changed, and the number of those that did not.
func (c *Comparison) printFigures(out io.Writer, group Figures, heading string, most int) {
	byLevel := map[int][]FigureChange{}
	var levels []int
	for _, f := range c.Figures {
		if f.Group == group {
			level := int(f.Level)
			if byLevel[level] == nil {
				levels = append(levels, level)
			}
			byLevel[level] = append(byLevel[level], f)
		}
	}
	if len(levels) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", heading)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	title := "level\tin both\tmoved\tgained\tlost\tp5\tp25\tmedian\tp75\tp95\t  \n"
	var same []string
	for _, level := range levels {
		listed, rest := pick(byLevel[level], group, most)
		name := fmt.Sprint(level)
		if level == 0 {
			name = "nodes"
		}
		for _, f := range listed {
			fmt.Fprintf(w, "%s%s\t%d\t%d\t%d\t%d\t", title, name, f.Known, f.Moved, f.Gained, f.Lost)
			title = ""
			for _, q := range f.Quantiles {
				fmt.Fprintf(w, "%s\t", signed(q, group))
			}
			fmt.Fprintf(w, "  %s\n", f.Figure)
		}
		if rest > 0 {
			fmt.Fprintf(w, "%s\t\t\t\t\t\t\t\t\t\t  and %d that changed less\n", name, rest)
		}
		if n := len(byLevel[level]) - len(listed) - rest; n > 0 {
			same = append(same, fmt.Sprintf("%s: %d", name, n))
		}
	}
	w.Flush()
	if same != nil {
		fmt.Fprintf(out, "did not change, by level: %s\n", strings.Join(same, ", "))
	}
}

// pick returns the figures of a level to list and the number of other ones that changed.
func pick(all []FigureChange, group Figures, most int) (listed []FigureChange, rest int) {
	for _, f := range all {
		if f.Changed() || f.Figure == population {
			listed = append(listed, f)
		}
	}
	if group < Shares || most == 0 || len(listed) <= most {
		return listed, 0
	}
	rank := func(f FigureChange) float64 {
		if f.Figure == population {
			return math.Inf(1)
		}
		return 4*math.Abs(f.Quantiles[2]) + math.Abs(f.Quantiles[0]) + math.Abs(f.Quantiles[4])
	}
	ranked := slices.Clone(listed)
	slices.SortStableFunc(ranked, func(a, b FigureChange) int { return cmp.Compare(rank(b), rank(a)) })
	least := rank(ranked[most-1])
	listed = slices.DeleteFunc(listed, func(f FigureChange) bool { return rank(f) < least })
	return listed, len(ranked) - len(listed)
}

// signed formats a difference with its sign and the decimals of its group.
func signed(value float64, group Figures) string {
	text := fmt.Sprintf("%+.*f", map[bool]int{true: 2, false: 1}[group <= Measures], value)
	switch {
	case value == 0:
		return "0"
	case math.IsInf(value, 0):
		return "+∞"
	}
	return strings.Replace(text, "-", "−", 1)
}

// printIssues prints rejected and repaired rows by code, and the skipped ones whose number changed.
func (c *Comparison) printIssues(out io.Writer) {
	var listed []IssueChange
	for _, i := range c.Issues {
		if i.Severity != reason.Skipped || i.Older != i.Newer {
			listed = append(listed, i)
		}
	}
	if len(listed) == 0 {
		return
	}
	fmt.Fprintln(out, "\nrows that were rejected or repaired, and skipped ones whose number changed")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "older\tnewer\tdifference\t  \n")
	for _, i := range listed {
		fmt.Fprintf(w, "%d\t%d\t%s\t  %s: %s\n", i.Older, i.Newer, strings.Replace(fmt.Sprintf("%+d", i.Newer-i.Older), "-", "−", 1),
			i.Severity, i.Code)
	}
	w.Flush()
}
