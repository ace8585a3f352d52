-- The states and provinces whose small areas a source has each table of, with the rows of areas without outline.
SELECT source_id, regexp_extract(s.area_key, '^[a-z]+:[a-z]+:[0-9]{2}') AS state, split_part(cell, '.', 1) AS table_id,
       count(*) FILTER (area.area_key IS NULL) AS unmatched,
       coalesce(min(s.area_key) FILTER (area.area_key IS NULL), '') AS example
FROM statistic s LEFT JOIN area USING (area_key)
WHERE s.area_key IN (SELECT area_key FROM small)
GROUP BY source_id, state, table_id
ORDER BY source_id, state, table_id
