-- Staged POIs with the priority of their source. Missing texts are '', missing areas 0.
SELECT p.source_id, p.source_key, s.priority, p.lng, p.lat,
       coalesce(p.name, ''), coalesce(p.name_fr, ''), p.scheme, p.classes,
       coalesce(p.brand, ''), coalesce(p.brand_wikidata, ''), coalesce(p.operator, ''),
       coalesce(p.house_number, ''), coalesce(p.street, ''), coalesce(p.address, ''), coalesce(p.unit, ''),
       coalesce(p.city, ''), coalesce(p.postal_code, ''), coalesce(p.phone, ''), coalesce(p.url, ''),
       coalesce(p.area_m2, 0)
FROM poi p
LEFT JOIN source s USING (source_id)
