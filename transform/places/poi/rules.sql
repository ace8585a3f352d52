-- Brand rules with the priority of their source.
SELECT r.source_id, s.priority, r.brand_id, r.brand_name, coalesce(r.wikidata, ''), r.key, r.value,
       r.names, r.countries, r.tags
FROM brand_rule r
LEFT JOIN source s USING (source_id)
ORDER BY s.priority, r.source_id, r.brand_id, r.key, r.value
