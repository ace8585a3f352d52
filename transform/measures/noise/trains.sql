-- For each mode in the timetables, the weekly trains in one direction at the median stop.
SELECT mode, median(trips) AS trips_week
FROM (
	SELECT mode, v.source_id, stop_key, direction, sum(trips_week) AS trips
	FROM stop_service AS v JOIN route AS r ON r.source_id = v.source_id AND r.source_key = v.route_key
	WHERE trips_week IS NOT NULL
	GROUP BY ALL
)
GROUP BY mode
ORDER BY mode
