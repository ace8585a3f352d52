-- The states and provinces whose small areas a source tells each table of, and its rows for areas whose outlines nobody
-- tells.
SELECT source_id, regexp_extract(s.area_key, '^[a-z]+:[a-z]+:[0-9]{2}') AS state, split_part(cell, '.', 1) AS "table",
       count(*) FILTER (area.area_key IS NULL), coalesce(min(s.area_key) FILTER (area.area_key IS NULL), '')
FROM statistic s LEFT JOIN area USING (area_key)
WHERE s.area_key LIKE 'census:bg:%' OR s.area_key LIKE 'statcan:da:%'
GROUP BY source_id, state, "table"
ORDER BY source_id, state, "table"
