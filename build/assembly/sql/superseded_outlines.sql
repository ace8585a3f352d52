-- The number of rows that were not selected and whose outline differs from the selected one.
SELECT count(*)
FROM selected_geography AS p
JOIN geography_row AS a USING (source_key, region)
JOIN geography_row AS b ON b.source_key = a.source_key AND b.region <> a.region
WHERE b.geom <> a.geom;
