-- The sources of all regions.
SELECT r.name AS region, s.* EXCLUDE (region)
FROM source AS s
JOIN region AS r ON r.region = s.region
ORDER BY s.region, s.priority, s.source_id;
