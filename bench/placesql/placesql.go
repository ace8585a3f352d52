// Package placesql is what PostGIS is asked about places, and how its tables are made from those of a release. In: the tables
// poi, poi_category, poi_brand, poi_tag and outline, as ogr2ogr imports them. Out: SQL.
package placesql

// Load creates one row per place, projected to Web Mercator. The queries correct radii by the secant of the latitude;
// the order of nearest neighbours is the same.
var Load = []string{
	`CREATE TABLE place AS
		WITH c AS (SELECT fid, array_agg(category_id ORDER BY category_id) AS ids FROM poi_category GROUP BY fid),
			b AS (SELECT fid, array_agg(brand_id ORDER BY brand_id) AS ids FROM poi_brand GROUP BY fid),
			t AS (SELECT fid, array_agg(tag_id ORDER BY tag_id) AS ids FROM poi_tag GROUP BY fid)
		SELECT p.*, ST_Transform(p.geometry, 3857) AS plane, c.ids AS categories, coalesce(b.ids, '{}') AS brands, coalesce(t.ids, '{}') AS tags
		FROM poi p JOIN c USING (fid) LEFT JOIN b USING (fid) LEFT JOIN t USING (fid) ORDER BY p.fid`,
	`CREATE INDEX place_plane ON place USING gist (plane)`,
	`CREATE INDEX outline_geometry ON outline USING gist (geometry)`,
	`ALTER TABLE outline ADD COLUMN folded text, ADD COLUMN nearest text`, // the planner would take either index for both queries
	`UPDATE outline SET folded = lower(unaccent(name_en)), nearest = lower(unaccent(name_en))`,
	`CREATE INDEX outline_folded ON outline USING gin (folded gin_trgm_ops)`,
	`CREATE INDEX outline_nearest ON outline USING gist (nearest gist_trgm_ops(siglen=64))`,
	`ANALYZE`,
}

// Nearest are the 500 nearest POIs within 5 km of a longitude and a latitude.
const Nearest = `SELECT name, address, suite, city, state_code, postal_code, country_code, phone, url, categories, brands, tags,
	ST_X(geometry), ST_Y(geometry), ST_Distance(plane, q.c) * q.k AS metres
	FROM place, (SELECT ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 3857) AS c, cos(radians($2)) AS k) q
	WHERE ST_DWithin(plane, q.c, 5000 / q.k) ORDER BY plane <-> q.c LIMIT 500`

// Count is the number of POIs within 5 km.
const Count = `SELECT count(*) FROM place, (SELECT ST_Transform(ST_SetSRID(ST_MakePoint($1, $2), 4326), 3857) AS c, cos(radians($2)) AS k) q
	WHERE ST_DWithin(plane, q.c, 5000 / q.k)`

// At are the geographies at a point.
const At = `SELECT geog_id, level, name_en, name_fr, country_code, state_codes, area_m2, west, south, east, north, centroid_lng, centroid_lat
	FROM outline WHERE ST_Covers(geometry, ST_SetSRID(ST_MakePoint($1, $2), 4326)) ORDER BY level`

// Edge are the geographies on whose edge a point is: PostGIS counts it to all of them, we to one of two neighbours.
const Edge = `SELECT geog_id FROM outline
	WHERE ST_DWithin(ST_Boundary(geometry), ST_SetSRID(ST_MakePoint($1, $2), 4326), 1e-7) ORDER BY geog_id`
