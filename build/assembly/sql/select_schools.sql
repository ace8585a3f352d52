-- name: select_schools
-- One row for each school: that with the newest source, of several that of the first region.
INSERT INTO selected_school BY NAME
SELECT number, school_key, region, lng, lat
FROM (
    SELECT rowid AS number, school_key, region, lng, lat, row_number() OVER (PARTITION BY school_key ORDER BY as_of DESC, region) AS place
    FROM school_row
)
WHERE place = 1
ORDER BY number;
