package summary

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"quartier/cmd/quartier/explained"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// Survey prints the tables of a survey in Markdown.
func Survey(w io.Writer, m *schemas.Manifest) {
	t := surveyTables{w: w, m: m, spreads: map[[2]string]*schemas.ScoreSpread{}, classes: map[[2]string]*schemas.RegionClass{}}
	for i := range m.Spreads {
		s := &m.Spreads[i]
		if s.Score == schemas.Scores[0].ID {
			t.regions = append(t.regions, s.Region)
		}
		t.spreads[[2]string{s.Region, s.Score}] = s
	}
	for i := range m.Classes {
		t.classes[[2]string{m.Classes[i].Region, m.Classes[i].Class}] = &m.Classes[i]
	}
	t.spread()
	t.collapsed()
	t.absent()
	t.agreements()
	t.known()
}

// surveyTables prints tables with a column for each region.
type surveyTables struct {
	w       io.Writer
	m       *schemas.Manifest
	regions []string // with spreads
	spreads map[[2]string]*schemas.ScoreSpread
	classes map[[2]string]*schemas.RegionClass
}

// table prints a table with a row for each name; cell is of a row and a region.
func (t *surveyTables) table(title, corner string, names []string, cell func(name, region string) string) {
	fmt.Fprintf(t.w, "### %s\n\n| %s | %s |\n| --- |%s\n", title, corner, strings.Join(t.regions, " | "),
		strings.Repeat(" --- |", len(t.regions)))
	for _, name := range names {
		fmt.Fprintf(t.w, "| %s |", name)
		for _, region := range t.regions {
			fmt.Fprintf(t.w, " %s |", cell(name, region))
		}
		fmt.Fprintln(t.w)
	}
	fmt.Fprintln(t.w)
}

func (t *surveyTables) spread() {
	t.table("Spread: 10th, 50th and 90th percentile of homes", "score", append(schemas.ScoreIDs(), "homes"),
		func(score, region string) string {
			if score == "homes" {
				return explained.Thousands(t.spreads[[2]string{region, schemas.Scores[0].ID}].Homes)
			}
			s := t.spreads[[2]string{region, score}]
			if s.Known == 0 {
				return "–"
			}
			return fmt.Sprintf("%.1f · %.1f · %.1f", s.P10, s.P50, s.P90)
		})
}

// collapsed lists the collapsed scales.
func (t *surveyTables) collapsed() {
	fmt.Fprintf(t.w, "### Collapsed scales\n\n| region | score | why | accepted |\n| --- | --- | --- | --- |\n")
	for _, s := range t.m.Spreads {
		if s.Collapsed != "" {
			fmt.Fprintf(t.w, "| %s | %s | %s | %s |\n", s.Region, s.Score, s.Collapsed, orNo(s.Accepted))
		}
	}
	fmt.Fprintln(t.w)
}

// orNo is why something is accepted.
func orNo(reason string) string {
	if reason == "" {
		return "**no**"
	}
	return "yes: " + reason
}

// absent prints the share of homes without each score, and why.
func (t *surveyTables) absent() {
	t.table("Homes without a score", "score", schemas.ScoreIDs(), func(score, region string) string {
		return Absence(t.m, t.spreads[[2]string{region, score}])
	})
}

// Absence is the share of the homes of a region that have not a score, and why: "98 %: too little is mapped there", or "0 %".
func Absence(m *schemas.Manifest, s *schemas.ScoreSpread) string {
	if s.Known == s.Homes {
		return "0 %"
	}
	share := fmt.Sprintf("%.0f %%", 100*(1-float64(s.Known)/float64(s.Homes)))
	c := calibration.Standard()
	var unknown []string
	for _, class := range rating.ClassesOf(s.Score, c) {
		if slices.ContainsFunc(m.Classes, func(v schemas.RegionClass) bool {
			return v.Region == s.Region && v.Class == class && !v.Verdict.Known()
		}) {
			unknown = append(unknown, strings.ReplaceAll(class, "_", " "))
		}
	}
	switch {
	case s.Known > 0:
		return share + ": " + partly(s.Score, c)
	case unknown == nil:
		return share + ": no source has its data"
	}
	return share + ": unknown " + strings.Join(unknown, ", ")
}

// partly is why a score is absent at some homes of a region and not at others.
func partly(score string, c *calibration.Calibration) string {
	switch {
	case score == "greenery" || score == "historic":
		return "too little is mapped there"
	case score == rating.AllTransit:
		return "stops, lines or streets end there"
	case score == "car_friendly" || score == "wellness" || score != "quiet" && rating.ClassesOf(score, c) != nil:
		return "places or streets end there"
	}
	return "streets end there"
}

// agreements prints how far channels agree that must.
func (t *surveyTables) agreements() {
	var pairs []string
	by := map[[2]string]*schemas.Agreement{}
	for i := range t.m.Agreements {
		a := &t.m.Agreements[i]
		if !slices.Contains(pairs, a.Pair()) {
			pairs = append(pairs, a.Pair())
		}
		by[[2]string{a.Region, a.Pair()}] = a
	}
	t.table("Rank agreement over homes, and its minimum", "pair", pairs, func(pair, region string) string {
		a := by[[2]string{region, pair}]
		switch {
		case a == nil:
			return "–"
		case !a.Judged:
			return fmt.Sprintf("%.2f (too few homes)", a.Rank)
		case a.Rank >= a.Least:
			return fmt.Sprintf("%.2f ≥ %.2f", a.Rank, a.Least)
		}
		return fmt.Sprintf("%.2f < %.2f, accepted %s", a.Rank, a.Least, orNo(a.Accepted))
	})
}

// known prints the rates of classes of places and what is unknown.
func (t *surveyTables) known() {
	t.table("Places per 1,000 people, the usual rate, and whether the class is known", "class", append(slices.Clone(schemas.KnownClasses),
		"people"), func(class, region string) string {
		if class == "people" {
			c := t.classes[[2]string{region, schemas.RatedClasses[0]}]
			if c.Counted {
				return explained.Thousands(c.People)
			}
			return explained.Thousands(c.People) + " by streets"
		}
		c := t.classes[[2]string{region, class}]
		if slices.Contains(schemas.HeardClasses, class) {
			return strings.TrimSuffix(fmt.Sprintf("%s: %s; quiet without it: %s", explained.Thousands(c.Places), c.Verdict, c.Accepted),
				"; quiet without it: ")
		}
		return fmt.Sprintf("%s: %.3g of %.3g, %s", explained.Thousands(c.Places), c.Rate, c.Usual, c.Verdict)
	})
	for _, v := range schemas.ClassVerdicts {
		known := "known"
		if !v.Known {
			known = "unknown"
		}
		fmt.Fprintf(t.w, "- %s (%s): %s\n", v.Verdict, known, v.Meaning)
	}
}
