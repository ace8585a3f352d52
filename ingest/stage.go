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

// ErrInputChanged says that a file is not the one whose sha256 the region file declares.
var ErrInputChanged = errors.New("input changed")

// ErrMissing says that a file or folder of a source is not there.
var ErrMissing = errors.New("missing file")

// missing marks the error of a file that is not there.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrMissing) {
		return fmt.Errorf("%w: %w", ErrMissing, err)
	}
	return err
}

// Stage reads every source of a region, in the order of the region file, into a new staged file at path. An error
// names the source and its file; the staged file is then incomplete and to be thrown away.
func Stage(ctx context.Context, region *Region, path string, log *slog.Logger) error {
	file, err := staging.Create(path)
	if err != nil {
		return err
	}
	for priority := range region.Sources {
		if err := stageSource(ctx, region, priority, file, log); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return file.Close()
}

func stageSource(ctx context.Context, region *Region, priority int, file *staging.File, log *slog.Logger) error {
	s := &region.Sources[priority]
	begun := time.Now()
	sum, size, err := Digest(ctx, s.Path)
	if err != nil {
		return fmt.Errorf("source %s: %w", s.ID, err)
	}
	if s.SHA256 != "" && s.SHA256 != sum {
		return fmt.Errorf("%w: source %s: %s has sha256 %s, declared is %s", ErrInputChanged, s.ID, s.Path, sum, s.SHA256)
	}
	kind, known := KindOf(s.Kind)
	if !known {
		return fmt.Errorf("%w: source %s: no kind is called %q", ErrBadRegion, s.ID, s.Kind)
	}
	input := source.Input{Source: s.ID, Path: s.Path, Country: region.Country, State: region.State, Options: s.Options}
	row := staging.Source{
		Source: staged.Source{
			SourceID: s.ID, Priority: int32(priority), Kind: s.Kind, Path: filepath.Base(s.Path), SHA256: sum, Bytes: size,
			AsOf: s.AsOf, Licence: s.Licence, Attribution: s.Attribution, URL: s.URL,
		},
		MaxRejected: s.MaxRejected,
	}
	log.Info("reading", "source", s.ID, "file", row.Path, "bytes", size)
	summary, err := file.Stage(ctx, row, func(sink source.Sink) error {
		counted := &reporting{Sink: sink, log: log.With("source", s.ID), last: begun}
		return missing(kind.Stage(ctx, input, counted))
	})
	if err != nil {
		for _, issue := range summary.Issues {
			log.Warn("bad rows", "source", s.ID, "severity", string(issue.Severity), "reason", issue.Reason.String(), "rows", issue.Rows, "example", issue.Example)
		}
		return fmt.Errorf("source %s (%s): %w", s.ID, s.Path, err)
	}
	took := time.Since(begun)
	log.Info("staged", "source", s.ID, "read", summary.Read, "staged", summary.Staged, "rejected", summary.Rejected(), "took", took)
	return nil
}

// progressEvery is how often a long source says how far it is.
const progressEvery = 10 * time.Second

// reporting passes rows on and tells the rate now and then.
type reporting struct {
	source.Sink
	log  *slog.Logger
	last time.Time
	rows int64
	told int64
}

// Read counts rows and tells the rate.
func (r *reporting) Read(n int) {
	r.Sink.Read(n)
	r.rows += int64(n)
	if r.rows-r.told < 10_000 {
		return
	}
	if since := time.Since(r.last); since >= progressEvery {
		r.log.Info("reading", "rows", r.rows, "per_s", int64(float64(r.rows-r.told)/since.Seconds()))
		r.last, r.told = time.Now(), r.rows
	}
}

// Describe is everything that a source's rows depend on besides the file's bytes, in one text.
func (s *Source) Describe() string {
	told := *s
	told.Path = filepath.Base(s.Path)
	data, err := yaml.Marshal(&told)
	if err != nil {
		return fmt.Sprintf("%+v", told)
	}
	return string(data)
}
