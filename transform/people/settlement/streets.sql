-- Streets with the priority of their source, in a fixed order; of several sources with the same key the first counts.
-- Negative numbers are local to a file: the same one elsewhere is another street.
SELECT class, source_key, priority, geom
FROM street JOIN source USING (source_id)
WHERE NOT bridge AND NOT tunnel
QUALIFY row_number() OVER (PARTITION BY source_key, if(source_key LIKE 'osm:%:-%', geom, NULL) ORDER BY priority) = 1
ORDER BY priority, source_key
