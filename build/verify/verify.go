// Package verify checks a release against its manifest: the digests of files and tables, counts, ids, the consistency of
// tables with each other, and the packs against the SpatiaLite rows that they are made from.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"quartier/build/addresses"
	"quartier/build/measures"
	"quartier/build/packs"
	"quartier/build/released"
	"quartier/build/tiles"
	"quartier/build/travel"
	"quartier/internal/signature"
	"quartier/schemas"
)

// ErrUnverified is wrapped by every error about the content of a release.
var ErrUnverified = errors.New("release does not verify")

// Report is what was checked.
type Report struct {
	Release string // name
	Digest  string // of the manifest
	AsOf    string // YYYY-MM-DD
	Files   int    // including the manifest
	Bytes   int64  // of all files but the manifest
	Tables  int    // whose digests were computed
	Rows    int64  // in them
	Facts   int    // conditions across tables that were checked
}

// String formats the report in one line.
func (r Report) String() string {
	return fmt.Sprintf("release %s of %s verified: %d files, %d bytes, %d tables, %d rows, %d facts, digest %s",
		r.Release, r.AsOf, r.Files, r.Bytes, r.Tables, r.Rows, r.Facts, r.Digest)
}

// Release verifies the release in dir. It fails with ErrUnverified where anything differs from what it should be: a
// missing or unknown file, a changed row, a pack with other content than the rows. It reads all files and writes a
// second copy of the packs to a folder in scratch, which is the system's folder for temporary files if "".
func Release(ctx context.Context, dir, scratch string) (Report, error) {
	return verify(ctx, dir, scratch, Parts)
}

// Part is a part of what Release checks. It needs the manifest and Files.
type Part struct {
	Name   string
	Files  []string // of the release; nil: all
	Share  float64  // of the time of all, roughly
	Copies bool     // it makes packs again, beside the release
	check  func(ctx context.Context, c *checked) error
}

// checked is a release under verification.
type checked struct {
	dir, scratch string
	manifest     *schemas.Manifest
	report       Report
}

// Parts are all of what is checked.
var Parts = []Part{
	{"files", nil, 0.3, false, func(ctx context.Context, c *checked) error {
		if err := Folder(c.dir, c.manifest.Files, released.FilesOf(c.manifest.Sources)); err != nil {
			return err
		}
		return c.report.CheckFiles(ctx, c.dir, c.manifest.Files)
	}},
	{"databases", databases, 0.25, false, func(ctx context.Context, c *checked) (err error) {
		c.report.Facts, err = checkDatabases(ctx, c.dir, c.manifest)
		return err
	}},
	{"packs", databases, 0.35, true, func(ctx context.Context, c *checked) error { return checkPacks(ctx, c.dir, c.scratch, c.manifest) }},
	{"tiles", []string{schemas.GroundFile, schemas.TilesFile, schemas.HeatFile}, 0.05, false, func(ctx context.Context, c *checked) error {
		return tiles.Verify(ctx, c.dir, &c.manifest.Counts)
	}},
	{"travel", nil, 0.05, false, func(ctx context.Context, c *checked) error {
		return cmp.Or(travel.Verify(ctx, c.dir, &c.manifest.Counts), measures.Verify(ctx, c.dir))
	}},
	{"addresses", []string{schemas.AddressesPack}, 0.01, false, func(ctx context.Context, c *checked) error {
		return addresses.Verify(ctx, c.dir, c.manifest)
	}},
}

var databases = slices.DeleteFunc(slices.Clone(released.Files), func(name string) bool { return filepath.Ext(name) != ".sqlite" })

// Verify verifies the part alone, of a release in dir of which other files may be missing.
func (p Part) Verify(ctx context.Context, dir, scratch string) error {
	_, err := verify(ctx, dir, scratch, []Part{p})
	return err
}

// verify verifies parts in parallel.
func verify(ctx context.Context, dir, scratch string, parts []Part) (Report, error) {
	scratch, err := os.MkdirTemp(scratch, "quartier-verify-*")
	if err != nil {
		return Report{}, err
	}
	defer os.RemoveAll(scratch)
	c := &checked{dir: dir, scratch: scratch}
	if c.manifest, err = schemas.ReadManifest(dir); err == nil {
		c.report = Report{Release: c.manifest.Release, Digest: c.manifest.Digest, AsOf: c.manifest.AsOf, Files: 1 + len(c.manifest.Files)}
		errs := make([]error, len(parts))
		var all sync.WaitGroup
		for i, p := range parts {
			all.Go(func() { errs[i] = p.check(ctx, c) })
		}
		all.Wait()
		err = cmp.Or(errs...) // the first one by part, independent of timing
	}
	if err != nil && ctx.Err() == nil { // not cancelled, so that the release is the cause
		err = fmt.Errorf("%w: %w", ErrUnverified, err)
	}
	return c.report, err
}

// Folder compares the entries of the folder of a component with the files of its manifest, which must be those of want.
func Folder(dir string, files []schemas.ReleaseFile, want []string) error {
	var inManifest []string
	for _, f := range files {
		inManifest = append(inManifest, f.Name)
	}
	if !slices.Equal(want, inManifest) {
		return fmt.Errorf("the manifest has the files %s, want %s", strings.Join(inManifest, ", "), strings.Join(want, ", "))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	missing := append(inManifest, schemas.ManifestFile)
	for _, e := range entries {
		if e.Name() == signature.File && e.Type().IsRegular() { // written by who publishes it
			continue
		}
		i := slices.Index(missing, e.Name())
		if i < 0 {
			return fmt.Errorf("%s is not a file of the release", e.Name())
		}
		if !e.Type().IsRegular() {
			return fmt.Errorf("%s is not a regular file", e.Name())
		}
		missing = slices.Delete(missing, i, i+1)
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s is missing", strings.Join(missing, ", "))
	}
	return nil
}

// CheckFiles recomputes the digests and sizes of files and the digests and row counts of tables.
func (r *Report) CheckFiles(ctx context.Context, dir string, files []schemas.ReleaseFile) error {
	for _, want := range files {
		sum, size, err := released.HashFile(ctx, filepath.Join(dir, want.Name))
		if err != nil {
			return err
		}
		if size != want.Bytes {
			return fmt.Errorf("%s has %d bytes, the manifest has %d", want.Name, size, want.Bytes)
		}
		if sum != want.SHA256 {
			return fmt.Errorf("%s has sha256 %s, the manifest has %s", want.Name, sum, want.SHA256)
		}
		tables, err := released.DescribeTables(ctx, filepath.Join(dir, want.Name), want.Name)
		if err != nil {
			return err
		}
		if err := compareTables(want, tables); err != nil {
			return fmt.Errorf("%s: %w", want.Name, err)
		}
		r.Bytes += size
		r.Tables += len(tables)
		for _, t := range tables {
			r.Rows += t.Rows
		}
	}
	return nil
}

func compareTables(want schemas.ReleaseFile, got []schemas.ReleaseTable) error {
	if len(got) != len(want.Tables) {
		return fmt.Errorf("%d tables, the manifest has %d", len(got), len(want.Tables))
	}
	for i, t := range got {
		if w := want.Tables[i]; t != w {
			return fmt.Errorf("table %s has %d rows with digest %s, the manifest has %s with %d rows and %s",
				t.Name, t.Rows, t.Digest, w.Name, w.Rows, w.Digest)
		}
	}
	return nil
}

// checkPacks writes the packs again from the SpatiaLite files and compares them byte by byte.
func checkPacks(ctx context.Context, dir, scratch string, m *schemas.Manifest) error {
	if err := packs.Write(ctx, dir, scratch); err != nil {
		return err
	}
	for _, write := range []func(context.Context, string, string) error{packs.WriteSmallAreas, packs.WriteReach} {
		if err := write(ctx, dir, scratch); err != nil {
			return err
		}
	}
	return comparePacks(ctx, scratch, m.Files, m.ToolVersion)
}

// comparePacks compares what was made in scratch, packs and Parquet files, with what a manifest lists. Timetables and addresses
// are made of no rows of the release (travel.Verify, addresses.Verify).
func comparePacks(ctx context.Context, scratch string, files []schemas.ReleaseFile, builtBy string) error {
	for _, want := range files {
		ext := filepath.Ext(want.Name)
		if ext != ".pack" && ext != ".parquet" || want.Name == schemas.TravelPack || want.Name == schemas.AddressesPack {
			continue
		}
		sum, _, err := released.HashFile(ctx, filepath.Join(scratch, want.Name))
		if err != nil {
			return err
		}
		if sum != want.SHA256 {
			return fmt.Errorf("%s is not what its SpatiaLite rows result in (release built by %s)", want.Name, builtBy)
		}
	}
	return nil
}
