-- The number of POIs by category that only one of the releases has, and of those that both have.
WITH older_poi AS (
    SELECT c.category_id, p.poi_key FROM older.poi AS p JOIN older.poi_category AS c USING (fid)
), newer_poi AS (
    SELECT c.category_id, p.poi_key FROM newer.poi AS p JOIN newer.poi_category AS c USING (fid)
)
SELECT category_id, sum(added), sum(removed), sum(kept) FROM (
    SELECT n.category_id, o.poi_key IS NULL AS added, 0 AS removed, o.poi_key IS NOT NULL AS kept
    FROM newer_poi AS n LEFT JOIN older_poi AS o USING (category_id, poi_key)
    UNION ALL
    SELECT o.category_id, 0, 1, 0
    FROM older_poi AS o LEFT JOIN newer_poi AS n USING (category_id, poi_key)
    WHERE n.poi_key IS NULL
)
GROUP BY category_id
ORDER BY category_id;
