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
	var found schemas.ReleaseCounts
	want := accessCounts(&m.Counts)
	for i, c := range accessCounts(&found) {
		if err := db.QueryRowContext(ctx, c.query).Scan(c.count); err != nil {
			return err
		}
		if *c.count != *want[i].count {
			return fmt.Errorf("%d %s, the manifest says %d", *c.count, c.what, *want[i].count)
		}
	}
	if err := verifyCalibration(db, m); err != nil {
		return err
	}
	return verifyScored(db, filepath.Join(dir, schemas.GeographiesFile))
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

// verifyScored looks for scores of geographies that are not there.
func verifyScored(db *sql.DB, geographies string) error {
	others, err := released.Open(geographies)
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
	scored, err := collect(db, "SELECT DISTINCT geog_id FROM geography_score", scan)
	if err != nil {
		return err
	}
	for _, id := range scored {
		if !known[id] {
			return fmt.Errorf("scores of geography %s, which is not in the release", id)
		}
	}
	return nil
}
