package explained

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"quartier/build/explain"
)

// Geography prints a geography with its names and their sources.
func Geography(w io.Writer, g *explain.Geography) {
	fmt.Fprintf(w, "%s  %s, level %d\n", g.GeogID, strings.Join(distinct(g.NameEN, g.NameFR), " / "), g.Level)
	people := "population not known"
	if g.Population != nil {
		people = Thousands(*g.Population) + " people"
	}
	Text(w, "", "outline", fmt.Sprintf("%s of source %s in region %s; %s; %s", g.SourceKey, g.SourceID, g.Region,
		cmp.Or(g.States, "no state"), people))
	if m := g.Match; m != nil {
		text := fmt.Sprintf("%q (%s): %s", m.Name, m.Which, m.How)
		if m.Name == "" {
			text = m.How
		}
		if m.Errors > 0 {
			text += fmt.Sprintf(", %d", m.Errors)
		}
		Text(w, "", "found by", text)
	}
	title := "also"
	for _, n := range g.Further {
		kind := n.Kind
		if n.Language != "" {
			kind += ", " + n.Language
		}
		Text(w, "", title, fmt.Sprintf("%s (%s; source %s of %s)", n.Name, kind, n.SourceID, n.Region))
		title = ""
	}
	fmt.Fprintln(w)
}

// distinct is two texts, or one where they are equal.
func distinct(a, b string) []string {
	if a == b {
		return []string{a}
	}
	return []string{a, b}
}
