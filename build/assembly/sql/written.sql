-- The geographies of geographies.sqlite in their order, with the source keys of their parents. This is SQLite.
SELECT g.source_key, coalesce(city.source_key, ''), coalesce(metro.source_key, ''), coalesce(state.source_key, ''),
    coalesce(country.source_key, '')
FROM geography AS g
LEFT JOIN geography AS city ON city.geog_id = g.city_id
LEFT JOIN geography AS metro ON metro.geog_id = g.metro_id
LEFT JOIN geography AS state ON state.geog_id = g.state_id
LEFT JOIN geography AS country ON country.geog_id = g.country_id
ORDER BY g.fid
