-- What each source has of the railways and aerodromes of the streets that it maps, and what the region file declares of it.
WITH counted AS (
	SELECT source_id, count(*) FILTER (kind = 'rail') AS rails, count(*) FILTER (kind IN ('aerodrome', 'runway')) AS fields,
		count(*) FILTER (kind IN ('land', 'building')) AS areas, count(*) FILTER (kind = 'junction' AND class = 'level_crossing') AS crossings
	FROM feature GROUP BY source_id
), mapped AS (
	SELECT source_id, count(*) AS streets FROM street GROUP BY source_id
), found AS (
	SELECT source_id, class, found, found > 0 OR coalesce(areas, 0) * 20 >= streets AND missed = 0 AS mapped
	FROM source LEFT JOIN counted USING (source_id) LEFT JOIN mapped USING (source_id),
		LATERAL (VALUES ('railway', coalesce(rails, 0), coalesce(crossings, 0)), ('aerodrome', coalesce(fields, 0), 0)) AS of (class, found, missed)
	WHERE found > 0 OR streets > 0
)
SELECT source_id, class, coalesce(found, 0) AS features, coalesce(streets > 0 AND mapped, false) AS mapped,
	coalesce(complete, false) AS complete, coalesce(NOT complete, false) AS lacking
FROM found FULL JOIN (SELECT source_id, class, bool_or(complete) AS complete FROM declared_class
		WHERE class IN ('railway', 'aerodrome') GROUP BY ALL) USING (source_id, class)
	LEFT JOIN mapped USING (source_id)
ORDER BY class, source_id
