package batch

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/paulmach/orb"

	"quartier/serve/enrich"
)

// Summary is what became of the rows.
type Summary struct {
	Rows     int64            `json:"rows"`
	Statuses map[string]int64 `json:"statuses"`
	Reasons  []Reason         `json:"reasons"` // of other statuses than ok, and of cells in other encodings
	Turned   int64            `json:"turned"`  // rows elsewhere that would be in the release with latitude and longitude exchanged
	Zero     int64            `json:"zero"`    // rows at 0, 0

	notes []string
}

// Reason is why rows have no usable point, or are not written as they were.
type Reason struct {
	Reason string `json:"reason"`
	Rows   int64  `json:"rows"`
	First  int64  `json:"first"`            // the number of the first such row, the first row of the input being 1
	Value  string `json:"value"`            // what it has instead
	Detail string `json:"detail,omitempty"` // what is wrong with it; "": the reason says all
}

// maxShown is how much of a value is kept.
const maxShown = 60

// bad counts a row that is not as it should be, by why.
func (s *Summary) bad(row int64, why error, detail string, value func() string) {
	for i := range s.Reasons {
		if s.Reasons[i].Reason == why.Error() {
			s.Reasons[i].Rows++
			return
		}
	}
	shown := value()
	if len(shown) > maxShown {
		shown = shown[:maxShown] + "…"
	}
	s.Reasons = append(s.Reasons, Reason{why.Error(), 1, row, shown, detail})
}

// count counts the statuses of a block.
func (s *Summary) count(statuses []enrich.Status, points []orb.Point, raw []orb.Point, covers func(lng, lat float64) bool) {
	var counts [enrich.StatusCount]int64
	for i, status := range statuses {
		counts[status]++
		if status != enrich.Outside && status != enrich.BadCoordinates && status != enrich.BadGeometry {
			continue
		}
		p := raw[i]
		switch {
		case p == orb.Point{}:
			s.Zero++
		case covers(p[1], p[0]):
			s.Turned++
		}
	}
	s.Rows += int64(len(points))
	if s.Statuses == nil {
		s.Statuses = map[string]int64{}
	}
	for status, n := range counts {
		if n > 0 {
			s.Statuses[enrich.Status(status).String()] += n
		}
	}
}

// add adds the summary of later rows.
func (s *Summary) add(o *Summary) {
	s.Rows, s.Turned, s.Zero = s.Rows+o.Rows, s.Turned+o.Turned, s.Zero+o.Zero
	if s.Statuses == nil {
		s.Statuses = map[string]int64{}
	}
	for name, n := range o.Statuses {
		s.Statuses[name] += n
	}
	for _, r := range o.Reasons {
		known := false
		for i := range s.Reasons {
			if known = s.Reasons[i].Reason == r.Reason; known {
				s.Reasons[i].Rows += r.Rows
				break
			}
		}
		if !known {
			s.Reasons = append(s.Reasons, r)
		}
	}
}

// badShare is the share of the rows without a usable point: none, or one that seems to be turned.
func (s *Summary) badShare() float64 {
	if s.Rows == 0 {
		return 0
	}
	bad := s.unusable()
	if s.seemTurned() {
		bad = max(bad, s.Turned)
	}
	return float64(bad) / float64(s.Rows)
}

// unusable is the number of rows without a point or shape.
func (s *Summary) unusable() int64 {
	return s.Statuses[enrich.BadCoordinates.String()] + s.Statuses[enrich.BadGeometry.String()]
}

// seemTurned reports whether more rows are in the release with latitude and longitude exchanged than as they are.
func (s *Summary) seemTurned() bool {
	in := s.Rows - s.Statuses[enrich.Outside.String()] - s.unusable()
	return s.Turned > in
}

// explain notes what a reader should know.
func (s *Summary) explain(j *job) {
	for _, r := range s.Reasons {
		detail := ""
		if r.Detail != "" {
			detail = " (" + r.Detail + ")"
		}
		s.notes = append(s.notes, fmt.Sprintf("%s: %s; the first is row %d%s: %q", rows(r.Rows), r.Reason, r.First, detail, r.Value))
	}
	if s.seemTurned() {
		s.notes = append(s.notes,
			fmt.Sprintf("%.3g %% of the rows would be in the release with latitude and longitude exchanged: check which column is which",
				100*float64(s.Turned)/float64(s.Rows)))
	} else if s.Turned > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s would be in the release with latitude and longitude exchanged", rows(s.Turned)))
	}
	if s.Zero > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s at 0, 0, which is often what missing coordinates have become", rows(s.Zero)))
	}
}

// rows is a number of rows in words.
func rows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// Write prints the table of statuses, and what was noted.
func (s *Summary) Write(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "%s\trows\tshare\t\n", enrich.StatusName)
	for status := range enrich.StatusCount {
		if n := s.Statuses[status.String()]; n > 0 {
			fmt.Fprintf(table, "%s\t%d\t%.2f %%\t\n", status, n, 100*float64(n)/float64(s.Rows))
		}
	}
	fmt.Fprintf(table, "all\t%d\t\t\n", s.Rows)
	if err := table.Flush(); err != nil {
		return err
	}
	for _, note := range s.notes {
		fmt.Fprintln(out, note)
	}
	return nil
}
