-- Sources that staged outlines and places, or streets, and gave the release none of them.
SELECT s.region, s.source_id, g.what, g.rows
FROM given AS g
JOIN source AS s USING (region, source_id)
WHERE g.what = 'outlines and places'
        AND NOT EXISTS (SELECT 1 FROM geography_row AS r WHERE r.region = g.region AND r.source_id = g.source_id)
        AND NOT EXISTS (SELECT 1 FROM poi_row AS r WHERE r.region = g.region AND r.source_id = g.source_id)
        AND NOT EXISTS (SELECT 1 FROM counted AS r WHERE r.region = g.region AND r.source_id = g.source_id)
    OR g.what = 'streets'
        AND NOT EXISTS (SELECT 1 FROM walked AS r WHERE r.region = g.region AND r.source_id = g.source_id)
ORDER BY s.region, s.priority, g.what;
