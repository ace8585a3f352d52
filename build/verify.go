package build

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"quartier/build/released"
	"quartier/schemas"
)

// ErrUnverified is what every error about the content of a release wraps.
var ErrUnverified = errors.New("release does not verify")

// VerifyReport says what was checked.
type VerifyReport struct {
	Release string // name
	Digest  string // of the manifest
	AsOf    string // YYYY-MM-DD
	Files   int    // the manifest included
	Bytes   int64  // of all files but the manifest
	Tables  int    // whose rows were counted and digested
	Rows    int64  // in them
	Facts   int    // that were found to hold across tables
}

// String is the report in one line.
func (r VerifyReport) String() string {
	return fmt.Sprintf("release %s of %s verified: %d files, %d bytes, %d tables, %d rows, %d facts, digest %s",
		r.Release, r.AsOf, r.Files, r.Bytes, r.Tables, r.Rows, r.Facts, r.Digest)
}

// Verify reads the whole release in dir and recomputes what its manifest says: every digest and count, the ids, what
// holds across tables, and the packs from the SpatiaLite rows. It fails, wrapping ErrUnverified, on anything that is
// not as it should be: a file missing or too many, a row changed, a pack that tells something else. It needs room
// for a second copy of the packs in the system's folder for temporary files.
func Verify(ctx context.Context, dir string) (VerifyReport, error) {
	scratch, err := os.MkdirTemp("", "quartier-verify-*")
	if err != nil {
		return VerifyReport{}, fmt.Errorf("verify %s: %w", dir, err)
	}
	defer os.RemoveAll(scratch)
	report, err := verify(ctx, dir, scratch)
	if err != nil {
		return report, fmt.Errorf("verify %s: %w", dir, err)
	}
	return report, nil
}

// verify checks the release in dir; what it makes anew goes to scratch.
func verify(ctx context.Context, dir, scratch string) (report VerifyReport, err error) {
	m, err := schemas.ReadManifest(dir)
	if err != nil {
		return report, unverified(ctx, err)
	}
	report = VerifyReport{Release: m.Release, Digest: m.Digest, AsOf: m.AsOf, Files: 1 + len(m.Files)}
	if err := verifyFolder(dir, m); err != nil {
		return report, unverified(ctx, err)
	}
	checks := []func() error{
		func() error { return report.files(ctx, dir, m) },
		func() error { return report.databases(ctx, dir, m) },
		func() error { return verifyPacks(ctx, dir, scratch, m) },
	}
	errs := make([]error, len(checks))
	var all sync.WaitGroup
	for i, check := range checks {
		all.Go(func() { errs[i] = check() })
	}
	all.Wait()
	for _, err := range errs { // the first in this order, whichever came first
		if err != nil {
			return report, unverified(ctx, err)
		}
	}
	return report, nil
}

// unverified marks an error as one of the release's content, unless the check itself was cancelled.
func unverified(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnverified, err)
}

// verifyFolder compares the folder's entries with the manifest's.
func verifyFolder(dir string, m *schemas.Manifest) error {
	want := slices.Clone(releaseFiles)
	var named []string
	for _, f := range m.Files {
		named = append(named, f.Name)
	}
	if !slices.Equal(want, named) {
		return fmt.Errorf("the manifest names %s in place of %s", strings.Join(named, ", "), strings.Join(want, ", "))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	want = append(want, schemas.ManifestFile)
	for _, e := range entries {
		i := slices.Index(want, e.Name())
		if i < 0 {
			return fmt.Errorf("%s is not a file of the release", e.Name())
		}
		if !e.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", e.Name())
		}
		want = slices.Delete(want, i, i+1)
	}
	if len(want) > 0 {
		return fmt.Errorf("%s is missing", strings.Join(want, ", "))
	}
	return nil
}

// files recomputes digests, sizes and row counts.
func (r *VerifyReport) files(ctx context.Context, dir string, m *schemas.Manifest) error {
	for _, want := range m.Files {
		sum, size, err := hashFile(ctx, filepath.Join(dir, want.Name))
		if err != nil {
			return err
		}
		if size != want.Bytes {
			return fmt.Errorf("%s has %d bytes, the manifest says %d", want.Name, size, want.Bytes)
		}
		if sum != want.SHA256 {
			return fmt.Errorf("%s has sha256 %s, the manifest says %s", want.Name, sum, want.SHA256)
		}
		tables, err := describeTables(ctx, filepath.Join(dir, want.Name), want.Name)
		if err != nil {
			return err
		}
		if err := sameTables(want, tables); err != nil {
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

func sameTables(want schemas.ReleaseFile, got []schemas.ReleaseTable) error {
	if len(got) != len(want.Tables) {
		return fmt.Errorf("%d tables, the manifest says %d", len(got), len(want.Tables))
	}
	for i, t := range got {
		if w := want.Tables[i]; t != w {
			return fmt.Errorf("table %s has %d rows with digest %s, the manifest says %s with %d rows and %s",
				t.Name, t.Rows, t.Digest, w.Name, w.Rows, w.Digest)
		}
	}
	return nil
}

// databases checks the SpatiaLite files.
func (r *VerifyReport) databases(ctx context.Context, dir string, m *schemas.Manifest) error {
	if err := r.database(ctx, dir, schemas.GeographiesFile, "check_geographies", m, verifyIDs); err != nil {
		return err
	}
	if err := r.database(ctx, dir, schemas.POIsFile, "check_pois", m, verifyPOICounts); err != nil {
		return err
	}
	err := r.database(ctx, dir, schemas.AccessFile, "check_access", m, func(db *sql.DB, m *schemas.Manifest) error {
		return verifyAccess(ctx, db, dir, m)
	})
	if err != nil {
		return err
	}
	return r.database(ctx, dir, schemas.DemographicsFile, "check_demographics", m, func(db *sql.DB, m *schemas.Manifest) error {
		return verifyDemographics(ctx, db, dir, m)
	})
}

// database checks the facts of a SpatiaLite file, its provenance, and what else its kind asks for.
func (r *VerifyReport) database(ctx context.Context, dir, name, facts string, m *schemas.Manifest,
	also func(*sql.DB, *schemas.Manifest) error) error {
	db, err := released.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer db.Close()
	var answer string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check").Scan(&answer); err != nil || answer != "ok" {
		return fmt.Errorf("%s: quick_check: %s %v", name, answer, err)
	}
	n, err := checkFacts(ctx, db, query(facts))
	r.Facts += n
	if err == nil {
		err = verifyProvenance(db, m)
	}
	if err == nil {
		err = also(db, m)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// checkFacts runs queries that are introduced by "-- fact:" lines; each may return no row.
func checkFacts(ctx context.Context, db *sql.DB, text string) (checked int, err error) {
	for _, part := range strings.Split(text, "-- fact: ")[1:] {
		fact, statement, _ := strings.Cut(part, "\n")
		var example string
		switch err := db.QueryRowContext(ctx, statement).Scan(&example); {
		case errors.Is(err, sql.ErrNoRows):
			checked++
		case err != nil:
			return checked, fmt.Errorf("check that %s: %w", fact, err)
		default:
			return checked, fmt.Errorf("%s: not so for %s", fact, example)
		}
	}
	return checked, nil
}

// verifyPacks makes the packs anew from the SpatiaLite files and compares them to the byte.
func verifyPacks(ctx context.Context, dir, scratch string, m *schemas.Manifest) error {
	if err := writePacks(ctx, dir, scratch, allPackings); err != nil {
		return err
	}
	for _, p := range allPackings {
		sum, _, err := hashFile(ctx, filepath.Join(scratch, p.to))
		if err != nil {
			return err
		}
		if want, _ := m.File(p.to); sum != want.SHA256 {
			return fmt.Errorf("%s does not hold what the SpatiaLite rows give (release built by %s)", p.to, m.ToolVersion)
		}
	}
	return nil
}
