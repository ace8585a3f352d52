package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"quartier/schemas"
)

// printSources lists the rows of every source and its issues by code.
func printSources(w io.Writer, manifest *schemas.Manifest) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nregion\tsource\tas of\trows read\tstaged\tissues\n")
	for _, s := range manifest.Sources {
		first := ""
		if len(s.Issues) > 0 {
			first = issueText(s.Issues[0])
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Region, s.ID, s.AsOf, thousands(s.RowsRead), thousands(s.RowsStaged), first)
		for i := 1; i < len(s.Issues); i++ {
			fmt.Fprintf(table, "\t\t\t\t\t%s\n", issueText(s.Issues[i]))
		}
	}
	table.Flush()
}

func issueText(issue schemas.ReleaseIssue) string {
	if issue.Example == "" {
		return fmt.Sprintf("%s %s: %s%s", thousands(issue.Rows), issue.Severity, issue.Code, detailText(issue))
	}
	return fmt.Sprintf("%s %s: %s%s (e.g. %s)", thousands(issue.Rows), issue.Severity, issue.Code, detailText(issue), shorten(issue.Example, longestExample))
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
	return fmt.Sprintf(" (%s %s, %s more)", thousands(most.Rows), most.Detail, thousands(issue.Rows-most.Rows))
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

// printRelease prints a summary of a release.
func printRelease(w io.Writer, manifest *schemas.Manifest, dir string) {
	fmt.Fprintf(w, "\nRelease %s as of %s, digest %s\n", manifest.Release, manifest.AsOf, manifest.Digest)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, count := range manifest.Counts.Geographies {
		fmt.Fprintf(table, "  level %d\t%s\tgeographies\n", count.Level, thousands(count.Rows))
	}
	fmt.Fprintf(table, "  POIs\t%s\twith %s brands and %s tags; %s records merged\n", thousands(manifest.Counts.POIs),
		thousands(manifest.Counts.Brands), thousands(manifest.Counts.Tags), thousands(manifest.Counts.MergedPOIs))
	if manifest.Counts.Schools > 0 {
		fmt.Fprintf(table, "  schools\t%s\twith %s catchments\n", thousands(manifest.Counts.Schools), thousands(manifest.Counts.Catchments))
	}
	if c := manifest.Counts; c.StreetNodes > 0 {
		fmt.Fprintf(table, "  street edges\t%s\twith %s nodes and %s destinations; scores of %s geographies, %s typologies\n", thousands(c.StreetEdges),
			thousands(c.StreetNodes), thousands(c.Destinations), thousands(c.ScoredGeographies), thousands(c.Typologies))
	}
	if c := manifest.Counts; c.SmallAreas > 0 {
		fmt.Fprintf(table, "  small areas\t%s\twith %s parts; demographics of %s geographies\n", thousands(c.SmallAreas),
			thousands(c.SmallAreaParts), thousands(c.DescribedGeographies))
	}
	for _, file := range manifest.Files {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", file.Name, bytesText(file.Bytes), file.SHA256)
	}
	table.Flush()
	for _, note := range manifest.Notes {
		fmt.Fprintf(w, "  note: %s\n", note)
	}
	fmt.Fprintf(w, "  folder: %s\n", filepath.Clean(dir))
}

// bytesText formats a size in B, kB, MB or GB.
func bytesText(n int64) string {
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

// printSteps lists the issues of the steps of transform by code, those with the most rows first.
func printSteps(w io.Writer, manifest *schemas.Manifest) {
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
			fmt.Fprintf(table, "%s\t%s: %s\n", region, issue.Step, issueText(issue.ReleaseIssue))
		}
		if rest > 0 {
			fmt.Fprintf(table, "%s\t%s for %d further codes, in the manifest\n", region, thousands(rest), len(issues)-mostCodes)
		}
	}
	table.Flush()
}
