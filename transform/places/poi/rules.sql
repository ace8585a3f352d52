-- Brand rules with the priority of their source.
SELECT r.*, priority
FROM brand_rule AS r LEFT JOIN source USING (source_id)
ORDER BY priority, source_id, brand_id, key, value
