// Package listings takes files of listings and sales into market.duckdb (schemas/listings.sql), which is kept from day to
// day. Each file is read once; one that is gone or changed takes its rows along. Of the records of a key the latest counts.
// What the views of the database have is therefore the same whether the files came one by one or all at once.
package listings

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quartier/ingest/source"
	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// File is the name of the database in the work folder.
const File = "market.duckdb"

// Kind is a kind of source that has listings.
type Kind interface {
	source.Kind
	// Files returns the files of a source, which is a file or a folder, ordered by path. Stage reads each by itself.
	Files(path string) ([]string, error)
}

// Source is one source of listings.
type Source struct {
	staged.ListingSource
	Kind        Kind
	Input       source.Input
	Settings    string   // a text of all that its rows depend on beside its files
	MaxRejected *float64 // share of rejected rows above which the source is refused, 0–1; nil: none
}

// Options are what to take in.
type Options struct {
	Work    string   // folder of market.duckdb; created
	Sources []Source // in the order of the listings file
	Log     *slog.Logger
	// Accepted are gates that do not hold the listings back: rows, or rows.SOURCE.
	Accepted []schemas.Acceptance
	Memory   string // of DuckDB; "": 2GB
}

// Changes are what an intake did.
type Changes struct {
	Generation              int64 // of the last intake that changed something
	Whole                   bool  // so much changed that the listings are not listed
	Added, Changed, Removed int64 // listings; 0 if Whole
	FilesRead, FilesGone    int   // a file that changed is both
	RowsRead, RowsStaged    int64 // of the files read
	Listings                int64 // that there are now
}

// Take takes in what is new of the sources. The error of a file that cannot be opened or that is a wrong file altogether
// leaves the database as it was; a file that breaks off is taken in as far as it goes, and counted as such.
func Take(ctx context.Context, o Options) (c Changes, err error) {
	begun := time.Now()
	present, err := list(ctx, o.Sources)
	if err != nil {
		return c, err
	}
	db, err := openStore(ctx, o)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	t := &taking{ctx: ctx, db: db, options: o, log: o.Log}
	if t.log == nil {
		t.log = slog.New(slog.DiscardHandler)
	}
	if err := t.compare(present); err != nil {
		return c, err
	}
	c.FilesRead, c.FilesGone = len(t.fresh), len(t.gone)
	if err := t.read(); err != nil {
		return c, err
	}
	if err := t.checkRows(); err != nil {
		return c, err
	}
	for _, f := range t.fresh {
		c.RowsRead, c.RowsStaged = c.RowsRead+f.row.RowsRead, c.RowsStaged+f.row.RowsStaged
	}
	if err := t.merge(&c); err != nil {
		return c, fmt.Errorf("merge listings into %s: %w", filepath.Join(o.Work, File), err)
	}
	t.log.Info("listings taken in", "files", c.FilesRead, "gone", c.FilesGone, "read", c.RowsRead, "staged", c.RowsStaged,
		"added", c.Added, "changed", c.Changed, "removed", c.Removed, "whole", c.Whole, "listings", c.Listings, "took", time.Since(begun))
	return c, nil
}

// taking is an intake in progress.
type taking struct {
	ctx     context.Context
	db      *duck.DB
	options Options
	log     *slog.Logger

	fresh []*file // to be read
	gone  []int32 // ids of files that are no longer there, or changed
	kept  []*file // as they were
	first int32   // file_id of the first fresh file; those of the others are lower

	known             []staged.ListingFile // of the intake before
	oldRows, goneRows int64                // of the files that there were, and of those that are gone
	issues            []staged.ListingIssue
}

// compare finds the files that are new and those that are gone, by the SHA-256 of their content.
func (t *taking) compare(present []*file) error {
	var err error
	if t.known, err = t.files(); err != nil {
		return err
	}
	old := map[identity]staged.ListingFile{}
	for _, f := range t.known {
		old[identity{f.SourceID, f.Path}] = f
		t.first, t.oldRows = max(t.first, f.FileID+1), t.oldRows+f.RowsStaged
	}
	for _, f := range present {
		id := identity{f.row.SourceID, f.row.Path}
		before, was := old[id]
		if was && before.State == f.row.State && f.unchanging {
			f.row.SHA256, f.row.Bytes = before.SHA256, before.Bytes
		} else if f.row.SHA256, f.row.Bytes, err = source.DigestFile(t.ctx, f.path); err != nil {
			return fmt.Errorf("source %s: %w", f.row.SourceID, err)
		}
		if was && before.SHA256 == f.row.SHA256 && before.Settings == f.row.Settings {
			f.row.FileID, f.row.RowsRead, f.row.RowsStaged = before.FileID, before.RowsRead, before.RowsStaged
			t.kept = append(t.kept, f)
			delete(old, id)
			continue
		}
		f.row.FileID = t.first + int32(len(t.fresh))
		t.fresh = append(t.fresh, f)
	}
	for _, f := range old {
		t.gone, t.goneRows = append(t.gone, f.FileID), t.goneRows+f.RowsStaged
	}
	slices.Sort(t.gone)
	return nil
}

// read reads the fresh files.
func (t *taking) read() error {
	if len(t.fresh) == 0 {
		return nil
	}
	s, err := newSink(t.ctx, t.db)
	if err != nil {
		return err
	}
	for _, f := range t.fresh {
		if err = t.readFile(s, f); err != nil {
			break
		}
	}
	if cerr := s.close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = t.checkRejected()
	}
	return err
}

// readFile reads one file. One that breaks off keeps the rows before.
func (t *taking) readFile(s *sink, f *file) error {
	begun := time.Now()
	s.begin(f)
	in := f.source.Input
	in.Path = f.path
	err := f.source.Kind.Stage(t.ctx, in, s)
	if s.failed != nil {
		err = s.failed
	}
	broken := errors.Is(err, source.ErrBadFile) && !errors.Is(err, source.ErrBadOptions)
	if broken && t.ctx.Err() == nil {
		s.Issue(brokenFile, err.Error())
		t.log.Warn("file breaks off or cannot be read", "source", f.row.SourceID, "file", f.row.Path, "rows", s.staged, "error", err)
		err = nil
	}
	if err == nil {
		err = f.unchanged()
	}
	if err != nil {
		return fmt.Errorf("source %s: %w", f.row.SourceID, err)
	}
	f.row.RowsRead, f.row.RowsStaged = s.read, s.staged
	t.issues = append(t.issues, s.rows()...)
	t.log.Info("file taken in", "source", f.row.SourceID, "file", f.row.Path, "read", s.read, "staged", s.staged, "took", time.Since(begun))
	return nil
}

// openStore opens the database, or creates one: a file of another layout is removed and written again.
func openStore(ctx context.Context, o Options) (*duck.DB, error) {
	if err := os.MkdirAll(o.Work, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(o.Work, File)
	db, err := duck.Edit(path)
	if err == nil && !sameLayout(ctx, db) {
		db.Close()
		db, err = nil, os.ErrNotExist
	}
	if errors.Is(err, os.ErrNotExist) {
		if err := removeAll(path, path+".wal"); err != nil {
			return nil, err
		}
		db, err = createStore(ctx, path)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	memory := o.Memory
	if memory == "" {
		memory = "2GB"
	}
	if _, err := db.ExecContext(ctx, "SET memory_limit='"+memory+"'"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func removeAll(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
