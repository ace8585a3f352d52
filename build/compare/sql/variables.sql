-- The variables of the geographies that are current in both releases, a row for each that either release has. A superseded
-- geography keeps its last figures: it would only show that they did not change.
WITH current AS MATERIALIZED (
    SELECT geog_id, o.level FROM older_geographies.geography AS o JOIN newer_geographies.geography AS n USING (geog_id)
)
SELECT c.level, o.category || '/' || o.variable, o.value, n.value
FROM current AS c JOIN older.geography_variable AS o USING (geog_id)
LEFT JOIN newer.geography_variable AS n ON n.geog_id = c.geog_id AND n.category = o.category AND n.variable = o.variable
UNION ALL
SELECT c.level, n.category || '/' || n.variable, NULL, n.value
FROM current AS c JOIN newer.geography_variable AS n USING (geog_id)
LEFT JOIN older.geography_variable AS o ON o.geog_id = c.geog_id AND o.category = n.category AND o.variable = n.variable
WHERE o.geog_id IS NULL;
