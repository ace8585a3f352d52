-- Facts about demographics.sqlite. Each query selects the exceptions from its fact; no rows means that it holds.

-- fact: rows are numbered 1, 2, 3 …
SELECT 'small_area ' || max(fid) FROM small_area HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'small_area_part ' || max(fid) FROM small_area_part HAVING max(fid) <> count(*) OR min(fid) <> 1;

-- fact: parts are ordered by small area
SELECT 'small_area_part ' || p.fid FROM small_area_part AS p LEFT JOIN small_area_part AS before ON before.fid = p.fid - 1
WHERE p.area NOT IN (coalesce(before.area, 1), coalesce(before.area, 0) + 1);

-- fact: every small area has a part with a positive weight, and no weight is negative
SELECT a.source_key FROM small_area AS a
LEFT JOIN (SELECT area, max(persons + households + dwellings) AS most FROM small_area_part GROUP BY area) AS p ON p.area = a.fid
WHERE NOT coalesce(p.most, 0) > 0
UNION ALL
SELECT 'small_area_part ' || fid FROM small_area_part WHERE min(persons, households, dwellings) < 0;

-- fact: figures belong to a small area and are not negative
SELECT v.area || ' ' || v.cell FROM small_area_value AS v
LEFT JOIN small_area AS a ON a.fid = v.area
WHERE a.fid IS NULL OR NOT v.estimate >= 0 OR v.moe < 0;

-- fact: every small area is in a region of the release
SELECT source_key || ' ' || region FROM small_area
WHERE region NOT IN (SELECT region FROM source) OR substr(region_code, 1, 3) NOT IN ('CA_', 'US_') OR length(region_code) <> 5;

-- fact: variables are inside their intervals and not negative
SELECT geog_id || ' ' || variable FROM geography_variable
WHERE NOT value >= 0 OR (lower IS NULL) <> (upper IS NULL) OR NOT coalesce(lower, value) BETWEEN 0 AND value OR NOT coalesce(upper, value) >= value
    OR open_end IS NOT NULL AND (lower IS NOT NULL OR open_end NOT IN ('upper', 'lower'));

-- fact: every geography with variables has a vintage
SELECT v.geog_id FROM (SELECT DISTINCT geog_id FROM geography_variable) AS v
LEFT JOIN geography_vintage AS g USING (geog_id)
WHERE coalesce(g.vintage, '') = '';

-- fact: every geography with a vintage has variables
SELECT g.geog_id FROM geography_vintage AS g
WHERE NOT EXISTS (SELECT 1 FROM geography_variable AS v WHERE v.geog_id = g.geog_id);

-- fact: the vintage of a category is of a geography with variables of it, and one of its vintages
SELECT c.geog_id || ' ' || c.category FROM geography_category_vintage AS c LEFT JOIN geography_vintage AS g USING (geog_id)
WHERE c.vintage = '' OR instr(coalesce(g.vintage, ''), substr(c.vintage, 1, instr(c.vintage || ',', ',') - 1)) = 0
    OR NOT EXISTS (SELECT 1 FROM geography_variable AS v WHERE v.geog_id = c.geog_id AND v.category = c.category);

-- fact: geometry columns are registered in EPSG:4326
SELECT 'geometry_columns' WHERE (
    SELECT count(*) FROM geometry_columns
    WHERE f_geometry_column = 'geometry' AND coord_dimension = 2 AND srid = 4326
        AND f_table_name IN ('small_area_part', 'ground') AND geometry_type = 6) <> 2;

-- fact: every part is in the spatial index
SELECT 'small_area_part ' || p.fid FROM small_area_part AS p LEFT JOIN idx_small_area_part_geometry AS i ON i.pkid = p.fid WHERE i.pkid IS NULL;

-- fact: the spatial index has no other rows than the table
SELECT 'idx_small_area_part_geometry' WHERE (SELECT count(*) FROM idx_small_area_part_geometry) <> (SELECT count(*) FROM small_area_part);

-- fact: ground is in a region, and covered or not
SELECT 'ground ' || fid FROM ground
WHERE substr(region_code, 1, 3) NOT IN ('CA_', 'US_') OR length(region_code) <> 5 OR covered NOT IN (0, 1);

-- fact: coverage is of a geography with variables, and partial
SELECT c.geog_id FROM geography_coverage AS c LEFT JOIN geography_vintage AS g USING (geog_id)
WHERE g.geog_id IS NULL OR NOT c.coverage BETWEEN 0.4999 AND 0.99505;
