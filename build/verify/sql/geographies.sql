-- Facts about geographies.sqlite. Each query selects the exceptions from its fact; no rows means that it holds.

-- fact: rows are numbered 1, 2, 3 …
SELECT 'geography ' || max(fid) FROM geography HAVING max(fid) <> count(*) OR min(fid) <> 1;

-- fact: a successor is current
SELECT s.geog_id || ' → ' || s.replaced_by FROM geography_superseded AS s
WHERE s.replaced_by IS NOT NULL AND s.replaced_by NOT IN (SELECT geog_id FROM geography);

-- fact: further names are those of current geographies, of a known kind, and not shown already
SELECT n.geog_id || ' ' || n.name FROM geography_name AS n LEFT JOIN geography AS g USING (geog_id)
WHERE g.geog_id IS NULL OR n.name IN ('', g.name_en, g.name_fr)
    OR n.kind NOT IN ('alternate', 'short', 'official', 'old', 'local', 'translation');

-- fact: every further name has a source
SELECT n.geog_id || ' ' || n.name FROM geography_name AS n LEFT JOIN source AS s USING (region, source_id) WHERE s.source_id IS NULL;

-- fact: no id is both current and superseded
SELECT geog_id FROM geography_superseded WHERE geog_id IN (SELECT geog_id FROM geography);

-- fact: bridges lead from superseded geographies to known ones
SELECT b.old_geog_id FROM geog_bridge AS b
WHERE b.old_geog_id NOT IN (SELECT geog_id FROM geography_superseded)
    OR (b.new_geog_id = '') <> (b.kind = 'retired')
    OR b.new_geog_id <> '' AND b.new_geog_id NOT IN (SELECT geog_id FROM geography)
        AND b.new_geog_id NOT IN (SELECT geog_id FROM geography_superseded)
    OR b.kind NOT IN ('reversion', 'redrawn', 'split', 'merge', 'level', 'retired');

-- fact: bridges have shares of 0 to 1, of households where these decided
SELECT old_geog_id || ' → ' || new_geog_id FROM geog_bridge
WHERE area_share NOT BETWEEN 0 AND 1 OR household_share NOT BETWEEN 0 AND 1
    OR measure NOT IN ('households', 'area') OR measure = 'households' AND household_share IS NULL;

-- fact: the parts of a split do not overlap
SELECT old_geog_id FROM geog_bridge WHERE kind = 'split' GROUP BY release, old_geog_id
HAVING sum(CASE measure WHEN 'area' THEN area_share ELSE household_share END) NOT BETWEEN 0.9 AND 1.05;

-- fact: every superseded geography has a bridge
SELECT geog_id FROM geography_superseded WHERE geog_id NOT IN (SELECT old_geog_id FROM geog_bridge);

-- fact: every geography has a source
SELECT g.geog_id FROM geography AS g LEFT JOIN source AS s USING (region, source_id) WHERE s.source_id IS NULL;

-- fact: geometry columns are registered in EPSG:4326
SELECT 'geometry_columns' WHERE (
    SELECT count(*) FROM geometry_columns
    WHERE f_table_name IN ('geography', 'geography_superseded', 'coverage') AND f_geometry_column = 'geometry'
        AND geometry_type = 6 AND coord_dimension = 2 AND srid = 4326) <> 3;

-- fact: every geography is in the spatial index, with its bounding box
SELECT g.geog_id FROM geography AS g LEFT JOIN idx_geography_geometry AS i ON i.pkid = g.fid
WHERE i.pkid IS NULL OR i.xmin > g.west OR i.xmax < g.east OR i.ymin > g.south OR i.ymax < g.north;

-- fact: the spatial index has no other rows than the table
SELECT 'idx_geography_geometry' WHERE (SELECT count(*) FROM idx_geography_geometry) <> (SELECT count(*) FROM geography);
