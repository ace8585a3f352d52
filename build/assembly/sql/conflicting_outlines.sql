-- The first geography that differs between two regions whose sources have the same as-of date.
SELECT a.source_key, r.name AS region, other.name AS other,
    CASE
        WHEN a.geom <> b.geom THEN 'outline'
        WHEN a.level <> b.level THEN 'level'
        WHEN a.country_code <> b.country_code THEN 'country'
        ELSE 'name'
    END AS what
FROM selected_geography AS p
JOIN geography_row AS a USING (source_key, region)
JOIN geography_row AS b ON b.source_key = a.source_key AND b.as_of = a.as_of AND b.region > a.region
JOIN region AS r ON r.region = a.region
JOIN region AS other ON other.region = b.region
WHERE a.geom <> b.geom OR a.level <> b.level OR a.country_code <> b.country_code
    OR a.name_en <> b.name_en OR a.name_fr <> b.name_fr
ORDER BY a.source_key, b.region
LIMIT 1;
