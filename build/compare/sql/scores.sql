-- The scores of the geographies that are current in both releases, a row for each that either release has. A superseded
-- geography keeps its last scores: it would only show that they did not change.
WITH current AS MATERIALIZED (
    SELECT geog_id, o.level FROM older_geographies.geography AS o JOIN newer_geographies.geography AS n USING (geog_id)
)
SELECT c.level, o.score, o.value, n.value
FROM current AS c JOIN older.geography_score AS o USING (geog_id)
LEFT JOIN newer.geography_score AS n ON n.geog_id = c.geog_id AND n.score = o.score
UNION ALL
SELECT c.level, n.score, NULL, n.value
FROM current AS c JOIN newer.geography_score AS n USING (geog_id)
LEFT JOIN older.geography_score AS o ON o.geog_id = c.geog_id AND o.score = n.score
WHERE o.geog_id IS NULL;
