package market

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/pack"
	marketpack "quartier/internal/pack/market"
	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/schemas/release"
)

// Verify verifies the component in dir like verify.Release a release: digests and sizes of files, digests and rows of
// tables, counts and sources, and the pack, which it makes again from the rows of market.sqlite in a folder in scratch. It
// fails with verify.ErrUnverified where anything differs.
func Verify(ctx context.Context, dir, scratch string) (verify.Report, error) {
	scratch, err := os.MkdirTemp(scratch, "quartier-verify-*")
	if err != nil {
		return verify.Report{}, err
	}
	defer os.RemoveAll(scratch)
	report, err := check(ctx, dir, scratch)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", verify.ErrUnverified, err)
	}
	return report, err
}

func check(ctx context.Context, dir, scratch string) (report verify.Report, err error) {
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
	if err := checkProvenance(ctx, db, m); err != nil {
		return report, err
	}
	return report, checkPack(ctx, db, m, filepath.Join(scratch, schemas.MarketPack))
}

// checkProvenance compares what the tables say about the component with the manifest.
func checkProvenance(ctx context.Context, db *sql.DB, m *schemas.MarketManifest) error {
	p, err := released.ReadProvenance(ctx, db)
	if err != nil {
		return err
	}
	slices.SortFunc(p.Sources, func(a, b release.Source) int { return cmp.Compare(a.Priority, b.Priority) })
	again := *m
	again.AsOf, again.ToolVersion, again.Sources, again.Steps = p.Release.AsOf, p.Release.ToolVersion, p.ManifestSources(), p.ManifestSteps()
	err = db.QueryRowContext(ctx, fmt.Sprintf(`SELECT places, listings, (SELECT count(*) FROM market_cell),
		(SELECT count(DISTINCT row %% %d / %d) FROM market_cell) FROM component`, intervalRows, typeRows)).
		Scan(&again.Places, &again.Counts.Listings, &again.Counts.Cells, &again.Counts.Geographies)
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

// checkPack makes the pack again from the rows of market.sqlite.
func checkPack(ctx context.Context, db *sql.DB, m *schemas.MarketManifest, path string) error {
	r, err := readHeader(ctx, db)
	if err != nil {
		return fmt.Errorf("%s: %w", schemas.MarketFile, err)
	}
	out, err := pack.Create(path)
	if err != nil {
		return err
	}
	defer out.Abort()
	writer, err := marketpack.NewWriter(out, marketpack.Header{Day: r.day, Zones: r.zones})
	if err == nil {
		err = readStatistics(ctx, db, &r, func(s *market.Statistics) error { return writer.Add(s) })
	}
	if err == nil {
		err = writer.Finish(r.states)
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", schemas.MarketFile, err)
	}
	sum, _, err := released.HashFile(ctx, path)
	if err != nil {
		return err
	}
	if want, _ := m.File(schemas.MarketPack); sum != want.SHA256 {
		return fmt.Errorf("%s is not what the rows of %s result in (computed by %s)", schemas.MarketPack, schemas.MarketFile, m.ToolVersion)
	}
	return nil
}
