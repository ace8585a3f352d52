-- name: select_geographies
-- One row for each source key: that with the newest source, of several that of the first region.
INSERT INTO selected_geography BY NAME
SELECT source_key, region
FROM (
    SELECT source_key, region, row_number() OVER (PARTITION BY source_key ORDER BY as_of DESC, region) AS place
    FROM geography_row
)
WHERE place = 1
ORDER BY source_key;
