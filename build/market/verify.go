package market

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/arrowfile"
	"quartier/internal/pack"
	marketpack "quartier/internal/pack/market"
	"quartier/internal/sqlitepages"
	"quartier/schemas"
	"quartier/schemas/release"
)

// Verify verifies the component in dir like verify.Release a release: digests and sizes of files, counts and sources, and
// that the three files have the same statistics: the lists of the pack are those of their numbers, and the rows of
// market.sqlite and market.parquet are made of them again, interval after interval, and compared byte for byte. It fails with
// verify.ErrUnverified where anything differs.
func Verify(ctx context.Context, dir string) (verify.Report, error) {
	report, err := check(ctx, dir)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", verify.ErrUnverified, err)
	}
	return report, err
}

func check(ctx context.Context, dir string) (report verify.Report, err error) {
	m, err := schemas.ReadMarketManifest(dir)
	if err != nil {
		return report, err
	}
	report = verify.Report{Release: m.Component, Digest: m.Digest, AsOf: m.AsOf, Files: 1 + len(m.Files)}
	if err := verify.Folder(dir, m.Files, marketFiles); err != nil {
		return report, err
	}
	if err := report.CheckFiles(ctx, dir, m.Files); err != nil {
		return report, err
	}
	db, err := released.Open(filepath.Join(dir, schemas.MarketFile))
	if err != nil {
		return report, err
	}
	defer db.Close()
	file, err := pack.Open(filepath.Join(dir, schemas.MarketPack))
	if err != nil {
		return report, err
	}
	defer file.Close()
	rows := rowMaker{file: file}
	if rows.cells, err = marketpack.Open(file); err != nil {
		return report, err
	}
	rows.intervals = rows.cells.Intervals()
	var counts schemas.MarketCounts
	counts.Geographies, counts.Cells, err = rows.cells.Check(func(g int) error { return rows.step(ctx, g) })
	if err == nil {
		err = file.Verify()
	}
	if err != nil {
		return report, fmt.Errorf("%s: %w", schemas.MarketPack, err)
	}
	if err := checkProvenance(ctx, db, m, counts); err != nil {
		return report, err
	}
	if err := checkHeader(ctx, db, &rows); err != nil {
		return report, fmt.Errorf("%s: %w", schemas.MarketFile, err)
	}
	report.Rows = counts.Cells
	return report, checkRows(ctx, db, dir, m, &rows)
}

// checkProvenance compares what the tables say about the component with the manifest.
func checkProvenance(ctx context.Context, db *sql.DB, m *schemas.MarketManifest, counts schemas.MarketCounts) error {
	p, err := released.ReadProvenance(ctx, db)
	if err != nil {
		return err
	}
	slices.SortFunc(p.Sources, func(a, b release.Source) int { return cmp.Compare(a.Priority, b.Priority) })
	again := *m
	again.AsOf, again.ToolVersion, again.Sources, again.Steps = p.Release.AsOf, p.Release.ToolVersion, p.ManifestSources(), p.ManifestSteps()
	again.Counts = counts
	err = db.QueryRowContext(ctx, "SELECT places, listings FROM component").Scan(&again.Places, &again.Counts.Listings)
	if err == nil {
		again.States, err = released.Values[string](ctx, db, "SELECT code FROM state ORDER BY code")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", schemas.MarketFile, err)
	}
	digest, err := again.ComputeDigest()
	if err == nil && digest != m.Digest {
		err = errors.New("its sources, issues, states or counts are not those of the manifest")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", schemas.MarketFile, err)
	}
	return nil
}

// checkHeader compares what market.sqlite says about days, states and geographies with the pack, and takes the IDs of these.
func checkHeader(ctx context.Context, db *sql.DB, rows *rowMaker) error {
	r, err := readHeader(ctx, db)
	if err != nil {
		return err
	}
	var zones []string
	for g := range rows.cells.Len() {
		zones = append(zones, rows.cells.Zone(g))
	}
	if r.day != rows.cells.Day() || !slices.Equal(r.states, rows.cells.States()) || !slices.Equal(r.zones, zones) {
		return fmt.Errorf("its day, states or time zones are not those of %s", schemas.MarketPack)
	}
	rows.id = func(g int) string { return r.ids[g] }
	return nil
}

// checkRows makes the rows of the pack again and compares them with those of market.sqlite and market.parquet.
func checkRows(ctx context.Context, db *sql.DB, dir string, m *schemas.MarketManifest, rows *rowMaker) error {
	root, err := rootOf(ctx, db)
	if err != nil {
		return fmt.Errorf("%s: %w", schemas.MarketFile, err)
	}
	sqlite, err := sqlitepages.Open(filepath.Join(dir, schemas.MarketFile), root)
	if err != nil {
		return err
	}
	defer sqlite.Close()
	sum := sha256.New()
	parquet := arrowfile.NewRowGroupWriter(sum)
	var pages []byte
	left := sqlite.Bytes()
	differs := func(name, what string) error {
		return fmt.Errorf("%s: %s is not what the cells of %s result in (written by %s)", name, what, schemas.MarketPack, m.ToolVersion)
	}
	err = eachSection(rows.intervals, func(n int, s *section) error { return rows.section(ctx, n, s) }, func(n int, s *section) error {
		first := firstRow(n, rows.intervals[n])
		var err error
		pages, err = sqlite.Pages(pages, first, first+intervalRows-1)
		if err == nil && !bytes.Equal(pages, s.pages) {
			err = differs(schemas.MarketFile, "interval "+rows.intervals[n].Code)
		}
		left -= int64(len(pages))
		return cmp.Or(err, parquet.Add(s.groups))
	})
	if err == nil && left != 0 {
		err = differs(schemas.MarketFile, "a row of no interval")
	}
	if err == nil {
		err = parquet.Finish()
	}
	if want, _ := m.File(schemas.MarketParquet); err == nil && hex.EncodeToString(sum.Sum(nil)) != want.SHA256 {
		err = differs(schemas.MarketParquet, "it")
	}
	return err
}
