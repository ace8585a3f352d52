-- Facts about access.sqlite. Each query selects the exceptions from its fact; no rows means that it holds.

-- fact: rows are numbered 1, 2, 3 …
SELECT 'street_node ' || max(fid) FROM street_node HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'street_edge ' || max(fid) FROM street_edge HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'barrier ' || max(fid) FROM barrier HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'destination ' || max(fid) FROM destination HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'lent_edge ' || max(fid) FROM lent_edge HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'lent_destination ' || max(fid) FROM lent_destination HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'home ' || max(fid) FROM home HAVING max(fid) <> count(*) OR min(fid) <> 1;

-- fact: streets connect nodes of their region
SELECT 'street_edge ' || e.fid FROM street_edge AS e
LEFT JOIN street_node AS a ON a.fid = e.a
LEFT JOIN street_node AS b ON b.fid = e.b
WHERE a.region IS NOT e.region OR b.region IS NOT e.region;

-- fact: destinations are on streets of their region
SELECT d.place_key FROM destination AS d
LEFT JOIN street_edge AS e ON e.fid = d.edge
WHERE e.region IS NOT d.region OR NOT d.along_m BETWEEN 0 AND e.length_m + 0.1 OR d.leg_m < 0;

-- fact: what is lent is on streets of the region or lent to it
SELECT d.place_key FROM lent_destination AS d
LEFT JOIN street_edge AS e ON e.fid = d.edge
LEFT JOIN lent_edge AS l ON l.fid = -d.edge
WHERE coalesce(e.region, l.region) IS NOT d.region OR NOT d.along_m BETWEEN 0 AND coalesce(e.length_m, l.length_m) + 0.1 OR d.leg_m < 0
    OR d.edge > 0 AND instr(d.source_id, '/') = 0
UNION ALL
SELECT 'lent_edge ' || l.fid FROM lent_edge AS l
LEFT JOIN street_node AS a ON a.fid = l.a
LEFT JOIN street_node AS b ON b.fid = l.b
WHERE l.a >= 0 AND a.region IS NOT l.region OR l.b >= 0 AND b.region IS NOT l.region OR instr(l.source_id, '/') = 0;

-- fact: homes are on streets of their region
SELECT 'home ' || h.fid FROM home AS h
LEFT JOIN street_edge AS e ON e.fid = h.edge
WHERE e.region IS NOT h.region OR h.along_m < 0 OR h.basis NOT IN ('households', 'street') OR NOT h.weight > 0;

-- fact: routes serve stops
SELECT t.route_key FROM (SELECT * FROM transit_service UNION ALL SELECT -destination, route_key, route_name, mode, rapid, direction, headsign,
    trips_week, basis, kind FROM lent_service) AS t
LEFT JOIN (SELECT fid, class FROM destination UNION ALL SELECT -fid, class FROM lent_destination) AS d ON d.fid = t.destination
WHERE d.class IS NOT 'stop' OR t.trips_week < 1 OR t.rapid NOT IN (0, 1)
   OR t.basis NOT IN ('timetable', 'line', 'stops')
   OR t.kind IS NOT NULL AND (t.basis <> 'line' OR t.kind NOT IN ('frequent', 'all_day', 'peak', 'school', 'shopper'));

-- fact: scores are between 0 and 5 and have a known basis
SELECT geog_id || ' ' || score FROM geography_score
WHERE NOT value BETWEEN 0 AND 50000 OR basis NOT IN ('households', 'street') OR homes < 1;

-- fact: there is one calibration
SELECT count(*) FROM calibration HAVING count(*) <> 1;

-- fact: every street and destination has a source
SELECT 'street ' || e.region || ' ' || e.source_id
FROM (SELECT DISTINCT region, source_id FROM street_edge) AS e LEFT JOIN source AS s USING (region, source_id) WHERE s.source_id IS NULL
UNION ALL
SELECT 'destination ' || d.region || ' ' || d.source_id
FROM (SELECT DISTINCT region, source_id FROM destination) AS d LEFT JOIN source AS s USING (region, source_id) WHERE s.source_id IS NULL
UNION ALL
SELECT 'lent ' || d.region || ' ' || d.source_id
FROM (SELECT region, source_id FROM lent_destination UNION SELECT region, source_id FROM lent_edge) AS d
LEFT JOIN source AS s ON s.region || '/' || s.source_id = iif(instr(d.source_id, '/') > 0, d.source_id, d.region || '/' || d.source_id)
WHERE s.source_id IS NULL;

-- fact: geometry columns are registered in EPSG:4326
SELECT 'geometry_columns' WHERE (
    SELECT count(*) FROM geometry_columns
    WHERE f_geometry_column = 'geometry' AND coord_dimension = 2 AND srid = 4326
        AND (f_table_name IN ('street_node', 'destination', 'lent_destination', 'home') AND geometry_type = 1
            OR f_table_name IN ('street_edge', 'lent_edge', 'barrier') AND geometry_type = 2)) <> 7;

-- fact: every street is in the spatial index, which has nothing else
SELECT 'street_edge ' || i.pkid FROM idx_street_edge_geometry AS i LEFT JOIN street_edge AS t ON t.fid = i.pkid WHERE t.fid IS NULL
UNION ALL
SELECT 'idx_street_edge_geometry' WHERE (SELECT count(*) FROM idx_street_edge_geometry) <> (SELECT count(*) FROM street_edge);

-- fact: every destination is in the spatial index, which has nothing else
SELECT 'destination ' || i.pkid FROM idx_destination_geometry AS i LEFT JOIN destination AS t ON t.fid = i.pkid WHERE t.fid IS NULL
UNION ALL
SELECT 'idx_destination_geometry' WHERE (SELECT count(*) FROM idx_destination_geometry) <> (SELECT count(*) FROM destination);

-- fact: all that is lent is in the spatial index
SELECT 'lent_edge ' || e.fid FROM lent_edge AS e LEFT JOIN idx_lent_edge_geometry AS i ON i.pkid = e.fid WHERE i.pkid IS NULL
UNION ALL
SELECT 'lent_destination ' || d.fid FROM lent_destination AS d LEFT JOIN idx_lent_destination_geometry AS i ON i.pkid = d.fid WHERE i.pkid IS NULL;

-- fact: the spatial indexes have nothing else that is lent
SELECT 'idx_lent_edge_geometry' WHERE (SELECT count(*) FROM idx_lent_edge_geometry) <> (SELECT count(*) FROM lent_edge)
UNION ALL
SELECT 'idx_lent_destination_geometry' WHERE (SELECT count(*) FROM idx_lent_destination_geometry) <> (SELECT count(*) FROM lent_destination);
