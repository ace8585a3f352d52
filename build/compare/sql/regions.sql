-- The current geographies by region and level.
SELECT region, level, sum(1 - side), sum(side)
FROM (SELECT 0 AS side, region, level FROM older.geography UNION ALL SELECT 1, region, level FROM newer.geography)
GROUP BY region, level ORDER BY region, level;
