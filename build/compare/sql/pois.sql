-- The number of POIs that only one of the releases has, and of those that both have.
SELECT
    (SELECT count(*) FROM newer.poi WHERE poi_key NOT IN (SELECT poi_key FROM older.poi)),
    (SELECT count(*) FROM older.poi WHERE poi_key NOT IN (SELECT poi_key FROM newer.poi)),
    (SELECT count(*) FROM newer.poi WHERE poi_key IN (SELECT poi_key FROM older.poi));
