-- Facts about private.sqlite. Each query selects the exceptions from its fact; no rows means that it holds.

-- fact: rows are numbered 1, 2, 3 …
SELECT 'custom_geography ' || max(fid) FROM custom_geography HAVING max(fid) <> count(*) OR min(fid) <> 1;

-- fact: requests are numbered in the order of their file
SELECT 'request ' || max(position) FROM request HAVING max(position) <> count(*) - 1 OR min(position) <> 0 OR count(DISTINCT position) <> count(*);

-- fact: every geography is of a request, and of its customer
SELECT g.geog_id FROM custom_geography AS g LEFT JOIN request AS r USING (geo_entity_id) WHERE g.owner IS NOT r.owner OR g.owner = '';

-- fact: a request has at most one geography that is not superseded
SELECT geo_entity_id FROM custom_geography WHERE status <> 'superseded' GROUP BY geo_entity_id HAVING count(*) > 1;

-- fact: geographies are current, deprecated by their request, or superseded
SELECT g.geog_id FROM custom_geography AS g LEFT JOIN request AS r USING (geo_entity_id)
WHERE g.status NOT IN ('current', 'deprecated', 'superseded') OR (g.status = 'deprecated') <> (r.action = 'deprecate' AND g.status <> 'superseded');

-- fact: the id of a request is that of its geography which is not superseded
SELECT r.geo_entity_id FROM request AS r LEFT JOIN custom_geography AS g ON g.geog_id = r.geog_id
WHERE r.geog_id IS NOT NULL AND (g.geo_entity_id IS NOT r.geo_entity_id OR g.status = 'superseded');

-- fact: a request has an id or a problem
SELECT geo_entity_id FROM request WHERE (geog_id IS NULL) <> (coalesce(problem, '') <> '') OR action NOT IN ('keep', 'publish', 'deprecate');

-- fact: what replaces a superseded geography is the current one of its request
SELECT g.geog_id FROM custom_geography AS g LEFT JOIN custom_geography AS by ON by.geog_id = g.replaced_by
WHERE g.replaced_by IS NOT NULL AND (g.status <> 'superseded' OR by.status IS NOT 'current' OR by.geo_entity_id IS NOT g.geo_entity_id);

-- fact: geometry columns are registered in EPSG:4326
SELECT 'geometry_columns' WHERE (
    SELECT count(*) FROM geometry_columns
    WHERE f_table_name = 'custom_geography' AND f_geometry_column = 'geometry' AND geometry_type = 6 AND coord_dimension = 2 AND srid = 4326) <> 1;

-- fact: every geography is in the spatial index
SELECT g.geog_id FROM custom_geography AS g LEFT JOIN idx_custom_geography_geometry AS i ON i.pkid = g.fid WHERE i.pkid IS NULL;
