-- Sources that staged rows and gave the release no outline and no place of their own.
SELECT s.region, s.source_id, s.rows_staged
FROM source AS s
WHERE s.rows_staged > 0
    AND s.kind <> 'brands'
    AND NOT EXISTS (SELECT 1 FROM geography_row AS g WHERE g.region = s.region AND g.source_id = s.source_id)
    AND NOT EXISTS (SELECT 1 FROM poi_row AS p WHERE p.region = s.region AND p.source_id = s.source_id)
ORDER BY s.region, s.priority;
