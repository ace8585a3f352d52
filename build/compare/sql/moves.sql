-- The geographies, current in both releases, whose scores differ the most, at most ?1 by score. Those that differ by less than
-- these are left out first, because sorting all takes most of the time.
SELECT score, level, geog_id, name, older, newer, west, south, east, north FROM (
    SELECT *, row_number() OVER (PARTITION BY score ORDER BY abs(newer - older) DESC, level, geog_id) AS place
    FROM (
        SELECT o.score, g.level, geog_id, g.name_en AS name, g.west, g.south, g.east, g.north, o.value AS older, n.value AS newer
        FROM older.geography_score AS o
        JOIN newer.geography_score AS n USING (geog_id, score)
        JOIN newer_geographies.geography AS g USING (geog_id)
        JOIN older_geographies.geography AS was USING (geog_id)
        JOIN temp.least AS l ON l.score = o.score
        WHERE abs(n.value - o.value) >= l.difference
    )
)
WHERE place <= ?1
ORDER BY score, place;
