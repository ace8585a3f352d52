-- For each source, the county or census division with the largest share of people in small areas without an outline, and
-- the number of others above the given share. Shares are of small areas if no source has the people of all of them.
, published AS (
    SELECT DISTINCT source_id, area_key, regexp_extract(area_key, '^census:(?:bg|tract):[0-9]{5}|^statcan:da:[0-9]{4}') AS county
    FROM statistic
    WHERE area_key IN (SELECT area_key FROM small)
), inhabitants AS (
    SELECT area_key, max(estimate) AS people FROM statistic WHERE cell = 'population.total' GROUP BY area_key
), gaps AS (
    SELECT source_id, county,
           count(people) = count(*) AND sum(people) > 0 AS counted,
           CASE WHEN counted THEN sum(people) FILTER (area.area_key IS NULL) / sum(people)
                ELSE count(*) FILTER (area.area_key IS NULL) / count(*) END AS share,
           min(published.area_key) FILTER (area.area_key IS NULL) AS example
    FROM published LEFT JOIN inhabitants USING (area_key) LEFT JOIN area USING (area_key)
    GROUP BY source_id, county
    HAVING count(area.area_key) > 0
)
SELECT source_id,
       CASE WHEN gaps.county LIKE 'census:%' THEN 'county ' ELSE 'census division ' END || split_part(gaps.county, ':', 3) AS county,
       share, CASE WHEN counted THEN 'people' ELSE 'small areas' END AS unit, example,
       count(*) OVER (PARTITION BY source_id) - 1 AS others
FROM gaps
WHERE share > ?
QUALIFY row_number() OVER (PARTITION BY source_id ORDER BY share DESC, gaps.county) = 1
ORDER BY source_id
