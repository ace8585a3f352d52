-- Streets with the priority of their source, in a fixed order: those of sources with footpaths first. Of several sources
-- with the same key the first counts. Negative numbers are local to a file: the same one elsewhere is another street.
SELECT s.*, no_footpaths
FROM street AS s JOIN source USING (source_id)
QUALIFY row_number() OVER (PARTITION BY source_key, if(source_key LIKE 'osm:%:-%', geom, NULL) ORDER BY no_footpaths, priority) = 1
ORDER BY no_footpaths, priority, source_key
