package build

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/schemas"
)

// verifyAccess recounts what the manifest says of streets and what is made of them, compares the constants, and looks
// up every scored geography.
func verifyAccess(ctx context.Context, db *sql.DB, dir string, m *schemas.Manifest) error {
	if err := verifyCounts(ctx, db, accessCounts, m); err != nil {
		return err
	}
	if err := verifyCalibration(db, m); err != nil {
		return err
	}
	return verifyKnown(db, dir, "scores", "SELECT DISTINCT geog_id FROM geography_score")
}

// verifyCounts recounts what the manifest says of tables.
func verifyCounts(ctx context.Context, db *sql.DB, counts func(*schemas.ReleaseCounts) []tableCount, m *schemas.Manifest) error {
	var found schemas.ReleaseCounts
	want := counts(&m.Counts)
	for i, c := range counts(&found) {
		if err := db.QueryRowContext(ctx, c.query).Scan(c.count); err != nil {
			return err
		}
		if *c.count != *want[i].count {
			return fmt.Errorf("%d %s, the manifest says %d", *c.count, c.what, *want[i].count)
		}
	}
	return nil
}

// verifyCalibration compares the constants with those that the manifest names.
func verifyCalibration(db *sql.DB, m *schemas.Manifest) error {
	var version, digest string
	if err := db.QueryRow("SELECT version, sha256 FROM calibration").Scan(&version, &digest); err != nil {
		return fmt.Errorf("read calibration: %w", err)
	}
	for _, p := range []schemas.Parameter{{Name: calibrationDigest, Value: digest}, {Name: calibrationVersion, Value: version}} {
		if !slices.Contains(m.Parameters, p) {
			return fmt.Errorf("%s is %q, which is not as the manifest says", p.Name, p.Value)
		}
	}
	return nil
}

// verifyKnown looks for what is told of geographies that are not there; the query lists those that it is told of.
func verifyKnown(db *sql.DB, dir, what, query string) error {
	others, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return err
	}
	defer others.Close()
	scan := func(rows *sql.Rows, id *string) error { return rows.Scan(id) }
	ids, err := collect(others, "SELECT geog_id FROM geography UNION ALL SELECT geog_id FROM geography_superseded", scan)
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(ids))
	for _, id := range ids {
		known[id] = true
	}
	told, err := collect(db, query, scan)
	if err != nil {
		return err
	}
	for _, id := range told {
		if !known[id] {
			return fmt.Errorf("%s of geography %s, which is not in the release", what, id)
		}
	}
	return nil
}
