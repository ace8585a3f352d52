-- The schools of the release, with the name of the region whose row was selected.
SELECT o.fid, r.name AS region, s.* EXCLUDE (region, as_of)
FROM school_order AS o
JOIN school_row AS s ON s.school_key = o.school_key AND s.region = o.region
JOIN region AS r ON r.region = o.region
ORDER BY o.fid;
