-- POIs that one region has and another merged into one that a region has too, in a fixed order.
SELECT m.merged_key, m.kept_key
FROM merge_row AS m
SEMI JOIN poi_place AS merged ON merged.poi_key = m.merged_key
SEMI JOIN poi_place AS kept ON kept.poi_key = m.kept_key
WHERE m.merged_key <> m.kept_key
ORDER BY m.region, m.kept_key, m.merged_key;
