-- Home values. All years of an area are from the first source that has it, because two indexes have two levels.
SELECT area_key AS source_key, year, dollars
FROM home_value LEFT JOIN source USING (source_id)
QUALIFY rank() OVER (PARTITION BY area_key ORDER BY priority) = 1
ORDER BY area_key, year
