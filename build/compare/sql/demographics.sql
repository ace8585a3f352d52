-- The number of geographies with demographics in both releases, in the newer one only and in the older one only, and the
-- median relative change of population of those in both. That of a superseded geography is always 0.
WITH change AS (
    SELECT n.value / o.value - 1 AS growth
    FROM newer.geography_variable AS n
    JOIN older.geography_variable AS o USING (geog_id, category, variable)
    WHERE n.category = 'population_total' AND n.variable = 'total_individuals' AND o.value > 0
)
SELECT (SELECT count(*) FROM newer.geography_vintage WHERE geog_id IN (SELECT geog_id FROM older.geography_vintage)),
    (SELECT count(*) FROM newer.geography_vintage WHERE geog_id NOT IN (SELECT geog_id FROM older.geography_vintage)),
    (SELECT count(*) FROM older.geography_vintage WHERE geog_id NOT IN (SELECT geog_id FROM newer.geography_vintage)),
    coalesce((SELECT growth FROM change ORDER BY growth LIMIT 1 OFFSET (SELECT (count(*) - 1) / 2 FROM change)), 0);
