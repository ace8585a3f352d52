-- Staged rows about people that are in no derived table, by reason.
, unused(code, detail, example) AS (
    SELECT CASE WHEN area_key IS NULL THEN 'block_without_small_area' ELSE 'unknown_area_scheme' END,
           CASE WHEN area_key IS NULL THEN '' ELSE 'block' END, source_key
    FROM block WHERE source_key NOT IN (SELECT source_key FROM counted)
    UNION ALL
    SELECT 'duplicate_key_in_other_source', 'block', source_key
    FROM block LEFT JOIN source USING (source_id) WHERE source_key IN (SELECT source_key FROM counted)
    QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY area_key IS NULL, priority) > 1
    UNION ALL
    SELECT 'unknown_area_scheme', 'zone', source_key
    FROM zone WHERE source_key NOT IN (SELECT area_key FROM area) AND source_key NOT IN (SELECT tract_key FROM divided)
    UNION ALL
    SELECT 'tract_with_block_groups', '', source_key
    FROM zone WHERE source_key IN (SELECT tract_key FROM divided)
    UNION ALL
    SELECT 'zone_with_blocks', '', source_key
    FROM zone WHERE source_key IN (SELECT area_key FROM counted)
    UNION ALL
    SELECT 'duplicate_key_in_other_source', 'zone', source_key
    FROM zone LEFT JOIN source USING (source_id) WHERE source_key IN (SELECT area_key FROM zoned UNION ALL SELECT area_key FROM tract)
    QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) > 1
    UNION ALL
    SELECT 'duplicate_key_in_other_source', 'home value', area_key
    FROM home_value LEFT JOIN source USING (source_id)
    QUALIFY rank() OVER (PARTITION BY area_key ORDER BY priority) > 1
    UNION ALL
    SELECT 'statistic_without_outline', '', area_key
    FROM statistic
    WHERE NOT (area_key LIKE 'census:bg:%' OR area_key LIKE 'census:tract:%' OR area_key LIKE 'statcan:da:%')
      AND area_key NOT IN (SELECT source_key FROM boundary)
)
SELECT code, detail, count(*) AS n, min(example) AS example FROM unused GROUP BY code, detail ORDER BY code, detail
