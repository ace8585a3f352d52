-- Whether any source has streets, and one area of land or building for every 20 of them.
SELECT coalesce(bool_or(areas * 20 >= streets), false)
FROM (SELECT source_id, count(*) AS streets FROM street GROUP BY source_id)
JOIN (SELECT source_id, count(*) AS areas FROM feature WHERE kind IN ('land', 'building') GROUP BY source_id)
	USING (source_id)
