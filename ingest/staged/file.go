// Package staged writes staged.duckdb, the file between ingest and transform: rows come in from the readers through
// source.Sink, are checked against what must hold for every source, mended or counted by reason, and go out to the
// tables of schemas.Staged. Which rows are staged depends on the sources and their order alone.
package staged

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/internal/spatialite"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// DefaultMaxRejected is the share of a source's rows that may be rejected before the source as a whole is refused.
const DefaultMaxRejected = 0.2

// Source is one line of staged.source, as far as it is known before the source is read.
type Source struct {
	ID          string // unique inside the region
	Priority    int    // place in the region file, 0 first
	Kind        string
	Path        string // base name of the file
	SHA256      string // lower-case hex
	Bytes       int64
	AsOf        string // YYYY-MM-DD
	Licence     string
	Attribution string
	URL         string   // "" where it was not published at an address
	MaxRejected *float64 // share, 0 to 1, of rows that may be rejected; nil is DefaultMaxRejected
}

// Summary is what became of a source's rows.
type Summary struct {
	Read, Staged int64
	Issues       []Issue // by severity, code and detail
}

// Issue is one line of staged.source_issue.
type Issue struct {
	reason.Reason
	Rows    int64
	Example string // the first of the rows or features
}

// Rejected counts the rows that were not staged because of a fault.
func (s Summary) Rejected() int64 {
	var n int64
	for _, issue := range s.Issues {
		if issue.Severity == source.Rejected {
			n += issue.Rows
		}
	}
	return n
}

// File is a staged file that is being written. Sources are staged one after the other, in the order of the region
// file, because of two boundaries with the same key the first one stays.
type File struct {
	db         *duck.DB
	kernel     *spatialite.Kernel
	boundaries keySet // of all sources
}

// Create makes a new staged file at path; it fails where the file exists. It wraps spatialite.ErrUnavailable where
// mod_spatialite, which mends polygons, is not installed.
func Create(path string) (*File, error) {
	kernel, err := spatialite.NewKernel()
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	db, err := duck.Create(path, schemas.Staged)
	if err != nil {
		kernel.Close()
		return nil, err
	}
	return &File{db: db, kernel: kernel, boundaries: keySet{}}, nil
}

// DB is the database being written, for looking at what is there.
func (f *File) DB() *duck.DB { return f.db }

// Close finishes the file.
func (f *File) Close() error {
	err := f.db.Close()
	if kerr := f.kernel.Close(); err == nil {
		err = kerr
	}
	return err
}

// Stage runs read with a sink for one source and then writes the source's own line and its issues. The error is
// read's, or the sink's (disk full, ctx cancelled), or says that too many rows were rejected; after an error the file
// holds part of a source and is to be thrown away.
func (f *File) Stage(ctx context.Context, src Source, read func(source.Sink) error) (Summary, error) {
	if err := src.check(); err != nil {
		return Summary{}, err
	}
	s := &sink{ctx: ctx, file: f, source: src, issues: map[reason.Reason]*Issue{}, pois: keySet{}, rules: keySet{}, keys: map[string]keySet{}, areas: map[string]*cellSet{}}
	err := read(s)
	if err == nil {
		err = s.failed
	}
	if cerr := s.close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = ctx.Err()
	}
	summary := s.summary()
	if err != nil {
		return summary, err
	}
	if err := src.judge(summary); err != nil {
		return summary, err
	}
	return summary, f.record(ctx, src, summary)
}

// check holds a source to the columns that staged.source wants.
func (src Source) check() error {
	for _, field := range []struct{ name, value string }{
		{"id", src.ID}, {"kind", src.Kind}, {"path", src.Path}, {"sha256", src.SHA256},
		{"as_of", src.AsOf}, {"licence", src.Licence}, {"attribution", src.Attribution},
	} {
		if strings.TrimSpace(field.value) == "" {
			return fmt.Errorf("source %q has no %s", src.ID, field.name)
		}
	}
	if share := src.MaxRejected; share != nil && !(*share >= 0 && *share <= 1) {
		return fmt.Errorf("source %s: the share of rejected rows must be 0 to 1, not %v", src.ID, *share)
	}
	return nil
}

// judge refuses a source of which too much was rejected: of the rows read, as one of them may be staged as many, or of
// those staged where the reader counts none.
func (src Source) judge(s Summary) error {
	limit := DefaultMaxRejected
	if src.MaxRejected != nil {
		limit = *src.MaxRejected
	}
	rejected := s.Rejected()
	total := max(s.Read, rejected)
	if s.Read == 0 {
		total = s.Staged + rejected
	}
	if rejected == 0 || float64(rejected) <= limit*float64(total) {
		return nil
	}
	return &TooManyRejected{Source: src.ID, Path: src.Path, Rejected: rejected, Total: total, Limit: limit, Issues: s.Issues}
}

// TooManyRejected refuses a source as a whole. It is a source.ErrTooManyRejects.
type TooManyRejected struct {
	Source, Path    string
	Rejected, Total int64
	Limit           float64 // share
	Issues          []Issue
}

// Unwrap is source.ErrTooManyRejects.
func (e *TooManyRejected) Unwrap() error { return source.ErrTooManyRejects }

// Error names the source, the file, the share and the reasons.
func (e *TooManyRejected) Error() string {
	var reasons []string
	for _, issue := range e.Issues {
		if issue.Severity == source.Rejected {
			reasons = append(reasons, fmt.Sprintf("%d× %s (%s First: %s)", issue.Rows, issue.Reason, issue.Description, issue.Example))
		}
	}
	return fmt.Sprintf("source %s, file %s: %d of %d rows rejected, more than the %.4g %% allowed: %s",
		e.Source, e.Path, e.Rejected, e.Total, 100*e.Limit, strings.Join(reasons, "; "))
}

// record writes the source's own lines.
func (f *File) record(ctx context.Context, src Source, s Summary) error {
	_, err := f.db.ExecContext(ctx, "INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		src.ID, src.Priority, src.Kind, src.Path, src.SHA256, src.Bytes, src.AsOf, src.Licence, src.Attribution,
		duck.Null(src.URL), s.Read, s.Staged)
	if err != nil {
		return fmt.Errorf("record source %s: %w", src.ID, err)
	}
	for _, issue := range s.Issues {
		_, err := f.db.ExecContext(ctx, "INSERT INTO source_issue VALUES (?, ?, ?, ?, ?, ?, ?)",
			src.ID, string(issue.Severity), issue.Code, issue.Detail, issue.Description, issue.Rows, issue.Example)
		if err != nil {
			return fmt.Errorf("record issue %s of source %s: %w", issue.Reason, src.ID, err)
		}
	}
	return nil
}

// sorted returns the issues by severity, code and detail.
func sorted(issues map[reason.Reason]*Issue) []Issue {
	list := make([]Issue, 0, len(issues))
	for _, issue := range issues {
		list = append(list, *issue)
	}
	slices.SortFunc(list, func(a, b Issue) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	return list
}
