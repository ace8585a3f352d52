-- name: load
-- reads: staged.*, derived.* of the region attached under these names, variable region
-- writes: the *_row tables, source, issue, given, walked, counted, peopled

INSERT INTO source
SELECT getvariable('region'), source_id, priority, kind, path, sha256, bytes, as_of, licence, attribution, url,
    rows_read, rows_staged
FROM staged.source;

INSERT INTO issue
SELECT getvariable('region'), 'ingest', source_id, severity, code, detail, description, rows, example
FROM staged.source_issue;

INSERT INTO issue
SELECT getvariable('region'), step, '', severity, code, detail, description, rows, example
FROM derived.transform_issue;

INSERT INTO geography_row
SELECT getvariable('region'), s.as_of, g.source_key, g.source_id, g.level, g.name_en, g.name_fr, g.country_code,
    g.state_codes, g.city_key, g.metro_key, g.state_key, g.country_key, g.area_m2, g.west, g.south, g.east, g.north,
    g.centroid_lng, g.centroid_lat, g.population, g.geom
FROM derived.geography AS g
LEFT JOIN staged.source AS s USING (source_id);

INSERT INTO coverage_row
SELECT getvariable('region'), region_code, source_key, geom
FROM derived.coverage;

INSERT INTO poi_row
SELECT getvariable('region'), s.as_of, p.poi_key, p.source_id, p.lng, p.lat, p.name, p.address, p.suite, p.city,
    p.state_code, p.postal_code, p.country_code, p.phone, p.url, p.categories, p.brands, p.tags, p.base_categories
FROM derived.poi AS p
LEFT JOIN staged.source AS s USING (source_id);

INSERT INTO brand_row
SELECT getvariable('region'), brand_id, brand_name
FROM derived.brand;

INSERT INTO merge_row
SELECT getvariable('region'), kept_key, merged_key, distance_m, name_similarity, reason
FROM derived.poi_merge;

INSERT INTO given
SELECT getvariable('region'), source_id, 'outlines and places', count(*)
FROM (SELECT source_id FROM staged.boundary UNION ALL SELECT source_id FROM staged.poi)
GROUP BY source_id;

INSERT INTO given
SELECT getvariable('region'), source_id, 'streets', count(*)
FROM staged.street
GROUP BY source_id;

INSERT INTO walked
SELECT DISTINCT getvariable('region'), source_id
FROM derived.street_edge;

INSERT INTO counted
SELECT DISTINCT getvariable('region'), source_id
FROM derived.destination;

INSERT INTO figure_row
SELECT getvariable('region'), source_key, cell, estimate, moe, vintage
FROM derived.geography_value;

INSERT INTO home_value_row
SELECT getvariable('region'), source_key, year, dollars
FROM derived.home_value;

INSERT INTO vintage_row
SELECT getvariable('region'), country_code, vintage
FROM derived.vintage;

INSERT INTO peopled
SELECT getvariable('region')
WHERE EXISTS (SELECT 1 FROM derived.small_area) OR EXISTS (SELECT 1 FROM derived.geography_value);
