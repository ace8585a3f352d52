// Package staging writes staged.duckdb, the file between ingest and transform. Readers pass it rows through
// source.Sink. It checks them by rules that apply to every source, repairs or rejects and counts those with a fault, and
// writes the others to the tables of schemas.Staged. The rows depend on the sources and their order only.
package staging

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/source"
	"quartier/internal/duck"
	_ "quartier/internal/duck/driver"
	"quartier/internal/spatialite"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
)

// DefaultMaxRejected is the share of rejected rows above which a source is refused.
const DefaultMaxRejected = 0.2

// DefaultMaxUnknown is the share of places with a category that is not in its publisher's list, above which a source is
// refused: its vocabulary has changed, and the places of whole classes would be missing.
const DefaultMaxUnknown = 0.02

// Source is a row of staged.source, except for the counts of rows.
type Source struct {
	staged.Source
	Complete    []string // classes of schemas.RatedClasses of which it has all
	Lacks       []string // classes of which it lacks some
	MaxRejected *float64 // share of rejected rows, 0 to 1, above which the source is refused; nil: DefaultMaxRejected
	MaxUnknown  *float64 // share of places with an unknown category, 0 to 1, above which it is refused; nil: DefaultMaxUnknown
}

// Summary counts the rows of a source.
type Summary struct {
	Read, Staged int64
	Issues       []Issue // by severity, code and detail
	Where        source.Whereabouts
}

// Issue becomes a row of staged.source_issue.
type Issue struct {
	reason.Reason
	Rows    int64
	Example string // the first of these rows or features
}

// Rejected counts the rows that were rejected.
func (s Summary) Rejected() int64 {
	var n int64
	for _, issue := range s.Issues {
		if issue.Severity == reason.Rejected {
			n += issue.Rows
		}
	}
	return n
}

// File is a staged file that is being written. Sources are staged one after another in the order of the region file: of
// two boundaries with the same key the first one is kept.
type File struct {
	db         *duck.DB
	kernel     *spatialite.Kernel
	boundaries keySet // of all sources

	covered, bounded map[string]bool // codes of the states with coverage, of those with boundaries
	outlined         map[string]bool // states whose outline a source has, by their two letters
}

// databaseMemory is what the staged database keeps in memory at most.
const databaseMemory = "512MB"

// Create creates a staged file at path; it fails if the file exists. The error wraps spatialite.ErrUnavailable if
// mod_spatialite, which repairs polygons, is not installed.
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
	if err := db.Limit(context.Background(), databaseMemory, path+".tmp"); err != nil {
		db.Close()
		kernel.Close()
		return nil, err
	}
	return &File{db: db, kernel: kernel, boundaries: keySet{}, covered: map[string]bool{}, bounded: map[string]bool{},
		outlined: map[string]bool{}}, nil
}

// DB returns the database that is being written, for queries.
func (f *File) DB() *duck.DB { return f.db }

// Close finishes the file.
func (f *File) Close() error {
	err := f.db.Close()
	if kerr := f.kernel.Close(); err == nil {
		err = kerr
	}
	return err
}

// Stage calls read with the sink of one source and then writes the row of the source and its issues. The error is that
// of read or of the sink (disk full, ctx cancelled), a TooManyRejected or a source.ErrUnknownCategories; after an error the
// file is incomplete and of no use.
func (f *File) Stage(ctx context.Context, src Source, read func(source.Sink) error) (Summary, error) {
	if err := src.check(); err != nil {
		return Summary{}, err
	}
	s := &sink{
		file: f, source: src.SourceID, cancelled: ctx.Err, writers: map[string]io.Closer{},
		parts: map[string]*tally{}, tables: map[string]*tally{},
		issues: map[reason.Reason]*Issue{}, keys: map[string]keySet{}, cells: map[string]*cellSet{},
	}
	s.Part("")
	err := read(s)
	if err == nil {
		err = s.failed
	}
	if err == nil {
		err = s.writeCoverage(ctx)
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
	if err := src.checkRejected(summary, s.allParts(), s.misplaced.Hint()); err != nil {
		return summary, err
	}
	if err := src.checkUnknown(s); err != nil {
		return summary, err
	}
	return summary, f.record(ctx, src, summary)
}

// check returns an error if a required column of staged.source is empty.
func (src Source) check() error {
	for _, field := range []struct{ name, value string }{
		{"id", src.SourceID}, {"kind", src.Kind}, {"path", src.Path}, {"sha256", src.SHA256},
		{"as_of", src.AsOf}, {"licence", src.Licence}, {"attribution", src.Attribution},
	} {
		if strings.TrimSpace(field.value) == "" {
			return fmt.Errorf("source %q has no %s", src.SourceID, field.name)
		}
	}
	for _, share := range []*float64{src.MaxRejected, src.MaxUnknown} {
		if share != nil && !(*share >= 0 && *share <= 1) {
			return fmt.Errorf("source %s: the share of rejected rows or of unknown categories must be 0 to 1, not %v", src.SourceID, *share)
		}
	}
	return nil
}

// checkRejected returns a TooManyRejected if the share of rejected rows is above the limit in a part of the source, or of
// the rows of one type: a feed of which all trips are rejected has far more stop times than trips. It returns an
// ErrNothingLeft if no row is staged. hint ends the message.
func (src Source) checkRejected(s Summary, parts []part, hint string) error {
	limit := orDefault(src.MaxRejected, DefaultMaxRejected)
	for _, part := range parts {
		if part.rejected > 0 && float64(part.rejected) > limit*float64(part.total()) {
			return &TooManyRejected{Source: src.SourceID, Path: src.Path, Part: part.name, Rejected: part.rejected, Total: part.total(),
				Limit:  limit,
				Issues: sorted(part.reasons), hint: hint}
		}
	}
	if s.Staged > 0 {
		return nil
	}
	why := ""
	if len(s.Issues) > 0 {
		why = ": " + reasonsText(s.Issues)
	}
	return fmt.Errorf("%w %s, file %s: none of its %d rows is staged%s%s", source.ErrNothingLeft, src.SourceID, src.Path, s.Read, why, hint)
}

func orDefault(share *float64, otherwise float64) float64 {
	if share == nil {
		return otherwise
	}
	return *share
}

// checkUnknown returns a source.ErrUnknownCategories, with the categories by their number of places, if the share of
// places with a category that is in no list is above the limit.
func (src Source) checkUnknown(s *sink) error {
	limit := orDefault(src.MaxUnknown, DefaultMaxUnknown)
	if float64(s.unknown) <= limit*float64(s.listed) {
		return nil
	}
	list := slices.DeleteFunc(sorted(s.issues), func(i Issue) bool { return i.Code != categoryNotListed.Code })
	slices.SortStableFunc(list, func(a, b Issue) int { return cmp.Compare(b.Rows, a.Rows) })
	var texts []string
	for _, i := range list[:min(len(list), 20)] {
		texts = append(texts, fmt.Sprintf("%d× %s", i.Rows, cmp.Or(i.Detail, "others")))
	}
	if more := len(list) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("source %s, file %s: %w: %d of %d, more than the %.4g %% allowed: %s (first: %s)",
		src.SourceID, src.Path, source.ErrUnknownCategories, s.unknown, s.listed, 100*limit, strings.Join(texts, ", "), list[0].Example)
}

// TooManyRejected is the error of a source that is refused. It is a source.ErrTooManyRejects.
type TooManyRejected struct {
	Source, Path    string
	Part            string // file or type of rows; "": the source has one part
	Rejected, Total int64
	Limit           float64 // share
	Issues          []Issue // of the part, rejected rows only
	hint            string
}

// Unwrap returns source.ErrTooManyRejects.
func (e *TooManyRejected) Unwrap() error { return source.ErrTooManyRejects }

// Error names the source, the file, the share and the reasons.
func (e *TooManyRejected) Error() string {
	part := ""
	if e.Part != "" {
		part = ", " + e.Part
	}
	return fmt.Sprintf("source %s, file %s%s: %d of %d rows rejected, more than the %.4g %% allowed: %s%s",
		e.Source, e.Path, part, e.Rejected, e.Total, 100*e.Limit, reasonsText(e.Issues), e.hint)
}

// reasonsText lists issues for a message, those with the most rows first.
func reasonsText(issues []Issue) string {
	issues = slices.Clone(issues)
	slices.SortStableFunc(issues, func(a, b Issue) int { return cmp.Compare(b.Rows, a.Rows) })
	var texts []string
	for _, issue := range issues {
		texts = append(texts, fmt.Sprintf("%d× %s (%s First: %s)", issue.Rows, issue.Reason, issue.Description, issue.Example))
	}
	return strings.Join(texts, "; ")
}

// QuietWithout writes why the region file accepts the score quiet without a class of schemas.HeardClasses, by class.
func (f *File) QuietWithout(ctx context.Context, why map[string]string) error {
	var rows []staged.QuietWithout
	for _, class := range slices.Sorted(maps.Keys(why)) {
		rows = append(rows, staged.QuietWithout{Class: class, Why: why[class]})
	}
	return sqlrow.Insert(ctx, f.db, "quiet_without", rows...)
}

// record writes the rows of the source and of its issues.
func (f *File) record(ctx context.Context, src Source, s Summary) error {
	src.RowsRead, src.RowsStaged = s.Read, s.Staged
	var declared []staged.DeclaredClass
	for _, class := range src.Complete {
		declared = append(declared, staged.DeclaredClass{SourceID: src.SourceID, Class: class, Complete: true})
	}
	for _, class := range src.Lacks {
		declared = append(declared, staged.DeclaredClass{SourceID: src.SourceID, Class: class})
	}
	if err := sqlrow.Insert(ctx, f.db, "declared_class", declared...); err != nil {
		return err
	}
	if err := sqlrow.Insert(ctx, f.db, "source", src.Source); err != nil {
		return fmt.Errorf("record source %s: %w", src.SourceID, err)
	}
	var issues []staged.Issue
	for _, i := range s.Issues {
		issues = append(issues, staged.Issue{
			SourceID: src.SourceID, Severity: string(i.Severity), Code: i.Code, Detail: i.Detail, Description: i.Description,
			Rows: i.Rows, Example: i.Example,
		})
	}
	if err := sqlrow.Insert(ctx, f.db, "source_issue", issues...); err != nil {
		return fmt.Errorf("record issues of source %s: %w", src.SourceID, err)
	}
	return nil
}

// Extent records the extent of a source.
func (f *File) Extent(ctx context.Context, rows []staged.Extent) error {
	return sqlrow.Insert(ctx, f.db, "extent", rows...)
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
