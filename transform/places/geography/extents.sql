-- Staged extents. Equal rows are ordered by their bytes.
SELECT c.source_id, c.country_code, c.state_code, c.geom
FROM coverage c
LEFT JOIN source s USING (source_id)
ORDER BY s.priority, c.source_id, c.country_code, c.state_code, c.geom
