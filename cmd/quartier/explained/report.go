// Package explained prints for people what quartier explain finds.
package explained

import (
	"fmt"
	"io"
	"strings"

	"quartier/build/explain"
)

// Report writes an explanation for people.
func Report(w io.Writer, r *explain.Report) error {
	s := r.Street
	fmt.Fprintf(w, "%.5f, %.5f in release %s as of %s, calibration %s\n", r.Point.Lat, r.Point.Lng, r.Release.Name, r.Release.AsOf,
		r.Calibration)
	Text(w, "", "street", fmt.Sprintf("%s, %s, %s of source %s; %.1f m from the point", named(s.Name), plainWords(s.Class), s.SourceKey,
		s.SourceID, s.LegM))
	if s.Remark != "" {
		Text(w, "", "note", s.Remark)
	}
	Text(w, "", "", fmt.Sprintf("between node %d (%.1f m, weight %.2f %%) and node %d (%.1f m, weight %.2f %%), %.1f m apart",
		s.Nodes[0].FID, s.Nodes[0].M, 100*s.Nodes[0].Share, s.Nodes[1].FID, s.Nodes[1].M, 100*s.Nodes[1].Share, s.LengthM))
	Text(w, "", "W", "is the decay of a place's weight with its network distance: "+constantsText(r.Walking)+
		". Distances are from the street, access legs of the places included.")
	for i := range r.Values {
		printValue(w, &r.Values[i], "")
	}
	if len(r.Notes) > 0 {
		fmt.Fprintf(w, "\nNotes of the manifest on region %s\n", s.Region)
		for _, note := range r.Notes {
			Text(w, "", "", note)
		}
	}
	fmt.Fprintln(w, "\nSources")
	for _, source := range r.Sources {
		id := source.ID
		if source.Region != s.Region {
			id = source.Region + "/" + id
		}
		Text(w, "", id, fmt.Sprintf("%s as of %s, %s, %s (sha256 %.12s…)", source.Path, source.AsOf, source.Licence, source.Attribution,
			source.SHA256))
	}
	_, err := fmt.Fprintln(w,
		"Constants are from schemas/calibration/calibration.yaml: [V] verified in the source, [C] computed, [R] recalled, [A] our own choice.")
	return err
}

// textWidth is the greatest length of a line, except in tables.
const textWidth = 118

// Text writes a text after a short title, broken into lines.
func Text(w io.Writer, indent, title, text string) {
	for _, line := range wrap(text, textWidth-13-len(indent)) {
		fmt.Fprintf(w, "%s  %-10s %s\n", indent, title, line)
		title = ""
	}
}

func printValue(w io.Writer, x *explain.Explanation, indent string) {
	fmt.Fprintf(w, "\n%s%s  %s\n", indent, x.Name, servedText(x))
	if x.Served != nil {
		Text(w, indent, "nodes", nodeText(x.Nodes[0])+" and "+nodeText(x.Nodes[1]))
	}
	switch {
	case x.Recomputed != nil:
		Text(w, indent, "recomputed", fmt.Sprintf("%.4f from the street here, %.4f with the access leg from the point to the street",
			x.Recomputed.Street, x.Recomputed.Door))
	case x.Served != nil && x.NotRecomputed != "":
		Text(w, indent, "recomputed", "no: "+x.NotRecomputed)
	}
	for _, u := range x.Unknown {
		Text(w, indent, "unknown", u.Part+": needs "+u.Source)
	}
	Text(w, indent, "formula", x.Formula)
	if x.Worked != "" {
		Text(w, indent, "", "→ "+x.Worked)
	}
	if len(x.Constants) > 0 {
		Text(w, indent, "with", constantsText(x.Constants))
	}
	for _, remark := range x.Remarks {
		Text(w, indent, "note", remark)
	}
	printParts(w, indent, x.Parts)
	printLines(w, indent, x.Lines)
	printPlaces(w, indent, x.Places)
	printStreets(w, indent, x.Streets)
	for i := range x.Under {
		printValue(w, &x.Under[i], indent+"    ")
	}
}

func servedText(x *explain.Explanation) string {
	switch {
	case x.Served == nil:
		return "absent: " + x.Absent
	case x.Served.Rounded == nil:
		return fmt.Sprintf("%.4f", x.Served.Value)
	}
	return fmt.Sprintf("%.4f, served as %.1f: %s", x.Served.Value, *x.Served.Rounded, x.Served.Text.EN)
}

func nodeText(v *float64) string {
	if v == nil {
		return "absent"
	}
	return fmt.Sprintf("%.4f", *v)
}

func constantsText(list []explain.Constant) string {
	var texts []string
	for _, c := range list {
		text := c.Symbol + " " + c.Value
		if c.Mark != "" {
			text += " [" + c.Mark + "]"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

func named(name string) string {
	if name == "" {
		return "nameless"
	}
	return name
}

func plainWords(class string) string { return strings.ReplaceAll(class, "_", " ") }
