-- The years of the blocks, by the scheme of their areas, the newest first.
SELECT DISTINCT split_part(area_key, ':', 1) AS scheme, left(as_of, 4) AS year
FROM block JOIN source USING (source_id)
WHERE area_key IN (SELECT area_key FROM counted)
ORDER BY scheme, year DESC
