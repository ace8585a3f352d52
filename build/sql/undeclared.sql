-- Rows whose source the region does not declare, the first of them; no row is well.
SELECT region, 'geography' AS kind, source_key AS row_key, source_id
FROM geography_row
WHERE as_of IS NULL
UNION ALL
SELECT region, 'poi', poi_key, source_id
FROM poi_row
WHERE as_of IS NULL
ORDER BY region, kind, row_key
LIMIT 1;
