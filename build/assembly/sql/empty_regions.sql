-- The first region with sources and without geographies, POIs, schools, streets, demographic figures and addresses.
SELECT name
FROM region
WHERE region IN (SELECT region FROM source)
    AND region NOT IN (SELECT region FROM geography_row) AND region NOT IN (SELECT region FROM poi_source)
    AND region NOT IN (SELECT region FROM school_row)
    AND region NOT IN (SELECT region FROM street_source) AND region NOT IN (SELECT region FROM demographic_region)
    AND region NOT IN (SELECT region FROM source WHERE kind = 'addresses' AND rows_staged > 0)
ORDER BY region
LIMIT 1;
