-- Facts about pois.sqlite. Each query selects the exceptions from its fact; no rows means that it holds.

-- fact: rows are numbered 1, 2, 3 …
SELECT 'poi ' || max(fid) FROM poi HAVING max(fid) <> count(*) OR min(fid) <> 1;

-- fact: every poi is in a category
SELECT poi_key FROM poi AS p WHERE NOT EXISTS (SELECT 1 FROM poi_category AS c WHERE c.fid = p.fid);

-- fact: terms are in their vocabularies, with the number of their pois
SELECT 'category ' || category_id FROM (
    SELECT category_id, count(*) AS n FROM poi_category GROUP BY category_id)
    LEFT JOIN category USING (category_id) WHERE pois IS NOT n
UNION ALL
SELECT 'base category ' || category_id FROM (
    SELECT category_id, count(*) AS n FROM poi_base_category GROUP BY category_id)
    LEFT JOIN base_category USING (category_id) WHERE pois IS NOT n
UNION ALL
SELECT 'brand ' || brand_id FROM (
    SELECT brand_id, count(*) AS n FROM poi_brand GROUP BY brand_id)
    LEFT JOIN brand USING (brand_id) WHERE pois IS NOT n
UNION ALL
SELECT 'tag ' || tag_id FROM (
    SELECT tag_id, count(*) AS n FROM poi_tag GROUP BY tag_id)
    LEFT JOIN tag USING (tag_id) WHERE pois IS NOT n;

-- fact: vocabularies do not count other pois
SELECT 'totals' WHERE (SELECT sum(pois) FROM category) <> (SELECT count(*) FROM poi_category)
    OR (SELECT sum(pois) FROM base_category) <> (SELECT count(*) FROM poi_base_category)
    OR (SELECT coalesce(sum(pois), 0) FROM brand) <> (SELECT count(*) FROM poi_brand)
    OR (SELECT coalesce(sum(pois), 0) FROM tag) <> (SELECT count(*) FROM poi_tag);

-- fact: known ground is numbered 1, 2, 3 …, of sources of the release, and of categories in the vocabularies
SELECT 'known ground ' || max(fid) FROM known_ground HAVING max(fid) <> count(*)
UNION ALL
SELECT 'source ' || k.source_id FROM known_ground AS k LEFT JOIN source AS s USING (region, source_id) WHERE s.source_id IS NULL
UNION ALL
SELECT 'category ' || value FROM known_ground, json_each('["' || replace(categories, ',', '","') || '"]')
WHERE categories <> '' AND value NOT IN (SELECT category_id FROM category)
UNION ALL
SELECT 'base category ' || value FROM known_ground, json_each('["' || replace(base_categories, ',', '","') || '"]')
WHERE base_categories <> '' AND value NOT IN (SELECT category_id FROM base_category);

-- fact: merges lead to pois of the release
SELECT merged_key FROM poi_merge WHERE kept_key NOT IN (SELECT poi_key FROM poi);

-- fact: corrections are of pois of the release, or of some that were dropped
SELECT poi_key FROM poi_correction WHERE action <> 'drop' AND poi_key NOT IN (SELECT poi_key FROM poi);

-- fact: every poi has a source
SELECT p.poi_key FROM poi AS p LEFT JOIN source AS s USING (region, source_id) WHERE s.source_id IS NULL;

-- fact: geometry columns are registered in EPSG:4326
SELECT 'geometry_columns' WHERE (
    SELECT count(*) FROM geometry_columns
    WHERE f_table_name = 'poi' AND f_geometry_column = 'geometry'
        AND geometry_type = 1 AND coord_dimension = 2 AND srid = 4326) <> 1;

-- fact: every poi is in the spatial index, which has nothing else
SELECT 'poi ' || i.pkid FROM idx_poi_geometry AS i LEFT JOIN poi AS t ON t.fid = i.pkid WHERE t.fid IS NULL
UNION ALL
SELECT 'idx_poi_geometry' WHERE (SELECT count(*) FROM idx_poi_geometry) <> (SELECT count(*) FROM poi);
