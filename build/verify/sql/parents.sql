-- Facts about geographies.sqlite of a component places, where parents are.

-- fact: parents are current geographies of their level
SELECT g.geog_id FROM geography AS g
LEFT JOIN geography AS city ON city.geog_id = g.city_id
LEFT JOIN geography AS metro ON metro.geog_id = g.metro_id
LEFT JOIN geography AS state ON state.geog_id = g.state_id
LEFT JOIN geography AS country ON country.geog_id = g.country_id
WHERE g.city_id IS NOT NULL AND city.level IS NOT 30
    OR g.metro_id IS NOT NULL AND metro.level IS NOT 40
    OR g.state_id IS NOT NULL AND state.level IS NOT 60
    OR g.country_id IS NOT NULL AND country.level IS NOT 70;
