-- The issues of all regions.
SELECT r.name AS region, i.* EXCLUDE (region)
FROM issue AS i
JOIN region AS r ON r.region = i.region
ORDER BY i.region, i.step, i.source_id, i.severity, i.code, i.detail;
