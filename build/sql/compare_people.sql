-- How many geographies are described in both releases, in the newer one alone and in the older one alone, and by what
-- share the median of those in both has grown in people; that of a superseded geography never moves.
WITH shift AS (
    SELECT n.value / o.value - 1 AS grown
    FROM newer.geography_variable AS n
    JOIN older.geography_variable AS o USING (geog_id, category, variable)
    WHERE n.category = 'population_total' AND n.variable = 'total_individuals' AND o.value > 0
)
SELECT (SELECT count(*) FROM newer.geography_vintage WHERE geog_id IN (SELECT geog_id FROM older.geography_vintage)),
    (SELECT count(*) FROM newer.geography_vintage WHERE geog_id NOT IN (SELECT geog_id FROM older.geography_vintage)),
    (SELECT count(*) FROM older.geography_vintage WHERE geog_id NOT IN (SELECT geog_id FROM newer.geography_vintage)),
    coalesce((SELECT grown FROM shift ORDER BY grown LIMIT 1 OFFSET (SELECT (count(*) - 1) / 2 FROM shift)), 0);
