-- The small areas of the region: those with blocks, zones without blocks, and tracts none of whose block groups is among
-- these. Of several sources with the same block or zone the first counts. Other queries begin with these expressions.
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
), divided AS ( -- tracts of which a block group is a small area
    SELECT DISTINCT 'census:tract:' || substr(area_key, 11, 11) AS tract_key
    FROM (SELECT area_key FROM counted UNION ALL SELECT area_key FROM zoned)
    WHERE area_key LIKE 'census:bg:%'
), tract AS (
    SELECT source_key AS area_key, geom
    FROM zone LEFT JOIN source USING (source_id)
    WHERE regexp_full_match(source_key, 'census:tract:[0-9]{11}') AND source_key NOT IN (SELECT tract_key FROM divided)
    QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) = 1
), area AS (
    SELECT DISTINCT area_key FROM counted
    UNION ALL
    SELECT area_key FROM zoned
    UNION ALL
    SELECT area_key FROM tract
), small AS ( -- areas of statistics that are, or would be with an outline, small areas of the region
    SELECT DISTINCT area_key FROM statistic
    WHERE area_key LIKE 'census:bg:%' OR area_key LIKE 'statcan:da:%'
       OR area_key LIKE 'census:tract:%' AND area_key NOT IN (SELECT tract_key FROM divided) AND EXISTS (SELECT * FROM tract)
)
