-- The statistics of small areas and of the tracts that they are part of. The group of a block group is its tract, whose
-- digits its own begin with, with all other block groups of it; a dissemination area or a tract is its own group.
SELECT area_group, area_key, source_id, cell, estimate, moe
FROM (
    SELECT *, CASE WHEN area_key LIKE 'census:bg:%' THEN 'census:tract:' || substr(area_key, 11, 11) ELSE area_key END AS area_group
    FROM statistic
    WHERE area_key LIKE 'census:bg:%' OR area_key LIKE 'census:tract:%' OR area_key LIKE 'statcan:da:%'
)
WHERE area_group IN (SELECT CASE WHEN area_key LIKE 'census:bg:%' THEN 'census:tract:' || substr(area_key, 11, 11) ELSE area_key END FROM area)
ORDER BY area_group, area_key, source_id, cell
