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

-- fact: the hierarchy goes up through current geographies of higher levels, and not through postal areas
SELECT p.geog_id FROM geography_parent AS p
JOIN geography AS g USING (geog_id)
LEFT JOIN geography AS above ON above.geog_id = p.parent_id
WHERE above.level IS NOT p.level OR p.level <= g.level OR p.level = 32;
