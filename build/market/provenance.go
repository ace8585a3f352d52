package market

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas/market"
	"quartier/schemas/reason"
	"quartier/schemas/release"
	"quartier/schemas/staged"
)

// Sources are the sources of the listings in market.duckdb, in their order, and the rows of each that were rejected, repaired
// or skipped. paths are the paths of the sources by id, of which the base names are kept, and kind is their kind.
func Sources(ctx context.Context, db *duck.DB, kind string, paths map[string]string) ([]release.Source, []release.Issue, error) {
	sources, err := sqlrow.All[staged.ListingSource](ctx, db,
		"SELECT "+sqlrow.List[staged.ListingSource]("")+" FROM listing_source ORDER BY position")
	if err != nil {
		return nil, nil, fmt.Errorf("read sources of listings: %w", err)
	}
	var list []release.Source
	var issues []release.Issue
	for _, s := range sources {
		row := staged.Source{
			SourceID: s.SourceID, Priority: s.Position, Kind: kind, Path: filepath.Base(paths[s.SourceID]),
			AsOf: s.AsOf, Licence: s.Licence, Attribution: s.Attribution, URL: s.URL,
		}
		if err := addFiles(ctx, db, &row); err != nil {
			return nil, nil, fmt.Errorf("read files of source %s: %w", s.SourceID, err)
		}
		list = append(list, release.Source{Source: row})
		found, err := sqlrow.All[staged.Issue](ctx, db, `SELECT source_id, severity, code, detail, any_value(description) AS description,
			CAST(sum(i.rows) AS BIGINT) AS rows, arg_min(example, path) AS example
			FROM listing_issue i JOIN listing_file USING (file_id) WHERE source_id = ? GROUP BY ALL`, s.SourceID)
		if err != nil {
			return nil, nil, fmt.Errorf("read issues of source %s: %w", s.SourceID, err)
		}
		for _, issue := range found {
			issues = append(issues, release.Issue{Step: released.IngestStep, Issue: issue})
		}
	}
	return list, issues, nil
}

// addFiles sets the digest, bytes and rows of a source: the digest of its file, or of the lines "sha256  path" of its files.
func addFiles(ctx context.Context, db *duck.DB, s *staged.Source) error {
	files, err := sqlrow.All[staged.ListingFile](ctx, db,
		"SELECT "+sqlrow.List[staged.ListingFile]("")+" FROM listing_file WHERE source_id = ? ORDER BY path", s.SourceID)
	if err != nil {
		return err
	}
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%s  %s\n", f.SHA256, f.Path)
		s.Bytes, s.RowsRead, s.RowsStaged = s.Bytes+f.Bytes, s.RowsRead+f.RowsRead, s.RowsStaged+f.RowsStaged
	}
	if s.SHA256 = hex.EncodeToString(sum.Sum(nil)); len(files) == 1 {
		s.SHA256 = files[0].SHA256
	}
	return nil
}

// Issue is an issue of the computation. It has no example: quartier explain names the listings.
func Issue(why reason.Reason, rows int64) release.Issue {
	return release.Issue{Step: computation, Issue: staged.Issue{
		Severity: string(why.Severity), Code: why.Code, Detail: why.Detail, Description: why.Description, Rows: rows,
	}}
}

// computation is the step of the issues of the computation.
const computation = "market"

// byOrder is the order of issues in a manifest.
func byOrder(a, b release.Issue) int {
	return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
}

// ErrNoDate is returned where listings have no date at all.
var ErrNoDate = errors.New("no listing has a date")

// Newest is the newest day of the listings in market.duckdb: that of the last change of a record, of the last closing of a
// sale, or of the as-of dates that the listings file states, whichever is the latest. Days of changes are of UTC.
func Newest(ctx context.Context, db *duck.DB) (market.Day, error) {
	var day *int64
	const microseconds = 24 * 60 * 60 * 1_000_000
	err := db.QueryRowContext(ctx, fmt.Sprintf(`SELECT max(day) FROM (
		SELECT CAST(floor(max(modified) / %[1]d.0) AS BIGINT) AS day FROM listing
		UNION ALL SELECT CAST(floor(max(at) / %[1]d.0) AS BIGINT) FROM listing_change
		UNION ALL SELECT datediff('day', DATE '1970-01-01', max(CAST(as_of AS DATE))) FROM listing_source
		UNION ALL SELECT max(close_day) FROM listing WHERE public_sale OR status = %[2]d)`, microseconds, market.StatusClosed)).Scan(&day)
	if err == nil && day == nil {
		err = ErrNoDate
	}
	if err != nil {
		return market.NoDay, fmt.Errorf("newest day of the listings: %w", err)
	}
	return market.Day(*day), nil
}

// sorted are issues in the order of a manifest.
func sorted(issues []release.Issue) []release.Issue {
	slices.SortFunc(issues, byOrder)
	return issues
}
