-- Picked POIs that another region joined into one that is picked too, in a fixed order.
SELECT m.merged_key, m.kept_key
FROM merge_row AS m
JOIN poi_pick AS merged ON merged.poi_key = m.merged_key
JOIN poi_pick AS kept ON kept.poi_key = m.kept_key
WHERE m.merged_key <> m.kept_key
ORDER BY m.region, m.kept_key, m.merged_key;
