-- Regions whose sources were read and gave neither an outline nor a place nor a street, the first of them; no row is well.
SELECT s.region
FROM source AS s
WHERE s.region NOT IN (SELECT region FROM geography_row) AND s.region NOT IN (SELECT region FROM poi_row)
    AND s.region NOT IN (SELECT region FROM walked)
ORDER BY s.region
LIMIT 1;
