-- name: order_schools
-- fid 1, 2, 3 … along a Hilbert curve; schools at the same place by key. Catchments of one outline in several regions are
-- those of the first region.
INSERT INTO school_order BY NAME
SELECT s.school_key, s.region, row_number() OVER (ORDER BY c.curve, s.school_key) AS fid
FROM selected_school AS s
JOIN school_curve AS c USING (number);

INSERT INTO catchment_order BY NAME
SELECT row_number() OVER (ORDER BY o.fid, list_position(['preschool', 'elementary', 'middle', 'secondary'], c.level), c.program, c.grade,
        c.source_key, c.region, c.source_id) AS fid,
    o.fid AS school_fid, c.region, c.source_id, c.source_key
FROM (
    SELECT region, source_id, source_key, level, coalesce(program, '') AS program, coalesce(grade, '') AS grade,
        coalesce(d.kept_key, c.school_key) AS school_key
    FROM school_catchment_row AS c
    LEFT JOIN dropped_school AS d ON d.dropped_key = c.school_key
    QUALIFY row_number() OVER (PARTITION BY c.source_key ORDER BY region, source_id) = 1
) AS c
JOIN school_order AS o USING (school_key);
