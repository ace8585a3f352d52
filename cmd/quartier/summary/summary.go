// Package summary prints for people what a build made, tables of sources, of steps and of a release, general updates, and the
// tables of surveys of scores and texts.
package summary

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"quartier/cmd/quartier/explained"
	"quartier/schemas"
)

// Sources lists the rows of every source and its issues by code.
func Sources(w io.Writer, manifest *schemas.Manifest) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nregion\tsource\tas of\trows read\tstaged\tissues\n")
	for _, s := range manifest.Sources {
		first := ""
		if len(s.Issues) > 0 {
			first = Issue(s.Issues[0])
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Region, s.ID, s.AsOf, explained.Thousands(s.RowsRead), explained.Thousands(s.RowsStaged),
			first)
		for i := 1; i < len(s.Issues); i++ {
			fmt.Fprintf(table, "\t\t\t\t\t%s\n", Issue(s.Issues[i]))
		}
	}
	table.Flush()
}

// Issue is an issue in words, with its number of rows and an example.
func Issue(issue schemas.ReleaseIssue) string {
	if issue.Example == "" {
		return fmt.Sprintf("%s %s: %s%s", explained.Thousands(issue.Rows), issue.Severity, issue.Code, detailText(issue))
	}
	return fmt.Sprintf("%s %s: %s%s (e.g. %s)", explained.Thousands(issue.Rows), issue.Severity, issue.Code, detailText(issue),
		shorten(issue.Example, longestExample))
}

// detailText names the detail with the most rows: " (7 amenity=bench, 12 more)".
func detailText(issue schemas.ReleaseIssue) string {
	if len(issue.Details) == 0 {
		return ""
	}
	most := slices.MaxFunc(issue.Details, func(a, b schemas.IssueDetail) int { return cmp.Compare(a.Rows, b.Rows) })
	if len(issue.Details) == 1 && most.Rows == issue.Rows {
		return " (" + most.Detail + ")"
	}
	return fmt.Sprintf(" (%s %s, %s more)", explained.Thousands(most.Rows), most.Detail, explained.Thousands(issue.Rows-most.Rows))
}

// longestExample is the number of characters of an example that the closing tables show: a file, its line and a key fit.
const longestExample = 80

func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// Release prints a summary of a release.
func Release(w io.Writer, manifest *schemas.Manifest, dir string) {
	fmt.Fprintf(w, "\nRelease %s as of %s, digest %s\n", manifest.Release, manifest.AsOf, manifest.Digest)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, count := range manifest.Counts.Geographies {
		fmt.Fprintf(table, "  level %d\t%s\tgeographies\n", count.Level, explained.Thousands(count.Rows))
	}
	fmt.Fprintf(table, "  POIs\t%s\twith %s brands and %s tags; %s records merged\n", explained.Thousands(manifest.Counts.POIs),
		explained.Thousands(manifest.Counts.Brands), explained.Thousands(manifest.Counts.Tags), explained.Thousands(manifest.Counts.MergedPOIs))
	if manifest.Counts.Schools > 0 {
		fmt.Fprintf(table, "  schools\t%s\twith %s catchments\n", explained.Thousands(manifest.Counts.Schools),
			explained.Thousands(manifest.Counts.Catchments))
	}
	if c := manifest.Counts; c.StreetNodes > 0 {
		fmt.Fprintf(table, "  street edges\t%s\twith %s nodes and %s destinations; scores of %s geographies, %s typologies\n",
			explained.Thousands(c.StreetEdges),
			explained.Thousands(c.StreetNodes), explained.Thousands(c.Destinations), explained.Thousands(c.ScoredGeographies),
			explained.Thousands(c.Typologies))
	}
	if c := manifest.Counts; c.SmallAreas > 0 {
		fmt.Fprintf(table, "  small areas\t%s\twith %s parts; demographics of %s geographies\n", explained.Thousands(c.SmallAreas),
			explained.Thousands(c.SmallAreaParts), explained.Thousands(c.DescribedGeographies))
	}
	for _, file := range manifest.Files {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", file.Name, Bytes(file.Bytes), file.SHA256)
	}
	table.Flush()
	for _, note := range manifest.Notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	fmt.Fprintf(w, "  folder: %s\n", filepath.Clean(dir))
}

// Bytes formats a size in B, kB, MB or GB.
func Bytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.0f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

// mostCodes is how many reason codes of a region the closing table lists; the manifest has all.
const mostCodes = 6

// Steps lists the issues of the steps of transform by code, those with the most rows first.
func Steps(w io.Writer, manifest *schemas.Manifest) {
	if len(manifest.Steps) == 0 {
		return
	}
	byRegion := map[string][]schemas.StepIssue{}
	for _, issue := range manifest.Steps {
		byRegion[issue.Region] = append(byRegion[issue.Region], issue)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nregion\tstaged rows that were skipped or repaired\n")
	for _, region := range manifest.Regions {
		issues := byRegion[region]
		slices.SortStableFunc(issues, func(a, b schemas.StepIssue) int { return cmp.Compare(b.Rows, a.Rows) })
		var rest int64
		for i, issue := range issues {
			if i >= mostCodes {
				rest += issue.Rows
				continue
			}
			fmt.Fprintf(table, "%s\t%s: %s\n", region, issue.Step, Issue(issue.ReleaseIssue))
		}
		if rest > 0 {
			fmt.Fprintf(table, "%s\t%s for %d further codes, in the manifest\n", region, explained.Thousands(rest), len(issues)-mostCodes)
		}
	}
	table.Flush()
}

// Private prints a summary of a component private: counts, and the ids of requests that cannot be built.
func Private(w io.Writer, m *schemas.PrivateManifest, outcomes *schemas.Outcomes, dir string) error {
	fmt.Fprintf(w, "\nCustom geographies of general update %d as of %s, digest %s\n", m.Update, m.AsOf, m.Digest)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	c := &m.Counts
	fmt.Fprintf(table, "  current\t%s\tof customers: %s, superseded: %s, deprecated: %s\n", explained.Thousands(c.Geographies),
		explained.Thousands(c.Customers), explained.Thousands(c.Superseded), explained.Thousands(c.Deprecated))
	fmt.Fprintf(table, "  with scores\t%s\twith demographics: %s, with profiles: %s\n", explained.Thousands(c.ScoredGeographies),
		explained.Thousands(c.DescribedGeographies), explained.Thousands(c.Profiles))
	for _, file := range m.Files {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", file.Name, Bytes(file.Bytes), file.SHA256)
	}
	table.Flush()
	for _, o := range outcomes.Outcomes {
		if o.Problem != "" {
			fmt.Fprintf(w, "  not built: %s; %s says why\n", o.ID, schemas.OutcomesFile)
		}
	}
	for _, note := range m.Notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	_, err := fmt.Fprintf(w, "  beside the release %s\n  folder: %s\n", m.Places, filepath.Clean(dir))
	return err
}
