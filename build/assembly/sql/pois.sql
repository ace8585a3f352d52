-- The POIs of the release, with the name of the region whose row was selected, in any order.
SELECT o.fid, r.name AS region, p.* EXCLUDE (region, as_of)
FROM poi_row AS p
JOIN poi_order AS o ON o.number = p.rowid
JOIN region AS r ON r.region = o.region
