-- name: select_pois
-- One row for each POI: that with the newest source, of several that of the first region.
INSERT INTO selected_poi BY NAME
SELECT number, poi_key, region, lng, lat
FROM (
    SELECT rowid AS number, poi_key, region, lng, lat, row_number() OVER (PARTITION BY poi_key ORDER BY as_of DESC, region) AS place
    FROM poi_row
)
WHERE place = 1
ORDER BY number;
