-- name: load
-- reads: staged.*, derived.* of the attached region, variable region
-- writes: source, issue, the *_row tables, poi_place, poi_source, stateless_poi, staged_count, street_source, destination_source,
-- demographic_region

CREATE TABLE IF NOT EXISTS source AS SELECT 0 AS region, * FROM staged.source LIMIT 0;
INSERT INTO source BY NAME SELECT getvariable('region') AS region, * FROM staged.source;

CREATE TABLE IF NOT EXISTS issue AS SELECT 0 AS region, '' AS step, * FROM staged.source_issue LIMIT 0;
INSERT INTO issue BY NAME SELECT getvariable('region') AS region, 'ingest' AS step, * FROM staged.source_issue;
INSERT INTO issue BY NAME SELECT getvariable('region') AS region, '' AS source_id, * FROM derived.transform_issue;

CREATE TABLE IF NOT EXISTS geography_row AS SELECT 0 AS region, '' AS as_of, * FROM derived.geography LIMIT 0;
INSERT INTO geography_row BY NAME
SELECT getvariable('region') AS region, s.as_of, g.*
FROM derived.geography AS g
LEFT JOIN staged.source AS s ON s.source_id = g.source_id;

CREATE TABLE IF NOT EXISTS geography_name_row AS SELECT 0 AS region, * FROM derived.geography_name LIMIT 0;
INSERT INTO geography_name_row BY NAME SELECT getvariable('region') AS region, * FROM derived.geography_name;

CREATE TABLE IF NOT EXISTS coverage_row AS SELECT 0 AS region, * FROM derived.coverage LIMIT 0;
INSERT INTO coverage_row BY NAME SELECT getvariable('region') AS region, * FROM derived.coverage;

INSERT INTO poi_place BY NAME
SELECT getvariable('region') AS region, p.number, p.curve, p.poi_key, s.as_of
FROM derived.poi AS p
LEFT JOIN staged.source AS s ON s.source_id = p.source_id
WHERE NOT contains(p.source_id, '/'); -- a neighbour's

INSERT INTO poi_source BY NAME
SELECT getvariable('region') AS region, source_id, min(poi_key) AS first_key
FROM derived.poi
WHERE NOT contains(source_id, '/')
GROUP BY source_id;

INSERT INTO stateless_poi BY NAME
SELECT getvariable('region') AS region, number FROM derived.poi WHERE state_code IS NULL AND NOT contains(source_id, '/');

CREATE TABLE IF NOT EXISTS brand_row AS SELECT 0 AS region, * FROM derived.brand LIMIT 0;
INSERT INTO brand_row BY NAME SELECT getvariable('region') AS region, * FROM derived.brand;

CREATE TABLE IF NOT EXISTS merge_row AS SELECT 0 AS region, * FROM derived.poi_merge LIMIT 0;
INSERT INTO merge_row BY NAME SELECT getvariable('region') AS region, * FROM derived.poi_merge;

CREATE TABLE IF NOT EXISTS correction_row AS SELECT 0 AS region, * FROM derived.poi_correction LIMIT 0;
INSERT INTO correction_row BY NAME SELECT getvariable('region') AS region, * FROM derived.poi_correction;

CREATE TABLE IF NOT EXISTS school_row AS SELECT 0 AS region, '' AS as_of, * FROM derived.school LIMIT 0;
INSERT INTO school_row BY NAME
SELECT getvariable('region') AS region, s.as_of, d.*
FROM derived.school AS d
LEFT JOIN staged.source AS s ON s.source_id = d.source_id
WHERE NOT contains(d.source_id, '/'); -- a neighbour's

CREATE TABLE IF NOT EXISTS school_source_row AS SELECT 0 AS region, * FROM derived.school_source LIMIT 0;
INSERT INTO school_source_row BY NAME SELECT getvariable('region') AS region, * FROM derived.school_source;

CREATE TABLE IF NOT EXISTS school_catchment_row AS SELECT 0 AS region, * FROM derived.school_catchment LIMIT 0;
INSERT INTO school_catchment_row BY NAME SELECT getvariable('region') AS region, * FROM derived.school_catchment;

-- Figures published for geographies.
CREATE TABLE IF NOT EXISTS figure_row AS SELECT 0 AS region, * FROM derived.geography_value LIMIT 0;
INSERT INTO figure_row BY NAME SELECT getvariable('region') AS region, * FROM derived.geography_value;

CREATE TABLE IF NOT EXISTS home_value_row AS SELECT 0 AS region, * FROM derived.home_value LIMIT 0;
INSERT INTO home_value_row BY NAME SELECT getvariable('region') AS region, * FROM derived.home_value;

-- The vintages of the tables of small areas: 'age=2014-2018;population=2020'.
CREATE TABLE IF NOT EXISTS area_vintage_row AS SELECT 0 AS region, area, source_key, '' AS vintages FROM derived.small_area LIMIT 0;
INSERT INTO area_vintage_row BY NAME
SELECT getvariable('region') AS region, a.area, a.source_key, coalesce(v.vintages, '') AS vintages
FROM derived.small_area AS a
LEFT JOIN (
    SELECT area, string_agg(figures || '=' || vintage, ';' ORDER BY figures) AS vintages
    FROM (SELECT DISTINCT area, split_part(cell, '.', 1) AS figures, vintage FROM derived.small_area_value)
    GROUP BY area
) AS v ON v.area = a.area;

INSERT INTO staged_count BY NAME
SELECT getvariable('region') AS region, source_id, 'outlines and places' AS what, count(*) AS rows
FROM (SELECT source_id FROM staged.boundary UNION ALL SELECT source_id FROM staged.poi)
GROUP BY source_id;

INSERT INTO staged_count BY NAME
SELECT getvariable('region') AS region, source_id, 'streets' AS what, count(*) AS rows
FROM staged.street
GROUP BY source_id;

INSERT INTO staged_count BY NAME
SELECT getvariable('region') AS region, source_id, 'schools' AS what, count(*) AS rows
FROM staged.school
GROUP BY source_id;

INSERT INTO staged_count BY NAME
SELECT getvariable('region') AS region, source_id, 'catchments' AS what, count(*) AS rows
FROM staged.catchment
GROUP BY source_id;

INSERT INTO street_source BY NAME
SELECT DISTINCT getvariable('region') AS region, source_id FROM derived.street_edge;

INSERT INTO destination_source BY NAME
SELECT DISTINCT getvariable('region') AS region, source_id FROM derived.destination;

INSERT INTO demographic_region BY NAME
SELECT getvariable('region') AS region
WHERE EXISTS (SELECT 1 FROM derived.small_area) OR EXISTS (SELECT 1 FROM derived.geography_value);
