-- The county or census division of the region of which each source tells the largest share of people in small areas
-- without an outline, and how many more are over the share that is given. Areas count as one each where no source tells
-- how many people live in each of the county's.
, told AS (
    SELECT DISTINCT source_id, area_key, regexp_extract(area_key, '^census:bg:[0-9]{5}|^statcan:da:[0-9]{4}') AS county
    FROM statistic
    WHERE area_key LIKE 'census:bg:%' OR area_key LIKE 'statcan:da:%'
), inhabitants AS (
    SELECT area_key, max(estimate) AS people FROM statistic WHERE cell = 'population.total' GROUP BY area_key
), gaps AS (
    SELECT source_id, county,
           count(people) = count(*) AND sum(people) > 0 AS counted,
           CASE WHEN counted THEN sum(people) FILTER (area.area_key IS NULL) / sum(people)
                ELSE count(*) FILTER (area.area_key IS NULL) / count(*) END AS share,
           min(told.area_key) FILTER (area.area_key IS NULL) AS example
    FROM told LEFT JOIN inhabitants USING (area_key) LEFT JOIN area USING (area_key)
    GROUP BY source_id, county
    HAVING count(area.area_key) > 0
)
SELECT source_id,
       CASE WHEN county LIKE 'census:%' THEN 'county ' ELSE 'census division ' END || split_part(county, ':', 3), share,
       CASE WHEN counted THEN 'people' ELSE 'small areas' END, example, count(*) OVER (PARTITION BY source_id) - 1
FROM gaps
WHERE share > ?
QUALIFY row_number() OVER (PARTITION BY source_id ORDER BY share DESC, county) = 1
ORDER BY source_id
