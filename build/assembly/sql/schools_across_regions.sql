-- Selected schools that another region merged into one that is selected too, and those with the number of one in a region
-- before, in a fixed order.
SELECT merged_key, kept_key
FROM (
    SELECT m.region, m.source_key AS merged_key, m.school_key AS kept_key
    FROM school_source_row AS m
    WHERE m.reason <> 'rating' AND m.source_key <> m.school_key
    UNION ALL
    SELECT s.region, s.school_key AS merged_key, f.school_key AS kept_key
    FROM school_row AS s
    JOIN school_row AS f ON f.authority_id = s.authority_id AND f.region < s.region AND f.school_key <> s.school_key
) AS pair
JOIN selected_school AS merged ON merged.school_key = merged_key
JOIN selected_school AS kept ON kept.school_key = kept_key
ORDER BY pair.region, kept_key, merged_key;
