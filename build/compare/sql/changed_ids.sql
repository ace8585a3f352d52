-- The geographies whose id or outline is another one, by level. Of the older release: 'lost' where the newer one does not answer
-- the id, 'retired' where it has none that the id could point to, else 'replaced'. Of the newer one: 'new' where it succeeds
-- none of the older one, 'coarser' where the outline has less than half of the bytes that it had under the same source key.
SELECT o.level, o.geog_id, o.name_en,
    CASE WHEN s.geog_id IS NULL THEN 'lost' WHEN s.replaced_by IS NULL THEN 'retired' ELSE 'replaced' END AS fate
FROM older.geography AS o
LEFT JOIN newer.geography AS n USING (geog_id)
LEFT JOIN newer.geography_superseded AS s ON s.geog_id = o.geog_id
WHERE n.geog_id IS NULL
UNION ALL
SELECT level, geog_id, name_en, 'new'
FROM newer.geography
WHERE geog_id NOT IN (SELECT geog_id FROM older.geography)
    AND geog_id NOT IN (SELECT b.new_geog_id FROM newer.geog_bridge AS b JOIN older.geography AS o ON o.geog_id = b.old_geog_id WHERE b.new_geog_id IS NOT NULL)
    AND geog_id NOT IN (SELECT s.replaced_by FROM newer.geography_superseded AS s JOIN older.geography AS o USING (geog_id) WHERE s.replaced_by IS NOT NULL)
UNION ALL
SELECT n.level, n.geog_id, n.name_en, 'coarser'
FROM newer.geography AS n
JOIN older.geography AS o USING (level, source_key)
WHERE 2 * length(n.geometry) < length(o.geometry)
ORDER BY 1, 4, 2;
