-- The statistics of boundaries of the region.
SELECT area_key AS area_group, area_key, source_id, cell, estimate, moe
FROM statistic
WHERE area_key IN (SELECT source_key FROM boundary)
ORDER BY area_key, source_id, cell
