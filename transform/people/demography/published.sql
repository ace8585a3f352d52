-- The figures that are published for an outline of the region.
SELECT area_key, area_key, source_id, cell, estimate, moe
FROM statistic
WHERE area_key IN (SELECT source_key FROM boundary)
ORDER BY area_key, source_id, cell
