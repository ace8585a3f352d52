-- name: pick_geographies
-- One row a source key: that of the newest source, among equals that of the region named first.
INSERT INTO geography_pick
SELECT source_key, region
FROM (
    SELECT source_key, region, row_number() OVER (PARTITION BY source_key ORDER BY as_of DESC, region) AS place
    FROM geography_row
)
WHERE place = 1
ORDER BY source_key;
