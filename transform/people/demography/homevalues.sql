-- What homes are worth. An area's years are all of the first source that tells it: two indexes have two levels.
SELECT area_key, year, dollars
FROM home_value LEFT JOIN source USING (source_id)
QUALIFY rank() OVER (PARTITION BY area_key ORDER BY priority) = 1
ORDER BY area_key, year
