-- Coverage: the extents of all regions, and the outlines of the region whose geography was selected.
SELECT r.name AS region, c.* EXCLUDE (region)
FROM coverage_row AS c
JOIN region AS r ON r.region = c.region
LEFT JOIN selected_geography AS g ON g.source_key = c.source_key
WHERE g.region IS NULL OR g.region = c.region
ORDER BY c.region_code, c.region, c.source_key;
