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
	marketpack "quartier/internal/pack/market"
	"quartier/internal/sqlitepages"
	"quartier/schemas"
	"quartier/schemas/release"
)

// Verify verifies the component in dir like verify.Release a release: digests and sizes of files, counts and sources, and
// that the files have the same statistics: the lists of the packs are those of their numbers, and the rows of SQLite files and
// Parquet files are made of them again, interval after interval, and compared byte for byte. It fails with
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
	if err := verify.Folder(dir, m.Files, m.Names()); err != nil {
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
	cells, closeCells, err := marketpack.OpenFolder(dir)
	defer closeCells()
	if err != nil {
		return report, err
	}
	rows := rowMaker{cells: cells, intervals: cells.Intervals()}
	var counts schemas.MarketCounts
	counts.Geographies, counts.Cells, err = cells.Check(func(g int) error { return rows.step(ctx, g) })
	if err = cmp.Or(err, cells.Verify()); err != nil {
		return report, err
	}
	if err := checkProvenance(ctx, db, m, counts); err != nil {
		return report, err
	}
	if err := checkHeader(ctx, db, &rows); err != nil {
		return report, fmt.Errorf("%s: %w", schemas.MarketFile, err)
	}
	report.Rows = counts.Cells
	for _, v := range volumesOf(rows.intervals) {
		if err := checkVolume(ctx, dir, m, &v, &rows); err != nil {
			return report, err
		}
	}
	return report, nil
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

// checkHeader compares what market.sqlite says about days and states with the packs.
func checkHeader(ctx context.Context, db *sql.DB, rows *rowMaker) error {
	r, err := readHeader(ctx, db)
	if err == nil && (r.day != rows.cells.Day() || !slices.Equal(r.states, rows.cells.States())) {
		err = fmt.Errorf("its day or states are not those of %s", schemas.MarketPack)
	}
	return err
}

// checkVolume makes the rows of a volume from the cells of its pack again and compares them with those of its other files.
func checkVolume(ctx context.Context, dir string, m *schemas.MarketManifest, v *volume, rows *rowMaker) error {
	path := filepath.Join(dir, v.name(schemas.MarketFile))
	db, err := released.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	var r read
	err = cmp.Or(r.readGeographies(ctx, db), checkNames(ctx, db, v, rows.intervals))
	var zones []string
	for g := range rows.cells.Len() {
		zones = append(zones, rows.cells.Zone(g))
	}
	if err == nil && !slices.Equal(r.zones, zones) {
		err = fmt.Errorf("its time zones are not those of %s", schemas.MarketPack)
	}
	if err == nil && rows.ids != nil && !slices.Equal(r.ids, rows.ids) {
		err = errors.New("its geographies are not those of other years")
	}
	root, rootErr := rootOf(ctx, db)
	if err = cmp.Or(err, rootErr); err != nil {
		return fmt.Errorf("%s: %w", v.name(schemas.MarketFile), err)
	}
	rows.ids = r.ids
	sqlite, err := sqlitepages.Open(path, root)
	if err != nil {
		return err
	}
	defer sqlite.Close()
	return checkRows(ctx, m, v, rows, sqlite)
}

// checkRows compares the rows of a volume with those of its files.
func checkRows(ctx context.Context, m *schemas.MarketManifest, v *volume, rows *rowMaker, sqlite *sqlitepages.Reader) error {
	sum := sha256.New()
	parquet := arrowfile.NewRowGroupWriter(sum)
	var pages []byte
	left := sqlite.Bytes()
	differs := func(name, what string) error {
		return fmt.Errorf("%s: %s is not what the cells of %s result in (written by %s)", v.name(name), what, v.name(schemas.MarketPack),
			m.ToolVersion)
	}
	err := eachSection(v.intervals, func(n int, s *section) error { return rows.section(ctx, n, s) }, func(n int, s *section) error {
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
	if want, _ := m.File(v.name(schemas.MarketParquet)); err == nil && hex.EncodeToString(sum.Sum(nil)) != want.SHA256 {
		err = differs(schemas.MarketParquet, "it")
	}
	return err
}
