-- Staged rows about people that become nothing, by reason.
, reasons(reason, example) AS (
    SELECT CASE WHEN area_key IS NULL THEN 'block of no area' ELSE 'block of an unknown kind of area' END, source_key
    FROM block WHERE source_key NOT IN (SELECT source_key FROM counted)
    UNION ALL
    SELECT 'block that another source tells', source_key
    FROM block LEFT JOIN source USING (source_id) WHERE source_key IN (SELECT source_key FROM counted)
    QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY area_key IS NULL, priority) > 1
    UNION ALL
    SELECT 'zone of an unknown kind of area', source_key
    FROM zone WHERE source_key NOT IN (SELECT area_key FROM area)
    UNION ALL
    SELECT 'zone of an area whose blocks are known', source_key
    FROM zone WHERE source_key IN (SELECT area_key FROM counted)
    UNION ALL
    SELECT 'zone that another source tells', source_key
    FROM zone LEFT JOIN source USING (source_id) WHERE source_key IN (SELECT area_key FROM zoned)
    QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY priority) > 1
    UNION ALL
    SELECT 'home value that another source tells', area_key
    FROM home_value LEFT JOIN source USING (source_id)
    QUALIFY rank() OVER (PARTITION BY area_key ORDER BY priority) > 1
    UNION ALL
    SELECT 'statistic of an area without an outline', area_key
    FROM statistic
    WHERE NOT (area_key LIKE 'census:bg:%' OR area_key LIKE 'census:tract:%' OR area_key LIKE 'statcan:da:%')
      AND area_key NOT IN (SELECT source_key FROM boundary)
)
SELECT reason, count(*), min(example) FROM reasons GROUP BY reason ORDER BY reason
