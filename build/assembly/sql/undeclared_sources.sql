-- The first row whose source the region does not declare.
SELECT r.name, u.kind, u.row_key, u.source_id
FROM (
    SELECT region, 'geography' AS kind, source_key AS row_key, source_id FROM geography_row WHERE as_of IS NULL
    UNION ALL
    SELECT region, 'poi', first_key, source_id FROM poi_source ANTI JOIN source USING (region, source_id)
    UNION ALL
    SELECT region, 'school', school_key, source_id FROM school_row WHERE as_of IS NULL
) AS u
JOIN region AS r ON r.region = u.region
ORDER BY u.region, u.kind, u.row_key
LIMIT 1;
