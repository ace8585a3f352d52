-- How many rows that were not picked tell another outline than the picked one.
SELECT count(*)
FROM geography_pick AS p
JOIN geography_row AS a USING (source_key, region)
JOIN geography_row AS b ON b.source_key = a.source_key AND b.region <> a.region
WHERE b.geom <> a.geom;
