-- name: order_pois
-- fid 1, 2, 3 … along a Hilbert curve; POIs at the same place by key.
INSERT INTO poi_order BY NAME
SELECT number, poi_key, region, row_number() OVER () AS fid
FROM (
    SELECT p.number, p.poi_key, p.region
    FROM selected_poi AS p
    JOIN poi_curve AS c USING (number)
    ORDER BY c.curve, p.poi_key
);
