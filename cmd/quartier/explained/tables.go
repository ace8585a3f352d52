package explained

import (
	"cmp"
	"fmt"
	"io"

	"quartier/build/explain"
	"quartier/schemas"
)

func printParts(w io.Writer, indent string, parts []explain.Part) {
	if len(parts) == 0 {
		return
	}
	var rows [][]string
	for _, p := range parts {
		row := []string{p.Name, nodeText(p.Value), "", "", p.Of}
		if p.Weight != 0 {
			row[2] = short(p.Weight)
		}
		if p.Part != nil {
			row[3] = fmt.Sprintf("%.4f", *p.Part)
		}
		rows = append(rows, row)
	}
	Columns(w, indent, []string{"part", ">value", ">weight", ">part", ""}, rows)
}

func printLines(w io.Writer, indent string, lines []explain.Line) {
	if len(lines) == 0 {
		return
	}
	var rows [][]string
	for _, l := range lines {
		mode := plainWords(l.Mode)
		if l.Rapid {
			mode += ", rapid"
		}
		name, trips := l.Name, fmt.Sprint(l.TripsWeek)
		switch l.Basis {
		case schemas.StopsBasis:
			name, trips = "unknown, of "+l.Name, trips+" assumed"
		case schemas.LineBasis:
			trips += " assumed"
			if l.Kind != "" {
				trips += ", " + plainWords(l.Kind)
			}
		}
		rows = append(rows, []string{name, mode, fmt.Sprint(l.Direction), cmp.Or(l.Headsign, "not known"), l.Stop, fmt.Sprintf("%.0f", l.M),
			fmt.Sprintf("%.1f", l.Minutes), trips,
			short(l.ModeWeight), fmt.Sprintf("%.3f", l.Decay), fmt.Sprintf("%.2f", l.Part), l.SourceID + " " + l.StopKey})
	}
	Columns(w, indent, []string{"line", "mode", ">direction", "to", "stop", ">metres", ">min", ">trips/week", ">mode", ">W", ">part",
		"source"}, rows)
}

// maxPlaces is the greatest number of places in a table; --json has all.
const maxPlaces = 30

func printPlaces(w io.Writer, indent string, places []explain.Place) {
	if len(places) == 0 {
		return
	}
	var rows [][]string
	for _, p := range places[:min(len(places), maxPlaces)] {
		rows = append(rows, placeRow(p))
	}
	Columns(w, indent, []string{"for", ">#", "place", "class", ">ha", ">metres", ">min", ">W", ">weight", ">part", "source"}, rows)
	if more := len(places) - maxPlaces; more > 0 {
		fmt.Fprintf(w, "%s  and %d more, in --json\n", indent, more)
	}
}

func placeRow(p explain.Place) []string {
	row := []string{p.For, fmt.Sprint(p.Rank), named(p.Name), plainWords(p.Class), "", fmt.Sprintf("%.0f", p.M),
		fmt.Sprintf("%.1f", p.Minutes), "", "", "", p.SourceID + " " + p.Key}
	if p.Corrected != "" {
		row[10] += ", " + p.Corrected
	}
	if p.Records != "" {
		row[10] += ", with " + p.Records
	}
	if p.Hectares > 0 {
		row[4] = fmt.Sprintf("%.1f", p.Hectares)
	}
	if p.Straight {
		row[5], row[6] = row[5]+" straight", ""
	}
	if p.Bounded {
		row[5] += " bounded"
	}
	if p.Weight > 0 {
		row[8], row[9] = fmt.Sprintf("%.3f", p.Weight), fmt.Sprintf("%.4f", p.Part)
	}
	if p.Weight > 0 && (p.Decay > 0 || p.Part == 0) {
		row[7] = fmt.Sprintf("%.3f", p.Decay)
	}
	return row
}

func printStreets(w io.Writer, indent string, streets []explain.NearStreet) {
	if len(streets) == 0 {
		return
	}
	var rows [][]string
	for _, s := range streets {
		row := []string{named(s.Name), plainWords(s.Class), fmt.Sprintf("%.0f", s.M), "", "", "", "kept as a barrier"}
		if s.PerDay > 0 {
			row[3], row[4], row[5] = Thousands(int64(s.PerDay)), cmp.Or(s.Count, "assumed"), fmt.Sprintf("%.0f", s.KMH)
		}
		if s.SourceID != "" {
			row[6] = s.SourceID + " " + s.SourceKey
		}
		rows = append(rows, row)
	}
	Columns(w, indent, []string{"street", "class", ">m straight", ">vehicles/day", "counted by", ">km/h", "source"}, rows)
}

// short writes a number with four significant digits.
func short(v float64) string { return fmt.Sprintf("%.4g", v) }
