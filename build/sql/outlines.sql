-- The outlines of the release in the order of fid.
SELECT o.fid, g.source_key, g.geom
FROM geography_order AS o
JOIN geography_pick AS p USING (source_key)
JOIN geography_row AS g USING (source_key, region)
ORDER BY o.fid;
