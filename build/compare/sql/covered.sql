-- The current geographies of each level that have a product. The table is that of schemas older and newer.
SELECT level, sum(1 - side), sum(side) FROM (
    SELECT 0 AS side, g.level FROM older_geographies.geography AS g WHERE EXISTS (SELECT 1 FROM older.%[1]s AS t WHERE t.geog_id = g.geog_id)
    UNION ALL
    SELECT 1, g.level FROM newer_geographies.geography AS g WHERE EXISTS (SELECT 1 FROM newer.%[1]s AS t WHERE t.geog_id = g.geog_id)
)
GROUP BY level ORDER BY level;
