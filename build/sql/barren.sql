-- Regions whose sources were read and gave neither an outline nor a place nor a street nor a figure about people, the
-- first of them; no row is well.
SELECT s.region
FROM source AS s
WHERE s.region NOT IN (SELECT region FROM geography_row) AND s.region NOT IN (SELECT region FROM poi_row)
    AND s.region NOT IN (SELECT region FROM walked) AND s.region NOT IN (SELECT region FROM peopled)
ORDER BY s.region
LIMIT 1;
