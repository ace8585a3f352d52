-- The number of current geographies of the older release by level and change: 'kept', a kind of geog_bridge, or 'lost'
-- where the newer release does not continue the older one; and of those that are new.
SELECT o.level, CASE
        WHEN n.geog_id IS NOT NULL THEN 'kept'
        WHEN s.geog_id IS NULL THEN 'lost'
        ELSE (SELECT min(b.kind) FROM newer.geog_bridge AS b WHERE b.old_geog_id = o.geog_id)
    END AS kind, count(*) AS rows
FROM older.geography AS o
LEFT JOIN newer.geography AS n USING (geog_id)
LEFT JOIN newer.geography_superseded AS s ON s.geog_id = o.geog_id
GROUP BY 1, 2
UNION ALL
SELECT level, 'new', count(*)
FROM newer.geography
WHERE geog_id NOT IN (SELECT geog_id FROM older.geography)
GROUP BY 1
ORDER BY 1, 2;
