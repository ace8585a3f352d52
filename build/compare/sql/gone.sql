-- The geographies that are gone without a successor, by level: the newer release does not know the id, or has none that it
-- could point to.
SELECT o.level, o.geog_id, o.name_en, s.geog_id IS NULL
FROM older.geography AS o
LEFT JOIN newer.geography AS n USING (geog_id)
LEFT JOIN newer.geography_superseded AS s ON s.geog_id = o.geog_id
WHERE n.geog_id IS NULL AND s.replaced_by IS NULL
ORDER BY o.level, o.geog_id;
