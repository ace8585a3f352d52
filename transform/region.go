// Package transform turns the staged tables of a region into derived ones: outlines become geographies with parents,
// areas and points inside; POI records become POIs with categories, brands and tags, each place once.
// One staged DuckDB file goes in, one derived DuckDB file comes out; nothing else is read or written.
package transform

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/transform/geography"
	"quartier/transform/issue"
)

// Report says what became of the staged rows.
type Report struct {
	Boundaries  int // read
	Geographies int // written
	ByLevel     map[schemas.Level]int
	Issues      []issue.Issue
}

// Region reads the staged database at stagedPath and writes a new derived database at derivedPath. The same staged
// rows give the same derived rows in the same order. It fails where derivedPath exists, and leaves no file behind
// when it fails. log hears of the steps and of every issue; nil is silence.
func Region(ctx context.Context, stagedPath, derivedPath string, log *slog.Logger) (report Report, err error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	staged, err := duck.Open(stagedPath)
	if err != nil {
		return Report{}, fmt.Errorf("transform %s: %w", stagedPath, err)
	}
	defer staged.Close()
	derived, err := duck.Create(derivedPath, schemas.Derived)
	if err != nil {
		return Report{}, fmt.Errorf("transform %s: %w", stagedPath, err)
	}
	defer func() {
		if cerr := derived.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			os.Remove(derivedPath)
			os.Remove(derivedPath + ".wal")
			err = fmt.Errorf("transform %s: %w", stagedPath, err)
		}
	}()
	return derive(ctx, staged, derived, log)
}

func derive(ctx context.Context, staged, derived *duck.DB, log *slog.Logger) (Report, error) {
	boundaries, extents, err := geography.Read(ctx, staged)
	if err != nil {
		return Report{}, err
	}
	result, err := geography.Derive(ctx, boundaries, extents)
	if err != nil {
		return Report{}, err
	}
	if err := geography.Write(ctx, derived, result); err != nil {
		return Report{}, err
	}
	report := Report{Boundaries: len(boundaries), Geographies: len(result.Geographies), ByLevel: map[schemas.Level]int{}}
	for _, g := range result.Geographies {
		report.ByLevel[g.Level]++
	}
	report.Issues = result.Issues
	log.Info("geographies", "outlines", report.Boundaries, "geographies", report.Geographies)
	return report, writeIssues(ctx, derived, report.Issues, log)
}

func writeIssues(ctx context.Context, derived *duck.DB, issues []issue.Issue, log *slog.Logger) error {
	rows, err := derived.Append(ctx, "transform_issue")
	if err != nil {
		return err
	}
	for _, i := range issues {
		log.Warn("left out", "step", i.Step, "reason", i.Reason, "rows", i.Rows, "example", i.Example)
		if err := rows.Row(i.Step, i.Reason, i.Rows, i.Example); err != nil {
			rows.Close()
			return err
		}
	}
	return rows.Close()
}
