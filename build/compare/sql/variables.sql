-- The variables of the geographies that are current in both releases, a row for each that either release has. A superseded
-- geography keeps its last figures: it would only show that they did not change.
-- Of a level with many geographies it takes some 2,000, evenly.
WITH numbered AS (
    SELECT geog_id, o.level, row_number() OVER (PARTITION BY o.level ORDER BY geog_id) AS number, count(*) OVER (PARTITION BY o.level) AS all_of_level
    FROM older_geographies.geography AS o JOIN newer_geographies.geography AS n USING (geog_id)
), current AS MATERIALIZED (
    SELECT geog_id, level FROM numbered WHERE number % (1 + all_of_level / 2000) = 0
)
SELECT c.level, o.category || '/' || o.variable, o.value, n.value
FROM current AS c JOIN older.geography_variable AS o USING (geog_id)
LEFT JOIN newer.geography_variable AS n ON n.geog_id = c.geog_id AND n.category = o.category AND n.variable = o.variable
UNION ALL
SELECT c.level, n.category || '/' || n.variable, NULL, n.value
FROM current AS c JOIN newer.geography_variable AS n USING (geog_id)
LEFT JOIN older.geography_variable AS o ON o.geog_id = c.geog_id AND o.category = n.category AND o.variable = n.variable
WHERE o.geog_id IS NULL;
