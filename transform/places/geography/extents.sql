-- Staged extents. Equal rows are ordered by their bytes.
SELECT c.*
FROM coverage AS c LEFT JOIN source USING (source_id)
ORDER BY priority, source_id, country_code, state_code, geom
