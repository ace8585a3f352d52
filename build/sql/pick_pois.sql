-- name: pick_pois
-- One row a POI: that of the newest source, among equals that of the region named first.
INSERT INTO poi_pick
SELECT poi_key, region, lng, lat
FROM (
    SELECT poi_key, region, lng, lat, row_number() OVER (PARTITION BY poi_key ORDER BY as_of DESC, region) AS place
    FROM poi_row
)
WHERE place = 1;
