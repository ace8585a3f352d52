-- Regions whose sources were read and gave neither an outline nor a place, the first of them; no row is well.
SELECT s.region
FROM source AS s
WHERE s.region NOT IN (SELECT region FROM geography_row) AND s.region NOT IN (SELECT region FROM poi_row)
ORDER BY s.region
LIMIT 1;
