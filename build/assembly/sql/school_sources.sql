-- The records of the schools of the release. A record that a neighbour lent is named with the neighbour's region. Of rows in
-- several regions that of the region of the school is taken; the record of a school that was dropped for another one is no
-- longer kept.
SELECT region, source_id, school_key, source_key, name, distance_m, name_similarity, reason
FROM (
    SELECT CASE WHEN contains(s.source_id, '/') THEN split_part(s.source_id, '/', 1) ELSE r.name END AS region,
        CASE WHEN contains(s.source_id, '/') THEN split_part(s.source_id, '/', 2) ELSE s.source_id END AS source_id,
        o.school_key, s.source_key, s.name, s.distance_m, s.name_similarity,
        CASE WHEN d.kept_key IS NOT NULL AND s.reason = 'kept' THEN 'authority_id' ELSE s.reason END AS reason,
        o.region <> s.region AS elsewhere, s.region AS number
    FROM school_source_row AS s
    LEFT JOIN dropped_school AS d ON d.dropped_key = s.school_key
    JOIN school_order AS o ON o.school_key = coalesce(d.kept_key, s.school_key)
    JOIN region AS r ON r.region = s.region
)
QUALIFY row_number() OVER (PARTITION BY region, source_id, source_key ORDER BY elsewhere, number, school_key) = 1
ORDER BY school_key, region, source_id, source_key;
