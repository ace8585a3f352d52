package journeys

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"quartier/build/measures"
	"quartier/cmd/quartier/explained"
	"quartier/internal/travel"
)

// Write writes an explanation for people.
func (m *Measure) Write(w io.Writer) {
	fmt.Fprintf(w, "%s in release %s as of %s\n", m.Of, m.Release, m.AsOf)
	value := m.Value
	if m.Median != nil {
		value = m.Median.Value
	}
	text := "not known: " + m.Unknown
	if value != nil {
		text = explained.Thousands(*value)
	}
	explained.Text(w, "", "measure", fmt.Sprintf("%s, %s: %s", m.Name, m.Label, text))
	if m.Median != nil {
		writeMedian(w, m.Median)
	}
	if m.Home != nil {
		explained.Text(w, "", "home", fmt.Sprintf("at %s, the nearest with homes, %s on foot from the point", nodeText(*m.Home),
			spent(int32(m.HomeWalkS))))
	}
	if m.Cell > 0 {
		explained.Text(w, "", "from", fmt.Sprintf("%s, for all homes of cell %d", nodeText(m.Origin), m.Cell))
	}
	if m.Terms != "" {
		m.writeReached(w)
	}
	for i := range m.Ways {
		way := &m.Ways[i]
		fmt.Fprintf(w, "\nThe %s, %s: %s\n", way.Which, nodeText(way.Place.Node), m.counted(way.Place.Number))
		if way.Place.Seconds > 0 {
			way.writeLegs(w)
		}
	}
	fmt.Fprintln(w)
}

func writeMedian(w io.Writer, m *measures.Median) {
	by := "households"
	if m.Basis != by {
		by = "metres of street"
	}
	explained.Text(w, "", "median", fmt.Sprintf("over %s homes in %s cells, which weigh by %s; known for %.0f %% of them",
		explained.Thousands(int64(m.Homes)), explained.Thousands(int64(m.Cells)), by, 100*m.Known))
	var parts []string
	for _, q := range m.Quantiles {
		parts = append(parts, fmt.Sprintf("%d %% %s", q.Percent, explained.Thousands(q.Value)))
	}
	explained.Text(w, "", "at most", strings.Join(parts, ", "))
}

// writeReached writes what is reached: in all, by minutes, and where most of it is.
func (m *Measure) writeReached(w io.Writer) {
	of := m.Measure.Of
	explained.Text(w, "", "travel", m.Terms)
	by := ""
	if m.Measure.Mode == travel.Transit.String() {
		by = " by half of the departures"
	}
	explained.Text(w, "", "reached", fmt.Sprintf("%s, at %s of the %s nodes of streets that are reached within %d minutes%s",
		m.counted(m.Recomputed), explained.Thousands(int64(len(m.Places))), explained.Thousands(int64(m.Nodes)), m.Measure.Minutes, by))
	explained.Text(w, "", "ground", fmt.Sprintf("known on %.0f %% of what is within %.1f km, as far as nine tenths of these nodes are",
		100*m.Known, m.RadiusM/1000))
	var rows [][]string
	third, so := m.Measure.Minutes/3, 0.0
	for end := third; end <= m.Measure.Minutes; end += third {
		nodes, sum := 0, 0.0
		for _, p := range m.Places {
			if p.Seconds <= 60*end && (p.Seconds > 60*(end-third) || end == third) {
				nodes, sum = nodes+1, sum+p.Number
			}
		}
		so += sum
		rows = append(rows, []string{fmt.Sprintf("%d to %d", end-third, end), fmt.Sprint(nodes), amount(sum), amount(so)})
	}
	explained.Columns(w, "", []string{">minutes", ">nodes", ">" + of, ">so far"}, rows)
	rows = nil
	for _, p := range m.largest() {
		var keys []string
		for _, part := range p.Parts[:min(len(p.Parts), 2)] {
			keys = append(keys, part.Key)
		}
		if more := len(p.Parts) - 2; more > 0 {
			keys = append(keys, fmt.Sprintf("%d more", more))
		}
		rows = append(rows, []string{amount(p.Number), fmt.Sprintf("%.1f", float64(p.Seconds)/60), nodeText(p.Node), strings.Join(keys, ", ")})
	}
	explained.Columns(w, "", []string{">" + of, ">min", "largest", "of"}, rows)
}

// largest are the five places with most of what is counted.
func (m *Measure) largest() []measures.Place {
	list := slices.Clone(m.Places)
	slices.SortStableFunc(list, func(a, b measures.Place) int { return cmp.Compare(b.Number, a.Number) })
	return list[:min(len(list), 5)]
}

// counted is a number of what the measure counts.
func (m *Measure) counted(n float64) string {
	of := m.Measure.Of
	if amount(n) == "1" {
		of = map[string]string{"jobs": "job", "people": "person", "groceries": "grocery"}[of]
	}
	return amount(n) + " " + of
}

func nodeText(n measures.Node) string {
	at := fmt.Sprintf("%.5f, %.5f", n.Lat, n.Lng)
	if n.FID > 0 {
		at = fmt.Sprintf("node %d (%s)", n.FID, at)
	}
	return at
}

// amount is a number of jobs, people or places in words.
func amount(n float64) string {
	if n < 10 && n != math.Trunc(n) {
		return fmt.Sprintf("%.1f", n)
	}
	return explained.Thousands(int64(math.Round(n)))
}
