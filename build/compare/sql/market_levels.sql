-- The geographies of each level with statistics.
SELECT CAST(substr(geog_id, 2, 2) AS INTEGER) AS level, sum(1 - side), sum(side)
FROM (SELECT DISTINCT geog_id, 0 AS side FROM older_stat UNION ALL SELECT DISTINCT geog_id, 1 FROM newer_stat)
GROUP BY level ORDER BY level;
