-- The number of block groups and dissemination areas in each source, and of tracts in a source without block groups.
SELECT source_id, CASE WHEN area_key LIKE 'census:bg:%' THEN 'block groups' WHEN area_key LIKE 'census:%' THEN 'tracts' ELSE 'dissemination areas' END AS kind,
       count(DISTINCT area_key) AS areas
FROM statistic
WHERE area_key LIKE 'census:bg:%' OR area_key LIKE 'statcan:da:%'
   OR area_key LIKE 'census:tract:%' AND source_id NOT IN (SELECT source_id FROM statistic WHERE area_key LIKE 'census:bg:%')
GROUP BY source_id, kind
ORDER BY source_id, kind
