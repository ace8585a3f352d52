-- The selected outlines.
SELECT g.source_key, g.geom
FROM selected_geography AS p
JOIN geography_row AS g USING (source_key, region);
