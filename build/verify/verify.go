// Package verify checks a release against its manifest: the digests of files and tables, counts, ids, the consistency of
// tables with each other, and the packs against the SpatiaLite rows that they are made from.
package verify

import (
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
	scratch, err := os.MkdirTemp(scratch, "quartier-verify-*")
	if err != nil {
		return Report{}, err
	}
	defer os.RemoveAll(scratch)
	report, err := verify(ctx, dir, scratch)
	if err != nil && ctx.Err() == nil { // not cancelled, so that the release is the cause
		err = fmt.Errorf("%w: %w", ErrUnverified, err)
	}
	return report, err
}

func verify(ctx context.Context, dir, scratch string) (report Report, err error) {
	m, err := schemas.ReadManifest(dir)
	if err != nil {
		return report, err
	}
	report = Report{Release: m.Release, Digest: m.Digest, AsOf: m.AsOf, Files: 1 + len(m.Files)}
	if err := Folder(dir, m.Files, released.FilesOf(m.Sources)); err != nil {
		return report, err
	}
	checks := []func() error{
		func() error { return report.CheckFiles(ctx, dir, m.Files) },
		func() (err error) {
			report.Facts, err = checkDatabases(ctx, dir, m)
			return err
		},
		func() error { return checkPacks(ctx, dir, scratch, m) },
		func() error { return tiles.Verify(ctx, dir, &m.Counts) },
		func() error { return travel.Verify(ctx, dir, &m.Counts) },
		func() error { return addresses.Verify(ctx, dir, m) },
		func() error { return measures.Verify(ctx, dir) },
	}
	errs := make([]error, len(checks))
	var all sync.WaitGroup
	for i, check := range checks {
		all.Go(func() { errs[i] = check() })
	}
	all.Wait()
	for _, err := range errs { // the first one by check, independent of timing
		if err != nil {
			return report, err
		}
	}
	return report, nil
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
