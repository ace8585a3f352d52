-- Water as mapped, and blocks that are all water.
SELECT geom FROM (
    SELECT 0 AS kind, source_id, source_key, geom FROM feature WHERE kind = 'land' AND class = 'water'
    UNION ALL
    SELECT 1, source_id, source_key, geom FROM block WHERE land_m2 = 0 AND coalesce(population, 0) = 0
)
ORDER BY kind, source_id, source_key
