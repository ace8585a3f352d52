-- Staged boundaries with the priority of their source.
SELECT b.source_id, b.source_key, s.priority, b.level,
       b.name_en, coalesce(b.name_fr, ''), coalesce(b.country_code, ''), coalesce(b.state_code, ''),
       b.population, b.geom
FROM boundary b
LEFT JOIN source s USING (source_id)
ORDER BY s.priority, b.source_id, b.source_key
