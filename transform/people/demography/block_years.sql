-- The years of the censuses that the blocks are of, by the scheme of their areas, the newest first: the last census before the
-- files, of a year that ends in 0 in the US and in 1 or 6 in Canada.
SELECT DISTINCT split_part(area_key, ':', 1) AS scheme,
    CASE scheme WHEN 'census' THEN left(as_of, 3) || '0' ELSE ((left(as_of, 4)::INTEGER - 1) // 5 * 5 + 1)::VARCHAR END AS year
FROM block JOIN source USING (source_id)
WHERE area_key IN (SELECT area_key FROM counted)
ORDER BY scheme, year DESC
