-- The scores of geographies that have any in both releases, by score: how many moved by 0.2 or more, how many are known
-- in both, in the newer one alone and in the older one alone. Those of a superseded geography never move.
WITH o AS (
    SELECT geog_id, score, value FROM older.geography_score
    WHERE geog_id IN (SELECT geog_id FROM newer.geography_score)
), n AS (
    SELECT geog_id, score, value FROM newer.geography_score
    WHERE geog_id IN (SELECT geog_id FROM older.geography_score)
)
SELECT coalesce(n.score, o.score), count(*) FILTER (WHERE abs(n.value - o.value) >= 2000),
    count(*) FILTER (WHERE n.score IS NOT NULL AND o.score IS NOT NULL),
    count(*) FILTER (WHERE o.score IS NULL), count(*) FILTER (WHERE n.score IS NULL)
FROM n FULL JOIN o ON n.geog_id = o.geog_id AND n.score = o.score
GROUP BY 1;
