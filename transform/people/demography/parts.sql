-- The parts of small areas, area by area: blocks with their counts, or the zone itself.
SELECT area_key, source_key, false AS is_zone, population, households, dwellings, geom FROM counted
UNION ALL
SELECT area_key, area_key, true, NULL, NULL, NULL, geom FROM zoned
UNION ALL
SELECT area_key, area_key, true, NULL, NULL, NULL, geom FROM tract
ORDER BY area_key, source_key
