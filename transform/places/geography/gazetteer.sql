-- Staged places of gazetteers by the priority of their source.
SELECT p.*
FROM gazetteer_place AS p LEFT JOIN source USING (source_id)
ORDER BY priority, source_id, p.rowid
