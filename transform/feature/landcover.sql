-- Whether a source has streets, and areas of land and buildings for every twentieth of them.
SELECT coalesce(bool_or(grounds * 20 >= streets), false)
FROM (SELECT source_id, count(*) AS streets FROM street GROUP BY source_id)
JOIN (SELECT source_id, count(*) AS grounds FROM feature WHERE kind IN ('land', 'building') GROUP BY source_id)
	USING (source_id)
