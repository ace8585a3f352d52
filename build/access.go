package build

import (
	"context"
	"database/sql"
	"fmt"

	"quartier/internal/duck"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// writeAccess makes access.sqlite: the streets of one region after the other, then what is made of all of them.
func (d *draft) writeAccess(ctx context.Context, path string) error {
	f, err := newSpatialFile(path, schemas.BundleAccess, schemas.StreetNodeDDL(), schemas.BundleProvenance)
	if err != nil {
		return err
	}
	defer f.Close()
	err = d.previous.fill(f, schemas.AccessFile, func(tx *sql.Tx) error {
		all := &streets{draft: d, tx: tx}
		for i, r := range d.regions {
			if err := all.copyRegion(ctx, i); err != nil {
				return fmt.Errorf("region %s: %w", r.Name, err)
			}
		}
		if err := d.insertScores(ctx, tx, all.homes, all.hulls); err != nil {
			return err
		}
		if err := insertCalibration(tx); err != nil {
			return err
		}
		if err := d.countTables(tx, accessCounts(&d.counts)); err != nil {
			return err
		}
		return d.writeProvenance(tx)
	})
	if err != nil {
		return err
	}
	return f.finish(ctx, d.asOf, schemas.AccessColumns)
}

func insertCalibration(tx *sql.Tx) error {
	c := calibration.Standard()
	_, err := tx.Exec("INSERT INTO calibration VALUES (?, ?, ?)", c.Version, calibration.Digest(), c.Walking.SnapM)
	return err
}

// countTables fills counts of the manifest.
func (d *draft) countTables(tx *sql.Tx, counts []tableCount) error {
	for _, c := range counts {
		if err := tx.QueryRow(c.query).Scan(c.count); err != nil {
			return fmt.Errorf("count %s: %w", c.what, err)
		}
	}
	return nil
}

// tableCount is a count of the manifest and where it comes from.
type tableCount struct {
	what, query string
	count       *int64
}

func accessCounts(c *schemas.ReleaseCounts) []tableCount {
	rows := func(table string) string { return "SELECT count(*) FROM " + table }
	return []tableCount{
		{"street nodes", rows("street_node"), &c.StreetNodes},
		{"street edges", rows("street_edge"), &c.StreetEdges},
		{"barriers", rows("barrier"), &c.Barriers},
		{"destinations", rows("destination"), &c.Destinations},
		{"transit services", rows("transit_service"), &c.TransitServices},
		{"scored geographies", "SELECT count(DISTINCT geog_id) FROM geography_score", &c.ScoredGeographies},
		{"typologies", rows("typology"), &c.Typologies},
	}
}

// chunk is how many rows of a derived table are in memory at a time.
const chunk = 1 << 17

// eachNumbered visits the rows of a table whose key is 0, 1, 2 … in this order. The driver holds a whole answer in
// memory, so that a large table is asked for in parts.
func eachNumbered(ctx context.Context, db *duck.DB, table, key, columns string, visit func(number int64, rows *sql.Rows) error) error {
	var count, last int64
	query := fmt.Sprintf("SELECT count(*), coalesce(max(%s), -1) FROM %s WHERE %[1]s >= 0", key, table)
	if err := db.QueryRowContext(ctx, query).Scan(&count, &last); err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	if count != last+1 {
		return fmt.Errorf("read %s: %d rows are not numbered 0, 1, 2 … but up to %d", table, count, last)
	}
	query = fmt.Sprintf("SELECT %s FROM %s WHERE %s >= ? AND %[3]s < ? ORDER BY %[3]s", columns, table, key)
	number := int64(0)
	for number < count {
		rows, err := db.QueryContext(ctx, query, number, number+chunk)
		if err != nil {
			return fmt.Errorf("read %s: %w", table, err)
		}
		for rows.Next() {
			if err := visit(number, rows); err != nil {
				rows.Close()
				return fmt.Errorf("%s %d: %w", table, number, err)
			}
			number++
		}
		if err := rows.Close(); err != nil {
			return fmt.Errorf("read %s: %w", table, err)
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("read %s: %w", table, err)
		}
	}
	return nil
}
