-- name: leave_pois
-- Of a POI that several regions have, the row with the newest source is kept, of several that of the first region. Only keys
-- with the hash of another one are compared, which takes less memory than all keys.
INSERT INTO left_poi BY NAME
SELECT region, number
FROM (
    SELECT region, number, row_number() OVER (PARTITION BY poi_key ORDER BY as_of DESC, region) AS place
    FROM poi_place
    WHERE hash(poi_key) IN (SELECT hash(poi_key) FROM poi_place GROUP BY hash(poi_key) HAVING count(*) > 1)
)
WHERE place > 1;
