-- The small areas of a source in counties or census divisions of which the region has some, but not these.
, counties AS (SELECT DISTINCT regexp_extract(area_key, '^census:(?:bg|tract):[0-9]{5}|^statcan:da:[0-9]{4}') AS county FROM area)
SELECT count(DISTINCT area_key) AS areas
FROM statistic
WHERE source_id = ? AND area_key IN (SELECT area_key FROM small)
  AND regexp_extract(area_key, '^census:(?:bg|tract):[0-9]{5}|^statcan:da:[0-9]{4}') IN (SELECT county FROM counties)
  AND area_key NOT IN (SELECT area_key FROM area)
