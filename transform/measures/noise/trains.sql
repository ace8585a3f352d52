-- Trains a week in one direction at the stop in the middle, for each mode that timetables tell of.
SELECT mode, median(trips)
FROM (
	SELECT mode, v.source_id, stop_key, direction, sum(trips_week) AS trips
	FROM stop_service AS v JOIN route AS r ON r.source_id = v.source_id AND r.source_key = v.route_key
	GROUP BY ALL
)
GROUP BY mode
ORDER BY mode
