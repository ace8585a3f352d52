-- The number of schools that only one of the releases has, and of those that both have.
SELECT
    (SELECT count(*) FROM newer.school WHERE school_key NOT IN (SELECT school_key FROM older.school)),
    (SELECT count(*) FROM older.school WHERE school_key NOT IN (SELECT school_key FROM newer.school)),
    (SELECT count(*) FROM newer.school WHERE school_key IN (SELECT school_key FROM older.school));
