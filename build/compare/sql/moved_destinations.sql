-- The destinations that only one of the releases has: 1 came, -1 went. A place that moved did both.
SELECT 1, n.class, n.place_key, coalesce(n.name, ''), n.geometry FROM newer.destination AS n
WHERE NOT EXISTS (SELECT 1 FROM older_key AS o WHERE o.class = n.class AND o.place_key = n.place_key AND o.geometry = n.geometry)
UNION ALL
SELECT -1, o.class, o.place_key, coalesce(o.name, ''), o.geometry FROM older.destination AS o
WHERE NOT EXISTS (SELECT 1 FROM newer_key AS n WHERE n.class = o.class AND n.place_key = o.place_key AND n.geometry = o.geometry)
ORDER BY 2, 3, 1;
