package build

import (
	"context"
	"database/sql"
	"fmt"

	"quartier/build/released"
	"quartier/schemas"
)

// writeGeographies makes geographies.sqlite.
func (d *draft) writeGeographies(ctx context.Context, path string) error {
	f, err := newSpatialFile(path, schemas.BundleGeographies, schemas.BundleProvenance)
	if err != nil {
		return err
	}
	defer f.Close()
	err = d.previous.fill(f, schemas.GeographiesFile, func(tx *sql.Tx) error {
		if err := d.insertGeographies(ctx, tx); err != nil {
			return err
		}
		if err := d.insertSuperseded(ctx, tx); err != nil {
			return err
		}
		if err := d.insertCoverage(ctx, tx); err != nil {
			return err
		}
		return d.writeProvenance(tx)
	})
	if err != nil {
		return err
	}
	return f.finish(ctx, d.asOf, schemas.GeographyColumns)
}

func (d *draft) insertGeographies(ctx context.Context, tx *sql.Tx) error {
	ids := make(map[string]string, len(d.places))
	for i, p := range d.places {
		ids[p.Key] = d.ids.Editions[i].ID
	}
	insert, err := tx.Prepare("INSERT INTO geography VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	levels := map[schemas.Level]int64{}
	for i, p := range d.places {
		if err := ctx.Err(); err != nil {
			return err
		}
		blob, err := d.outlines.blob(i + 1)
		if err != nil {
			return err
		}
		e := d.ids.Editions[i]
		levels[p.Level]++
		_, err = insert.Exec(i+1, e.ID, e.Key, e.IDKey, e.Version, d.regions[p.Region].Name, p.SourceID, int(p.Level),
			p.Name.EN, p.Name.FR, p.Country, p.States,
			null(ids[p.Holder[cityLink]]), null(ids[p.Holder[metroLink]]), null(ids[p.Holder[stateLink]]), null(ids[p.Holder[countryLink]]),
			p.AreaM2, p.Bound.Min[0], p.Bound.Min[1], p.Bound.Max[0], p.Bound.Max[1], p.Centroid[0], p.Centroid[1],
			p.Population, blob)
		if err != nil {
			return fmt.Errorf("write geography %s: %w", p.Key, err)
		}
	}
	for _, level := range schemas.Levels {
		if n := levels[level]; n > 0 {
			d.counts.Geographies = append(d.counts.Geographies, schemas.LevelCount{Level: level, Rows: n})
		}
	}
	return nil
}

// insertSuperseded copies the last data of ids that were given up from the previous release.
func (d *draft) insertSuperseded(ctx context.Context, tx *sql.Tx) error {
	const columns = `source_key, id_key, boundary_version, region, source_id, level, name_en, name_fr, country_code,
		state_codes, city_id, metro_id, state_id, country_id, area_m2, west, south, east, north, centroid_lng,
		centroid_lat, population, geometry`
	const move = `INSERT INTO geography_superseded SELECT ?2, ?1, ?3, ?4, ` + columns + ` FROM (
		SELECT ` + columns + ` FROM previous.geography WHERE geog_id = ?1
		UNION ALL
		SELECT ` + columns + ` FROM previous.geography_superseded WHERE geog_id = ?1)`
	for i, t := range d.ids.Superseded {
		if err := ctx.Err(); err != nil {
			return err
		}
		result, err := tx.Exec(move, t.ID, i+1, null(t.ReplacedBy), t.In)
		if err != nil {
			return fmt.Errorf("write superseded geography %s: %w", t.ID, err)
		}
		if n, err := result.RowsAffected(); err != nil || n != 1 {
			return fmt.Errorf("write superseded geography %s: %d rows in the previous release, %v", t.ID, n, err)
		}
	}
	for _, b := range d.ids.Bridges {
		if _, err := tx.Exec("INSERT INTO geog_bridge VALUES (?, ?, ?, ?, ?)", b.Release, b.Old, b.New, b.Kind, b.Share); err != nil {
			return fmt.Errorf("write bridge from %s to %s: %w", b.Old, b.New, err)
		}
	}
	d.counts.Superseded = int64(len(d.ids.Superseded))
	return nil
}

func (d *draft) insertCoverage(ctx context.Context, tx *sql.Tx) error {
	rows, err := d.conn.QueryContext(ctx, query("coverage"))
	if err != nil {
		return fmt.Errorf("read coverage: %w", err)
	}
	defer rows.Close()
	for fid := 1; rows.Next(); fid++ {
		var code, key string
		var region int
		var data sql.RawBytes
		if err := rows.Scan(&code, &region, &key, &data); err != nil {
			return fmt.Errorf("read coverage: %w", err)
		}
		m, err := decodeOutline(data)
		if err != nil {
			return fmt.Errorf("coverage of %s by %s: %w", code, key, err)
		}
		if _, err := tx.Exec("INSERT INTO coverage VALUES (?, ?, ?, ?, ?)",
			fid, code, d.regions[region].Name, key, released.MultiPolygonBlob(m)); err != nil {
			return fmt.Errorf("write coverage of %s: %w", code, err)
		}
	}
	return rows.Err()
}
