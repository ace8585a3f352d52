-- Coverage: extents as every region tells them, outlines as the region whose geography was picked does.
SELECT c.region_code, c.region, c.source_key, c.geom
FROM coverage_row AS c
LEFT JOIN geography_pick AS p USING (source_key)
WHERE p.region IS NULL OR p.region = c.region
ORDER BY c.region_code, c.region, c.source_key;
