-- The number of geographies of each level with texts in the newer release alone, the older one alone and both, and of those
-- in both with another sentence.
WITH older_text AS (SELECT DISTINCT geog_id FROM older.profile_text),
    newer_text AS (SELECT DISTINCT geog_id FROM newer.profile_text),
    changed AS (
        SELECT n.geog_id FROM newer.profile_text AS n LEFT JOIN older.profile_text AS o USING (geog_id, locale, ordinal)
        WHERE n.text IS NOT o.text OR n.section IS NOT o.section
        UNION
        SELECT o.geog_id FROM older.profile_text AS o LEFT JOIN newer.profile_text AS n USING (geog_id, locale, ordinal)
        WHERE n.geog_id IS NULL)
SELECT CAST(substr(geog_id, 2, 2) AS INTEGER) AS level,
    count(*) FILTER (WHERE geog_id NOT IN older_text),
    count(*) FILTER (WHERE geog_id NOT IN newer_text),
    count(*) FILTER (WHERE geog_id IN older_text AND geog_id IN newer_text),
    count(*) FILTER (WHERE geog_id IN older_text AND geog_id IN newer_text AND geog_id IN changed)
FROM (SELECT geog_id FROM older_text UNION SELECT geog_id FROM newer_text)
GROUP BY level ORDER BY level;
