-- The geographies that only one of the releases has, without a bridge between the two.
SELECT o.geog_id, 0 AS newer FROM older.geography AS o
WHERE o.geog_id NOT IN (SELECT geog_id FROM newer.geography) AND o.geog_id NOT IN (SELECT old_geog_id FROM newer.geog_bridge)
UNION ALL
SELECT n.geog_id, 1 FROM newer.geography AS n
WHERE n.geog_id NOT IN (SELECT geog_id FROM older.geography) AND n.geog_id NOT IN (SELECT new_geog_id FROM newer.geog_bridge)
ORDER BY 2, 1;
