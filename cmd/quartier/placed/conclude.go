package placed

import (
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"quartier/cmd/quartier/explained"
	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/ingest/fetch"
	"quartier/ingest/regionfile"
	"quartier/schemas"
)

// conclude prints what the release has of each part of the API and each score, what it is made of, and what lacks and why.
func (r *Run) conclude(m *schemas.Manifest, region *ingest.Region) error {
	table := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\n%s, as of %s\n\npart of the API\thas\tmade of\n", region.Title, m.AsOf)
	verdicts := regionfile.Verdicts(regionfile.ItemsOf(region))
	for _, v := range verdicts {
		if !slices.Contains(schemas.ScoreIDs(), v.What) {
			fmt.Fprintf(table, "%s\t%s\t%s\n", v.What, parts(m, v), saying(v))
		}
	}
	table.Flush()
	fmt.Fprintf(table, "\nscore\tmedian home\thomes without\tmade of\n")
	for _, v := range verdicts {
		if slices.Contains(schemas.ScoreIDs(), v.What) {
			fmt.Fprintf(table, "%s\t%s\t%s\n", v.What, median(m, v.What), saying(v))
		}
	}
	if err := errors.Join(table.Flush(), r.lacks()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(r.Out, "\nThe release is in %s, and what its sources are in %s.\n", r.Release(), r.RegionFile())
	return err
}

// lacks prints the sources that the release is without, and what to do.
func (r *Run) lacks() error {
	if len(r.without) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(r.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nThe release is without %d sources.\n", len(r.without))
	there := slices.DeleteFunc(slices.Clone(r.without), func(w Without) bool { return fileOf(w) == nil })
	if len(there) > 0 {
		fmt.Fprintf(table, "To add one, put its file under this name into %s and run the command again:\n", r.Drop)
		fmt.Fprintf(table, "source\twhy\tfile\tits page\n")
	}
	for _, w := range there {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", w.ID, w.Why, fileOf(w).DropName(), fileOf(w).Page)
	}
	table.Flush()
	for _, w := range r.without {
		if fileOf(w) == nil {
			fmt.Fprintf(table, "%s cannot be used: %s\n", w.ID, w.Why)
		}
	}
	return table.Flush()
}

// fileOf is the file of a source that was not fetched; nil if it was.
func fileOf(w Without) *fetch.File {
	var f *fetch.Failure
	if errors.As(w.Err, &f) {
		return &f.File
	}
	return nil
}

// saying is what a verdict says of a score or part.
func saying(v regionfile.Verdict) string {
	if v.Known {
		return v.Says
	}
	return "lacks: " + v.Says
}

// parts is how much the release has of a part of the API.
func parts(m *schemas.Manifest, v regionfile.Verdict) string {
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

// median is a score at the median home, and the share of homes without it and why.
func median(m *schemas.Manifest, score string) string {
	at := slices.IndexFunc(m.Spreads, func(s schemas.ScoreSpread) bool { return s.Score == score })
	if at < 0 {
		return "-\tall: no source has streets"
	}
	s := &m.Spreads[at]
	text := "-"
	if s.Known > 0 {
		text = fmt.Sprintf("%.1f", s.P50)
	}
	text += "\t" + summary.Absence(m, s)
	if s.Collapsed != "" {
		text += "; collapsed: " + s.Collapsed
	}
	return text
}
