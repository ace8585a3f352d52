-- Outlines that two regions tell differently from sources of the same day, the first of them; no row is well.
SELECT a.source_key, a.region, b.region AS other,
    CASE
        WHEN a.geom <> b.geom THEN 'outline'
        WHEN a.level <> b.level THEN 'level'
        WHEN a.country_code <> b.country_code THEN 'country'
        ELSE 'name'
    END AS what
FROM geography_pick AS p
JOIN geography_row AS a USING (source_key, region)
JOIN geography_row AS b ON b.source_key = a.source_key AND b.as_of = a.as_of AND b.region > a.region
WHERE a.geom <> b.geom OR a.level <> b.level OR a.country_code <> b.country_code
    OR a.name_en <> b.name_en OR a.name_fr <> b.name_fr
ORDER BY a.source_key, b.region
LIMIT 1;
