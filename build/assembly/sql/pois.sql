-- The POIs of the release, with the name of the region whose row was selected.
SELECT o.fid, r.name AS region, p.* EXCLUDE (region, as_of)
FROM poi_order AS o
JOIN poi_row AS p ON p.poi_key = o.poi_key AND p.region = o.region
JOIN region AS r ON r.region = o.region
ORDER BY o.fid;
