-- What became of the geographies that are current in the older release alone. The columns at the end are released.BridgeColumns.
SELECT b.old_geog_id, b.new_geog_id, b.kind, %s
FROM newer.geog_bridge AS b
JOIN older.geography AS o ON o.geog_id = b.old_geog_id
LEFT JOIN newer.geography AS n ON n.geog_id = b.old_geog_id
WHERE n.geog_id IS NULL
ORDER BY o.level, b.old_geog_id, area_share DESC, b.new_geog_id;
