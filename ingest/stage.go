package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
	"quartier/ingest/staging"
	"quartier/schemas/staged"
)

// ErrInputChanged is the error of a file whose SHA-256 differs from that in the region file.
var ErrInputChanged = errors.New("input changed")

// ErrMissing is the error of a file or folder of a source that does not exist.
var ErrMissing = errors.New("missing file")

// missing wraps the error of a file that does not exist in ErrMissing.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrMissing) {
		return fmt.Errorf("%w: %w", ErrMissing, err)
	}
	return err
}

// Stage reads every source of a region, in the order of the region file, and writes a new staged file at path. planned has
// the snapshots of the sources, in their order; the error wraps ErrChangedMeanwhile where files have changed since, before
// or while they were read. An error names the source and the file; the staged file is then incomplete.
func Stage(ctx context.Context, region *Region, planned []Snapshot, path string, log *slog.Logger) error {
	file, err := staging.Create(path)
	if err != nil {
		return err
	}
	for priority := range region.Sources {
		if err := stageSource(ctx, region, priority, planned[priority], file, log); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	err = errors.Join(file.QuietWithout(ctx, region.QuietWithout), file.Finish(ctx, len(region.Sources)))
	return errors.Join(err, file.Close())
}

func stageSource(ctx context.Context, region *Region, priority int, planned Snapshot, file *staging.File, log *slog.Logger) error {
	s := &region.Sources[priority]
	begun := time.Now()
	kind, known := KindOf(s.Kind)
	if !known {
		return fmt.Errorf("%w: source %s: unknown kind %q", ErrBadRegion, s.ID, s.Kind)
	}
	row := staging.Source{
		Source: staged.Source{
			SourceID: s.ID, Priority: int32(priority), Kind: s.Kind, Path: filepath.Base(s.Path), SHA256: planned.SHA256, Bytes: planned.Bytes,
			AsOf: s.AsOf, Licence: s.Licence, Attribution: s.Attribution, URL: source.PublicURL(s.URL),
		},
		MaxRejected: s.MaxRejected, MaxUnknown: s.MaxUnknown, Complete: s.Complete, Lacks: s.Lacks,
	}
	if streets, has := kind.(source.Streets); has {
		row.NoFootpaths = !streets.Footpaths(s.input(region))
	}
	log.Info("reading", "source", s.ID, "file", row.Path, "bytes", planned.Bytes)
	summary, err := file.Stage(ctx, row, func(sink source.Sink) error {
		counted := &progressSink{Sink: sink, log: log.With("source", s.ID), last: begun}
		return missing(kind.Stage(ctx, s.input(region), counted))
	})
	if ctx.Err() == nil { // what was wrong with a file that changed need not be so the next time
		if changed := planned.check(ctx, s.Path); changed != nil {
			return fmt.Errorf("source %s: %w", s.ID, changed)
		}
	}
	if outside := summary.Where.Err(); outside != nil {
		return fmt.Errorf("source %s (%s): %w", s.ID, s.Path, outside)
	}
	if err != nil {
		for _, issue := range summary.Issues {
			log.Warn("rows with issues", "source", s.ID, "severity", string(issue.Severity), "reason", issue.Reason.String(), "rows", issue.Rows,
				"example", issue.Example)
		}
		return fmt.Errorf("source %s (%s): %w", s.ID, s.Path, err)
	}
	extents, err := s.extentRows(kind, s.input(region))
	if err == nil {
		err = file.Extent(ctx, extents)
	}
	if err != nil {
		return fmt.Errorf("source %s (%s): %w", s.ID, s.Path, err)
	}
	took := time.Since(begun)
	log.Info("staged", "source", s.ID, "read", summary.Read, "staged", summary.Staged, "rejected", summary.Rejected(), "took", took)
	return nil
}

// progressEvery is the interval of progress messages of a source.
const progressEvery = 10 * time.Second

// progressSink is a sink that logs the number of rows and their rate.
type progressSink struct {
	source.Sink
	log    *slog.Logger
	last   time.Time
	rows   int64
	logged int64 // rows at the last message
}

// Read counts rows and logs the rate.
func (r *progressSink) Read(n int) {
	r.Sink.Read(n)
	r.rows += int64(n)
	if r.rows-r.logged < 10_000 {
		return
	}
	if since := time.Since(r.last); since >= progressEvery {
		r.log.Info("reading", "rows", r.rows, "per_s", int64(float64(r.rows-r.logged)/since.Seconds()))
		r.last, r.logged = time.Now(), r.rows
	}
}

// Describe returns a text of all that a source's rows depend on, except for the bytes of the file.
func (s *Source) Describe() string {
	copied := *s
	copied.Path = filepath.Base(s.Path)
	copied.File, copied.Page = "", ""
	data, err := yaml.Marshal(&copied)
	if err != nil {
		return fmt.Sprintf("%+v", copied)
	}
	return string(data)
}
