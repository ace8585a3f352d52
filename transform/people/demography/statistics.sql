-- The figures of small areas and of the larger ones that they are parts of. Block groups come together with their
-- tract, whose digits theirs begin with, and with all other block groups of it; a dissemination area comes alone.
SELECT whole, area_key, source_id, cell, estimate, moe
FROM (
    SELECT *, CASE WHEN area_key LIKE 'census:bg:%' THEN 'census:tract:' || substr(area_key, 11, 11) ELSE area_key END AS whole
    FROM statistic
    WHERE area_key LIKE 'census:bg:%' OR area_key LIKE 'census:tract:%' OR area_key LIKE 'statcan:da:%'
)
WHERE whole IN (SELECT CASE WHEN area_key LIKE 'census:bg:%' THEN 'census:tract:' || substr(area_key, 11, 11) ELSE area_key END FROM area)
ORDER BY whole, area_key, source_id, cell
