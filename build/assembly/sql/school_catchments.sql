-- The catchments of the schools of the release with fid from ? to below ?.
SELECT o.fid, o.school_fid, r.name AS region, c.* EXCLUDE (region)
FROM catchment_order AS o
JOIN school_catchment_row AS c ON c.region = o.region AND c.source_id = o.source_id AND c.source_key = o.source_key
JOIN region AS r ON r.region = o.region
WHERE o.fid >= ? AND o.fid < ?
ORDER BY o.fid;
