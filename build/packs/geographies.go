package packs

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"path/filepath"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/pack/geographies"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// writeGeographies takes populations that the outlines' sources do not have from demographics.sqlite in folder dir. parents
// are the names of parents that db does not have, by geog_id: not nil for geographies of many owners.
func writeGeographies(ctx context.Context, db *sql.DB, parents map[string]schemas.Text, dir, to string) error {
	people, err := readPopulations(ctx, filepath.Join(dir, schemas.DemographicsFile))
	if err != nil {
		return err
	}
	w, err := geographies.NewWriter(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer w.Close()
	w.Overlapping = parents != nil
	names, err := readNames(ctx, db)
	if err != nil {
		return err
	}
	err = eachGeography(ctx, db, parents, func(r *geographies.Record) error {
		r.AltNames = names[r.ID]
		r.People = r.Population
		if counted, ok := people[r.ID]; ok && r.People == nil {
			r.People = &counted
		}
		return w.Add(r)
	})
	if err != nil {
		return err
	}
	if err := eachCoverage(ctx, db, w.AddCoverage); err != nil {
		return err
	}
	return finishPack(to, w.Finish)
}

// readPopulations returns the populations of geographies by geog_id, as the demographics by geography answer them.
func readPopulations(ctx context.Context, path string) (map[string]int64, error) {
	db, err := released.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	people := map[string]int64{}
	const query = "SELECT geog_id, value FROM geography_variable WHERE category = 'population_total' AND variable = 'total_individuals'"
	err = released.Each(ctx, db, query, nil, sqlrow.Visit2(func(id string, value float64) error {
		people[id] = int64(math.Round(value))
		return nil
	}))
	return people, err
}

// readNames returns the further names of geographies by geog_id.
func readNames(ctx context.Context, db *sql.DB) (map[string][]string, error) {
	names := map[string][]string{}
	err := released.Each(ctx, db, "SELECT geog_id, name FROM geography_name ORDER BY geog_id, name", nil,
		sqlrow.Visit2(func(id, name string) error {
			names[id] = append(names[id], name)
			return nil
		}))
	return names, err
}

// geographyRecords selects current and superseded geographies with the names of their city and metro area, which may
// be superseded themselves.
const geographyRecords = `
WITH every AS (
	SELECT 0 AS superseded, '' AS since, '' AS replaced_by, geog_id, level, name_en, name_fr, country_code, state_codes, city_id,
		metro_id, state_id, country_id, area_m2, west, south, east, north, centroid_lng, centroid_lat, population, geometry
	FROM geography
	UNION ALL
	SELECT 1, coalesce(superseded_as_of, ''), coalesce(replaced_by, ''), geog_id, level, name_en, name_fr, country_code, state_codes, city_id,
		metro_id, state_id, country_id, area_m2, west, south, east, north, centroid_lng, centroid_lat, population, geometry
	FROM geography_superseded
)
SELECT e.superseded, e.since, e.replaced_by, e.geog_id, e.level, e.name_en, e.name_fr, e.country_code, e.state_codes,
	e.city_id, coalesce(c.name_en, oldc.name_en), coalesce(c.name_fr, oldc.name_fr),
	e.metro_id, coalesce(m.name_en, oldm.name_en), coalesce(m.name_fr, oldm.name_fr),
	coalesce((SELECT group_concat(parent_id ORDER BY level) FROM geography_parent AS p WHERE p.geog_id = e.geog_id),
		iif(e.level < 30, coalesce(e.city_id || ',', ''), '') || iif(e.level < 40, coalesce(e.metro_id || ',', ''), '') ||
		iif(e.level < 60, coalesce(e.state_id || ',', ''), '') || iif(e.level < 70, coalesce(e.country_id, ''), '')),
	e.area_m2, e.west, e.south, e.east, e.north, e.centroid_lng, e.centroid_lat, e.population, e.geometry
FROM every AS e
LEFT JOIN geography AS c ON c.geog_id = e.city_id
LEFT JOIN geography_superseded AS oldc ON oldc.geog_id = e.city_id
LEFT JOIN geography AS m ON m.geog_id = e.metro_id
LEFT JOIN geography_superseded AS oldm ON oldm.geog_id = e.metro_id`

func eachGeography(ctx context.Context, db *sql.DB, parents map[string]schemas.Text, visit func(*geographies.Record) error) error {
	return released.Each(ctx, db, geographyRecords, nil, func(rows *sql.Rows) error {
		var r geographies.Record
		var states, above string
		var city, metro [3]sql.NullString
		var population sql.NullInt64
		var blob sql.RawBytes
		err := rows.Scan(&r.Superseded, &r.Since, &r.ReplacedBy, &r.ID, &r.Level, &r.Name.EN, &r.Name.FR, &r.CountryCode,
			&states, &city[0], &city[1], &city[2], &metro[0], &metro[1], &metro[2], &above, &r.AreaM2,
			&r.BBox.Min[0], &r.BBox.Min[1], &r.BBox.Max[0], &r.BBox.Max[1], &r.Centroid[0], &r.Centroid[1],
			&population, &blob)
		if err != nil {
			return err
		}
		r.StateCodes, r.Parents = splitList(states), splitList(above)
		r.City, r.Metro = ref(city, parents), ref(metro, parents)
		if population.Valid {
			r.Population = &population.Int64
		}
		if r.Geometry, err = released.ReadMultiPolygon(blob); err == nil {
			err = visit(&r)
		}
		if err != nil {
			return fmt.Errorf("geography %s: %w", r.ID, err)
		}
		return nil
	})
}

// ref names a parent; nil if it has none.
func ref(row [3]sql.NullString, parents map[string]schemas.Text) *geographies.Ref {
	id, name := row[0].String, schemas.Text{EN: row[1].String, FR: row[2].String}
	if !row[1].Valid {
		var known bool
		if name, known = parents[id]; !known {
			return nil
		}
	}
	return &geographies.Ref{ID: id, Name: name}
}

func eachCoverage(ctx context.Context, db *sql.DB, visit func(code string, extent bool, m orb.MultiPolygon) error) error {
	const query = "SELECT region_code, source_key LIKE 'extent:%' AS extent, geometry FROM coverage ORDER BY extent, fid"
	return released.Each(ctx, db, query, nil, sqlrow.Visit3(func(code string, extent bool, blob sql.RawBytes) error {
		m, err := released.ReadMultiPolygon(blob)
		if err == nil {
			err = visit(code, extent, m)
		}
		if err != nil {
			return fmt.Errorf("coverage of %s: %w", code, err)
		}
		return nil
	}))
}
