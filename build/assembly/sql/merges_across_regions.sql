-- Selected POIs that another region merged into a POI that is selected too, in a fixed order.
SELECT m.merged_key, m.kept_key
FROM merge_row AS m
JOIN selected_poi AS merged ON merged.poi_key = m.merged_key
JOIN selected_poi AS kept ON kept.poi_key = m.kept_key
WHERE m.merged_key <> m.kept_key
ORDER BY m.region, m.kept_key, m.merged_key;
