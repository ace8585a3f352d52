-- The picked geographies without their outlines. A link that the picked row lacks comes from another region's row;
-- the states are those of the row that knows most of them.
SELECT g.source_key, g.region, g.source_id, g.level, g.name_en, g.name_fr, g.country_code,
    o.state_codes, coalesce(g.city_key, o.city_key, ''), coalesce(g.metro_key, o.metro_key, ''),
    coalesce(g.state_key, o.state_key, ''), coalesce(g.country_key, o.country_key, ''), o.regions,
    g.area_m2, g.west, g.south, g.east, g.north, g.centroid_lng, g.centroid_lat, g.population
FROM geography_pick AS p
JOIN geography_row AS g USING (source_key, region)
JOIN (
    SELECT source_key, first(state_codes ORDER BY length(state_codes) DESC, region) AS state_codes,
        min(city_key) AS city_key, min(metro_key) AS metro_key, min(state_key) AS state_key,
        min(country_key) AS country_key, string_agg(region, ',' ORDER BY region) AS regions
    FROM geography_row
    GROUP BY source_key
) AS o USING (source_key)
ORDER BY g.source_key;
