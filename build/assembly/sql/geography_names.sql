-- The further names of the selected geographies in all regions, each once: that of the first region.
SELECT r.name AS region, n.* EXCLUDE (region)
FROM geography_name_row AS n
JOIN selected_geography AS p ON p.source_key = n.source_key
JOIN geography_row AS g ON g.source_key = p.source_key AND g.region = p.region
JOIN region AS r ON r.region = n.region
WHERE n.name <> g.name_en AND n.name <> g.name_fr
QUALIFY row_number() OVER (PARTITION BY n.source_key, n.name ORDER BY n.region) = 1
ORDER BY n.source_key, n.name;
