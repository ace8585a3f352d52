-- Dwellings by period of construction of each small area, of the newest survey that has them: all, and those of the first
-- period: before 1940 in the United States, before 1961 in Canada.
WITH periods AS (
    SELECT area_key, source_id, vintage,
        max(estimate) FILTER (cell = 'construction_year.total') AS dwellings,
        max(estimate) FILTER (cell = 'construction_year.1939_or_earlier') AS before_1940,
        max(estimate) FILTER (cell = 'construction_year.before_1961') AS before_1961
    FROM statistic JOIN survey USING (source_id)
    WHERE cell IN ('construction_year.total', 'construction_year.1939_or_earlier', 'construction_year.before_1961')
        AND (area_key LIKE 'census:bg:%' OR area_key LIKE 'census:tract:%' OR area_key LIKE 'statcan:da:%')
    GROUP BY ALL
)
SELECT area_key, dwellings, before_1940, before_1961
FROM periods
WHERE dwellings > 0 AND (before_1940 IS NOT NULL OR before_1961 IS NOT NULL)
QUALIFY row_number() OVER (PARTITION BY area_key ORDER BY regexp_extract(vintage, '([0-9]{4})[^0-9]*$', 1) DESC, source_id) = 1
ORDER BY area_key
