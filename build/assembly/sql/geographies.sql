-- The selected geographies without their outlines. The states are those of the row with the most.
SELECT r.name AS region, o.regions, g.* EXCLUDE (region, as_of) REPLACE (
    o.state_codes AS state_codes,
    ''::BLOB AS geom
)
FROM selected_geography AS p
JOIN geography_row AS g ON g.source_key = p.source_key AND g.region = p.region
JOIN region AS r ON r.region = p.region
JOIN (
    SELECT source_key, first(state_codes ORDER BY length(state_codes) DESC, region) AS state_codes,
        string_agg(region, ',' ORDER BY region) AS regions
    FROM geography_row
    GROUP BY source_key
) AS o ON o.source_key = p.source_key
ORDER BY g.source_key;
