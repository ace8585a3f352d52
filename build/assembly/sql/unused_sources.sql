-- Sources with staged outlines and places, streets, schools or catchments, none of which are in the release.
SELECT r.name AS region, s.source_id, g.what, g.rows
FROM staged_count AS g
JOIN source AS s USING (region, source_id)
JOIN region AS r ON r.region = g.region
WHERE g.what = 'outlines and places'
        AND NOT EXISTS (SELECT 1 FROM geography_row AS r WHERE r.region = g.region AND r.source_id = g.source_id)
        AND NOT EXISTS (SELECT 1 FROM poi_source AS r WHERE r.region = g.region AND r.source_id = g.source_id)
        AND NOT EXISTS (SELECT 1 FROM destination_source AS r WHERE r.region = g.region AND r.source_id = g.source_id)
    OR g.what = 'schools'
        AND NOT EXISTS (SELECT 1 FROM school_source_row AS r WHERE r.region = g.region AND r.source_id = g.source_id)
    OR g.what = 'catchments'
        AND NOT EXISTS (SELECT 1 FROM school_catchment_row AS r WHERE r.region = g.region AND r.source_id = g.source_id)
    OR g.what = 'streets'
        AND NOT EXISTS (SELECT 1 FROM street_source AS r WHERE r.region = g.region AND r.source_id = g.source_id)
ORDER BY s.region, s.priority, g.what;
