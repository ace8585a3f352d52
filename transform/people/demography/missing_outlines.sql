-- The number of block groups and dissemination areas in each source.
SELECT source_id, CASE WHEN area_key LIKE 'census:%' THEN 'block groups' ELSE 'dissemination areas' END AS kind,
       count(DISTINCT area_key) AS areas
FROM statistic
WHERE area_key LIKE 'census:bg:%' OR area_key LIKE 'statcan:da:%'
GROUP BY source_id, kind
ORDER BY source_id, kind
