-- The names of brands, as in the first region that has them.
SELECT brand_id, first(brand_name ORDER BY region) AS brand_name
FROM brand_row
GROUP BY brand_id
ORDER BY brand_id;
