-- The texts of both releases, profiles in one language, and those that were left out: issues of the step ?1.
SELECT (SELECT count(*) FROM (SELECT DISTINCT geog_id, locale FROM older.profile_text)),
    (SELECT coalesce(sum(rows), 0) FROM older.issue WHERE step = ?1),
    (SELECT count(*) FROM (SELECT DISTINCT geog_id, locale FROM newer.profile_text)),
    (SELECT coalesce(sum(rows), 0) FROM newer.issue WHERE step = ?1);
