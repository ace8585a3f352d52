-- Records that were merged into a POI of the release.
SELECT r.name AS region, m.* EXCLUDE (region)
FROM merge_row AS m
SEMI JOIN poi_place AS p ON p.poi_key = m.kept_key
ANTI JOIN dropped_poi AS d ON d.dropped_key = m.kept_key
JOIN region AS r ON r.region = m.region
ORDER BY m.merged_key, m.region;
