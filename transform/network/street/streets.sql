-- The streets of a region, each once, in a fixed order: of two sources that tell the same key the first one counts.
SELECT s.source_id, priority, s.source_key, class, coalesce(name, ''), coalesce(name_fr, ''), foot, bicycle, car,
	coalesce(lanes, 0), coalesce(speed_kmh, 0), sidewalk, coalesce(cycleway, ''), parking, bridge, tunnel, nodes, geom
FROM street AS s JOIN source USING (source_id)
QUALIFY row_number() OVER (PARTITION BY s.source_key ORDER BY priority) = 1
ORDER BY priority, s.source_key
