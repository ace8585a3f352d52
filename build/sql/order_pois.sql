-- name: order_pois
-- fid 1, 2, 3 … along the curve; POIs at one place by key.
INSERT INTO poi_order
SELECT p.poi_key, p.region, row_number() OVER (ORDER BY c.curve, p.poi_key)
FROM poi_pick AS p
JOIN poi_curve AS c USING (poi_key);
