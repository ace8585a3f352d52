-- Staged boundaries with the priority of their source.
SELECT b.*, priority
FROM boundary AS b LEFT JOIN source USING (source_id)
ORDER BY priority, source_id, source_key
