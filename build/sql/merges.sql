-- Records joined into a POI of the release.
SELECT m.kept_key, m.merged_key, m.region, m.distance_m, m.name_similarity, m.reason
FROM merge_row AS m
JOIN poi_order AS o ON o.poi_key = m.kept_key
ORDER BY m.merged_key, m.region;
