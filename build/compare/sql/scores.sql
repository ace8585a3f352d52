-- Scores of geographies with scores in both releases: the number that changed by 0.2 or more, and that are known in both,
-- in the newer release only and in the older one only. Those of a superseded geography never change.
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
