-- The geographies of each level with statistics of the last 90 days.
SELECT level, sum(1 - side), sum(side) FROM (
    SELECT DISTINCT 0 AS side, geog_id, CAST(substr(geog_id, 2, 2) AS INTEGER) AS level FROM older.market_stat WHERE code = '90d'
    UNION ALL
    SELECT DISTINCT 1, geog_id, CAST(substr(geog_id, 2, 2) AS INTEGER) FROM newer.market_stat WHERE code = '90d'
)
GROUP BY level ORDER BY level;
