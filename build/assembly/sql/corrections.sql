-- Corrections that were applied to POIs of the release, or that dropped one.
SELECT r.name AS region, c.* EXCLUDE (region, line), CAST(c.line AS BIGINT) AS line
FROM correction_row AS c
JOIN region AS r ON r.region = c.region
WHERE c.action = 'drop' OR c.poi_key IN (
    SELECT poi_key FROM poi_place SEMI JOIN correction_row USING (poi_key) ANTI JOIN dropped_poi ON dropped_key = poi_key
)
ORDER BY r.name, c.source_id, c.line;
