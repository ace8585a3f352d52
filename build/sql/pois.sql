-- The POIs of the release in the order of fid.
SELECT o.fid, r.poi_key, r.region, r.source_id, r.lng, r.lat, r.name, r.address, r.suite, r.city, r.state_code,
    r.postal_code, r.country_code, r.phone, r.url, r.categories, r.base_categories, r.brands, r.tags
FROM poi_order AS o
JOIN poi_row AS r USING (poi_key, region)
ORDER BY o.fid;
