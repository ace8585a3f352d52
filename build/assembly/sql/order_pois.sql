-- name: order_pois
-- fid 1, 2, 3 … along a Hilbert curve; POIs at the same place by key.
INSERT INTO poi_order BY NAME
SELECT p.poi_key, p.region, row_number() OVER (ORDER BY c.curve, p.poi_key) AS fid
FROM selected_poi AS p
JOIN poi_curve AS c USING (poi_key);
