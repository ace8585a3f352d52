package placed

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"quartier/cmd/quartier/explained"
	"quartier/ingest"
	"quartier/ingest/recipe"
	"quartier/schemas"
)

// conclude prints what the release has of each part of the API and each score, what it is made of, and what lacks and why.
func (r *Run) conclude(m *schemas.Manifest, region *ingest.Region) error {
	table := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\n%s, as of %s\n\npart of the API\thas\tmade of\n", region.Title, m.AsOf)
	verdicts := recipe.Verdicts(recipe.ItemsOf(region))
	isScore := func(v recipe.Verdict) bool { return slices.Contains(schemas.ScoreIDs(), v.What) }
	for _, v := range verdicts {
		if !isScore(v) {
			fmt.Fprintf(table, "%s\t%s\t%s\n", v.What, parts(m, v), saying(v))
		}
	}
	fmt.Fprintf(table, "\nscore\tmedian home\tmade of\n")
	for _, v := range verdicts {
		if isScore(v) {
			fmt.Fprintf(table, "%s\t%s\t%s\n", v.What, median(m, v.What), saying(v))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(r.without) > 0 {
		fmt.Fprintf(r.Out, "\nWithout %d sources; run the command again when they can be had:\n", len(r.without))
		for _, w := range r.without {
			fmt.Fprintf(r.Out, "  %s: %v\n", w.ID, w.Err)
		}
	}
	_, err := fmt.Fprintf(r.Out, "\nThe release is in %s, and what its sources are in %s.\n", r.Release(), r.RegionFile())
	return err
}

// saying is what a verdict says of a score or part.
func saying(v recipe.Verdict) string {
	if v.Known {
		return v.Says
	}
	return "lacks: " + v.Says
}

// parts is how much the release has of a part of the API.
func parts(m *schemas.Manifest, v recipe.Verdict) string {
	var n int64
	switch v.What {
	case "geographies":
		for _, c := range m.Counts.Geographies {
			n += c.Rows
		}
	case "pois":
		n = m.Counts.POIs
	case "schools":
		n = m.Counts.Schools
	case "demographics":
		n = m.Counts.DescribedGeographies
	case "typologies":
		n = m.Counts.Typologies
	default:
		if v.Known {
			return "yes"
		}
	}
	if n == 0 {
		return "nothing"
	}
	return explained.Thousands(n)
}

// median is a score at the median home, and the share of homes without it.
func median(m *schemas.Manifest, score string) string {
	at := slices.IndexFunc(m.Spreads, func(s schemas.ScoreSpread) bool { return s.Score == score })
	if at < 0 || m.Spreads[at].Known == 0 {
		return "unknown"
	}
	s := m.Spreads[at]
	text := fmt.Sprintf("%.1f", s.P50)
	if s.Known < s.Homes {
		text += fmt.Sprintf(" (%.0f %% of homes without)", 100*(1-float64(s.Known)/float64(s.Homes)))
	}
	if s.Collapsed != "" {
		text += ", collapsed: " + s.Collapsed
	}
	return text
}
