-- Records that were merged into a POI of the release.
SELECT r.name AS region, m.* EXCLUDE (region)
FROM merge_row AS m
JOIN poi_order AS o ON o.poi_key = m.kept_key
JOIN region AS r ON r.region = m.region
ORDER BY m.merged_key, m.region;
