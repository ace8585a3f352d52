-- The current geographies of each level, and the sum of their populations; NULL where none is known.
SELECT level,
    count(*) FILTER (WHERE side = 0), sum(population) FILTER (WHERE side = 0),
    count(*) FILTER (WHERE side = 1), sum(population) FILTER (WHERE side = 1)
FROM (SELECT 0 AS side, level, population FROM older.geography UNION ALL SELECT 1, level, population FROM newer.geography)
GROUP BY level ORDER BY level;
