package released

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/build/identity"
	"quartier/internal/geo"
)

// History reads the ids that geographies.sqlite has, current and superseded.
func History(ctx context.Context, db *sql.DB) (h identity.History, err error) {
	h.Current, err = Collect(ctx, db, `SELECT geog_id, source_key, id_key, boundary_version, level, area_m2,
		west, south, east, north, geometry FROM geography ORDER BY geog_id`,
		func(rows *sql.Rows, o *identity.Outline) error {
			var blob sql.RawBytes
			err := rows.Scan(&o.ID, &o.Key, &o.IDKey, &o.Number, &o.Level, &o.AreaM2,
				&o.Bound.Min[0], &o.Bound.Min[1], &o.Bound.Max[0], &o.Bound.Max[1], &blob)
			o.Geometry = sha256.Sum256(blob)
			return err
		})
	if err != nil {
		return h, fmt.Errorf("read geographies: %w", err)
	}
	h.Superseded, err = Collect(ctx, db, `SELECT geog_id, source_key, id_key, boundary_version, level,
		coalesce(replaced_by, ''), superseded_in, area_m2, CASE WHEN replaced_by IS NULL THEN geometry END
		FROM geography_superseded ORDER BY geog_id`,
		func(rows *sql.Rows, s *identity.Superseded) error {
			var blob sql.RawBytes
			err := rows.Scan(&s.ID, &s.Key, &s.IDKey, &s.Number, &s.Level, &s.ReplacedBy, &s.Release, &s.AreaM2, &blob)
			if blob != nil {
				s.Geometry = sha256.Sum256(blob)
			}
			return err
		})
	if err != nil {
		return h, fmt.Errorf("read superseded geographies: %w", err)
	}
	h.Bridges, err = Bridges(ctx, db)
	return h, err
}

// Bridges reads the rows of geog_bridge in the order of its primary key.
func Bridges(ctx context.Context, db *sql.DB) (list []identity.Bridge, err error) {
	columns, err := BridgeColumns(ctx, db, "main")
	if err != nil {
		return nil, err
	}
	list, err = Collect(ctx, db, `SELECT release, old_geog_id, new_geog_id, kind, `+columns+`
		FROM geog_bridge AS b ORDER BY release, old_geog_id, new_geog_id`,
		func(rows *sql.Rows, b *identity.Bridge) error {
			return rows.Scan(&b.Release, &b.Old, &b.New, &b.Kind, &b.AreaShare, &b.HouseholdShare, &b.Measure)
		})
	if err != nil {
		return nil, fmt.Errorf("read bridges between geographies: %w", err)
	}
	return list, nil
}

// BridgeColumns are the columns area_share, household_share and measure of table geog_bridge AS b of an attached geographies.sqlite.
// Layouts up to 8 measured areas alone.
func BridgeColumns(ctx context.Context, db *sql.DB, schema string) (string, error) {
	present, err := Columns(ctx, db, schema, "geog_bridge")
	if err == nil && !slices.Contains(present, "measure") {
		return "b.share AS area_share, NULL AS household_share, 'area' AS measure", nil
	}
	return "b.area_share, b.household_share, b.measure", err
}

// Columns are the columns of a table of an attached file, in its order; none where there is no such table.
func Columns(ctx context.Context, db Queryer, schema, table string) (names []string, err error) {
	err = Each(ctx, db, "SELECT name FROM pragma_table_info(?, ?)", []any{table, schema}, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read columns of %s: %w", table, err)
	}
	return names, nil
}

// Outline reads the outline of a geography, current or superseded, from geographies.sqlite.
func Outline(db *sql.DB, id string) (orb.MultiPolygon, error) {
	var blob []byte
	const text = `SELECT geometry FROM geography WHERE geog_id = ?1
		UNION ALL SELECT geometry FROM geography_superseded WHERE geog_id = ?1`
	if err := db.QueryRow(text, id).Scan(&blob); err != nil {
		return nil, fmt.Errorf("read outline of %s: %w", id, err)
	}
	m, err := ReadMultiPolygon(blob)
	if err == nil {
		err = CheckOutline(m)
	}
	if err != nil {
		return nil, fmt.Errorf("outline of %s: %w", id, err)
	}
	return m, nil
}

// CheckOutline returns an error where m is not a multipolygon of closed rings with valid coordinates.
func CheckOutline(m orb.MultiPolygon) error {
	if len(m) == 0 {
		return fmt.Errorf("no polygons")
	}
	for _, polygon := range m {
		if len(polygon) == 0 {
			return fmt.Errorf("polygon without rings")
		}
		for _, ring := range polygon {
			if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
				return fmt.Errorf("open ring of %d points", len(ring))
			}
			for _, p := range ring {
				if !geo.Valid(p) {
					return fmt.Errorf("invalid point %v, %v", p[0], p[1])
				}
			}
		}
	}
	return nil
}
