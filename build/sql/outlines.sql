-- The picked outlines.
SELECT g.source_key, g.geom
FROM geography_pick AS p
JOIN geography_row AS g USING (source_key, region);
