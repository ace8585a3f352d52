package diff

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"quartier/build/compare"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"count":     count,
	"optional":  optional,
	"change":    change,
	"percent":   func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) },
	"signed":    func(v float64) string { return minus(fmt.Sprintf("%+.2f", v)) },
	"points":    func(v float64) string { return fmt.Sprintf("%.2f", v) },
	"quantile":  quantile,
	"words":     func(s string) string { return strings.ReplaceAll(s, "_", " ") },
	"histogram": histogram,
	"bar":       bar,
	"short":     func(digest string) string { return digest[:min(12, len(digest))] },
}).Parse(pageText))

// WriteHTML writes the report as one page: styles and drawings are in it, and nothing is fetched.
func (r *Report) WriteHTML(w io.Writer) error { return page.Execute(w, r) }

// Tripped are the gates beyond their limits.
func (r *Report) Tripped() []Gate {
	return slices.DeleteFunc(slices.Clone(r.Gates), func(g Gate) bool { return !g.Tripped })
}

// Within are the other gates.
func (r *Report) Within() []Gate {
	return slices.DeleteFunc(slices.Clone(r.Gates), func(g Gate) bool { return g.Tripped })
}

// Held is the number of gates that hold the release back.
func (r *Report) Held() (n int) {
	for _, g := range r.Gates {
		if g.Tripped && g.Accepted == "" {
			n++
		}
	}
	return n
}

// Kinds are the kinds of change of any level, in the order of columns.
func (r *Report) Kinds() (kinds []string) {
	for _, kind := range []string{"kept", "reversion", "redrawn", "split", "merge", "level", "retired", "lost", "new"} {
		if slices.ContainsFunc(r.Levels, func(l Level) bool { return l.Kinds[kind] > 0 }) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// RegionsChanged are the regions and levels with another number of geographies.
func (r *Report) RegionsChanged() []Region {
	return slices.DeleteFunc(slices.Clone(r.Regions), func(g Region) bool { return g.Older == g.Newer })
}

// SourcesChanged are the sources with another number of rows.
func (r *Report) SourcesChanged() []Source {
	return slices.DeleteFunc(slices.Clone(r.Sources), func(s Source) bool {
		return s.OlderTaken == s.NewerTaken && s.OlderRejected == s.NewerRejected
	})
}

// Changed reports whether anything is to be said of a score.
func (s *Score) Changed() bool { return s.Distance > 0 || len(s.Moved) > 0 }

// Still are the labels of the scores that did not change.
func (r *Report) Still() string {
	var labels []string
	for i := range r.Scores {
		if !r.Scores[i].Changed() {
			labels = append(labels, r.Scores[i].Label)
		}
	}
	return strings.Join(labels, ", ")
}

// Of is the name of a geography of either side.
func (c *Changed) Of(id string) string {
	for _, p := range append(slices.Clone(c.Olds), c.News...) {
		if p.GeogID == id {
			return strings.TrimSpace(p.Mark + " " + p.Name)
		}
	}
	return id
}

// count writes a number with thin spaces: 1 234 567.
func count(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

func optional(v *float64) string {
	if v == nil {
		return "–"
	}
	return count(int64(math.Round(*v)))
}

func minus(text string) string { return strings.Replace(text, "-", "−", 1) }

// change is a difference with its sign; "" where there is none.
func change(older, newer int64) string {
	switch d := newer - older; {
	case d == 0:
		return ""
	case d > 0:
		return "+" + count(d)
	default:
		return "−" + count(-d)
	}
}

func quantile(v *float64) string {
	switch {
	case v == nil:
		return "∞"
	case *v == 0:
		return "0"
	}
	return minus(fmt.Sprintf("%+.1f", *v))
}

// bar draws older and newer numbers as bars of the larger one.
func bar(older, newer int64) template.HTML {
	most := float64(max(older, newer, 1))
	return template.HTML(
		fmt.Sprintf(`<svg class="bar" viewBox="0 0 120 14" aria-hidden="true"><rect class="oldbar" width="%.1f" y="0" height="6"/><rect `+
			`class="newbar" width="%.1f" y="8" height="6"/></svg>`,
			120*float64(older)/most, 120*float64(newer)/most))
}

// histogram draws the two spreads of a score: the newer one as bars, the older one as a line of steps, and both medians.
func histogram(s *Score) template.HTML {
	const width, height, left, top, foot = 300.0, 110.0, 34.0, 8.0, 20.0
	most := int64(1)
	for i := range s.Older.Bins {
		most = max(most, s.Older.Bins[i], s.Newer.Bins[i])
	}
	x := func(points float64) float64 { return left + points/5*(width-left-4) }
	y := func(n int64) float64 { return top + (1-float64(n)/float64(most))*height }
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="geographies by score, older and newer">`, width, top+height+foot)
	for points := 0; points <= 5; points++ {
		fmt.Fprintf(&svg, `<path class="grid" d="M%.1f %.1fv%.1f"/><text class="axis" x="%.1f" y="%.1f">%d</text>`, x(float64(points)), top,
			height, x(float64(points)), top+height+14, points)
	}
	fmt.Fprintf(&svg, `<text class="axis end" x="%.1f" y="%.1f">%s</text><text class="axis end" x="%.1f" y="%.1f">0</text>`, left-5, top+8,
		count(most), left-5, top+height)
	step := strings.Builder{}
	fmt.Fprintf(&step, "M%.1f %.1f", x(0), y(0))
	for i, n := range s.Newer.Bins {
		from, to := x(5*float64(i)/compare.Bins), x(5*float64(i+1)/compare.Bins)
		if n > 0 {
			fmt.Fprintf(&svg, `<rect class="newbar" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, from+0.5, y(n), to-from-1, top+height-y(n))
		}
		fmt.Fprintf(&step, "V%.1fH%.1f", y(s.Older.Bins[i]), to)
	}
	fmt.Fprintf(&svg, `<path class="oldstep" d="%sV%.1f"/>`, step.String(), y(0))
	if s.Older.Known > 0 {
		fmt.Fprintf(&svg, `<path class="oldmedian" d="M%.1f %.1fv%.1f"/>`, x(s.Older.Median), top, height)
	}
	if s.Newer.Known > 0 {
		fmt.Fprintf(&svg, `<path class="newmedian" d="M%.1f %.1fv%.1f"/>`, x(s.Newer.Median), top, height)
	}
	svg.WriteString("</svg>")
	return template.HTML(svg.String())
}

// CountTable is a table of counts on the page.
type CountTable struct {
	Title string
	Rows  []Count
}

// Table is the counts of categories or brands, those that changed the most first.
func (r *Report) Table(title string) CountTable {
	rows := r.Categories
	if title == "brand" {
		rows = r.Brands
	}
	rows = slices.Clone(rows)
	moved := func(c Count) int64 { return max(c.Older-c.Newer, c.Newer-c.Older) }
	slices.SortStableFunc(rows, func(a, b Count) int { return cmp.Compare(moved(b), moved(a)) })
	return CountTable{title, rows}
}
