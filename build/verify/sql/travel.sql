-- Facts about travel.sqlite. Each query selects the exceptions from its fact; no rows means that it holds.

-- fact: rows are numbered 1, 2, 3 …
SELECT 'job_place ' || max(fid) FROM job_place HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'travel_cell ' || max(fid) FROM travel_cell HAVING max(fid) <> count(*) OR min(fid) <> 1;

-- fact: places have jobs, of sources of their regions
SELECT j.place_key FROM job_place AS j LEFT JOIN source AS s ON s.region = j.region AND s.source_id = j.source_id
WHERE NOT j.jobs > 0 OR s.source_id IS NULL;

-- fact: cells have their own nodes, and cells for cars stand for themselves
SELECT 'cell ' || c.fid FROM travel_cell AS c
LEFT JOIN travel_node AS n ON n.node = c.node
LEFT JOIN travel_cell AS d ON d.fid = c.car_cell
WHERE n.cell IS NOT c.fid OR d.car_cell IS NOT c.car_cell;

-- fact: nodes and measures are of cells, and measures no less than 0
SELECT 'node ' || node FROM travel_node WHERE cell NOT IN (SELECT fid FROM travel_cell)
UNION ALL
SELECT measure || ' of cell ' || cell FROM travel_measure WHERE cell NOT IN (SELECT fid FROM travel_cell) OR value < 0;

-- fact: measures are known of ground on which what they count is
SELECT DISTINCT measure FROM travel_measure WHERE substr(measure, 1, instr(measure, '_') - 1) NOT IN (SELECT counted FROM travel_ground);

-- fact: more time reaches no less
SELECT 'cell ' || a.cell || ': ' || a.measure FROM travel_measure AS a JOIN travel_measure AS b USING (cell)
WHERE (a.measure, b.measure) IN (VALUES ('jobs_within_30_min_transit', 'jobs_within_45_min_transit'),
    ('people_within_30_min_transit', 'people_within_45_min_transit'), ('groceries_within_15_min_transit', 'groceries_within_30_min_transit'))
    AND a.value > b.value;

-- fact: medians are of homes
SELECT geog_id || ' ' || measure FROM geography_travel WHERE value < 0 OR homes < 1 OR basis NOT IN ('households', 'street');
