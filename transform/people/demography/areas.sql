-- The small areas of the region: those with blocks, and zones without blocks. Of several sources with the same block or
-- zone the first counts. Other queries begin with these expressions.
WITH counted AS (
    SELECT source_key, area_key, population, households, dwellings, geom
    FROM block LEFT JOIN source USING (source_id)
    WHERE regexp_full_match(area_key, 'census:bg:[0-9]{12}|statcan:da:[0-9]{8}')
    QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1
), zoned AS (
    SELECT source_key AS area_key, geom
    FROM zone LEFT JOIN source USING (source_id)
    WHERE regexp_full_match(source_key, 'census:bg:[0-9]{12}|statcan:da:[0-9]{8}')
      AND source_key NOT IN (SELECT area_key FROM counted)
    QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1
), area AS (
    SELECT DISTINCT area_key FROM counted
    UNION ALL
    SELECT area_key FROM zoned
)
