-- The POIs of each brand that either release has.
SELECT brand_id, max(brand_name), sum(older), sum(newer) FROM (
    SELECT brand_id, brand_name, pois AS older, 0 AS newer FROM older.brand
    UNION ALL
    SELECT brand_id, brand_name, 0, pois FROM newer.brand
)
GROUP BY brand_id ORDER BY brand_id;
