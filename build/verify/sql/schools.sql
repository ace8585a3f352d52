-- Facts about schools.sqlite. Each query selects the exceptions from its fact; no rows means that it holds.

-- fact: rows are numbered 1, 2, 3 …
SELECT 'school ' || max(fid) FROM school HAVING max(fid) <> count(*) OR min(fid) <> 1
UNION ALL
SELECT 'catchment ' || max(fid) FROM school_catchment HAVING max(fid) <> count(*) OR min(fid) <> 1;

-- fact: every school has a source
SELECT p.school_key FROM school AS p LEFT JOIN source AS s USING (region, source_id) WHERE s.source_id IS NULL;

-- fact: every record has a source
SELECT p.source_key FROM school_source AS p LEFT JOIN source AS s USING (region, source_id) WHERE s.source_id IS NULL;

-- fact: records belong to schools of the release
SELECT source_key FROM school_source WHERE school_key NOT IN (SELECT school_key FROM school);

-- fact: the kept record of a school is among its records
SELECT s.school_key FROM school AS s LEFT JOIN school_source AS r ON r.school_key = s.school_key AND r.source_key = s.school_key WHERE r.source_key IS NULL;

-- fact: a school has a rating if a row of a list rates it
SELECT s.school_key FROM school AS s LEFT JOIN school_source AS r ON r.school_key = s.school_key AND r.reason = 'rating'
    WHERE (s.rating IS NULL) <> (r.source_key IS NULL);

-- fact: schools have known levels and types, and a postal code in the form of their country
SELECT school_key FROM school WHERE
    levels <> '' AND replace(replace(replace(replace(',' || levels, ',preschool', ''), ',elementary', ''), ',middle', ''), ',secondary', '') <> ''
    OR types NOT IN ('public', 'private', 'public,private')
    OR country_code = 'CA' AND postal_code NOT GLOB '[A-Z][0-9][A-Z] [0-9][A-Z][0-9]'
    OR country_code = 'US' AND postal_code NOT GLOB '[0-9][0-9][0-9][0-9][0-9]';

-- fact: telephone numbers and counts are of schools in the United States, languages of schools in Canada
SELECT school_key FROM school WHERE
    country_code <> 'US' AND coalesce(phone, students, female, male, free_lunch, reduced_lunch, student_teacher_ratio, charter, magnet, title_i,
        advanced_placement, library) IS NOT NULL
    OR country_code <> 'CA' AND languages IS NOT NULL
    OR phone NOT GLOB '[2-9][0-9][0-9]-[2-9][0-9][0-9]-[0-9][0-9][0-9][0-9]'
    OR min(coalesce(students, 0), coalesce(female, 0), coalesce(male, 0), coalesce(free_lunch, 0), coalesce(reduced_lunch, 0), coalesce(student_teacher_ratio, 0)) < 0;

-- fact: texts have at most 256 characters
SELECT school_key FROM school WHERE max(length(name), length(coalesce(name_fr, '')), length(coalesce(address, '')), length(coalesce(city, '')),
    length(coalesce(url, '')), length(coalesce(board_name, '')), length(coalesce(board_url, ''))) > 256;

-- fact: in Canada schools of Ontario and British Columbia alone have ratings
SELECT school_key FROM school WHERE rating IS NOT NULL AND country_code = 'CA' AND state_code NOT IN ('ON', 'BC');

-- fact: catchments are of schools of the release and of known sources and levels
SELECT c.source_key FROM school_catchment AS c LEFT JOIN source AS s USING (region, source_id)
    WHERE s.source_id IS NULL OR c.school_fid NOT IN (SELECT fid FROM school) OR c.level NOT IN ('preschool', 'elementary', 'middle', 'secondary');

-- fact: catchments are in order of their schools
SELECT c.source_key FROM school_catchment AS c JOIN school_catchment AS n ON n.fid = c.fid + 1 WHERE n.school_fid < c.school_fid;

-- fact: geometry columns are registered in EPSG:4326
SELECT 'geometry_columns' WHERE (
    SELECT count(*) FROM geometry_columns
    WHERE f_geometry_column = 'geometry' AND coord_dimension = 2 AND srid = 4326
        AND (f_table_name = 'school' AND geometry_type = 1 OR f_table_name = 'school_catchment' AND geometry_type = 6)) <> 2;

-- fact: every school and catchment is in the spatial index
SELECT s.school_key FROM school AS s LEFT JOIN idx_school_geometry AS i ON i.pkid = s.fid WHERE i.pkid IS NULL
UNION ALL
SELECT c.source_key FROM school_catchment AS c LEFT JOIN idx_school_catchment_geometry AS i ON i.pkid = c.fid WHERE i.pkid IS NULL;

-- fact: the spatial indexes have no other rows than the tables
SELECT 'idx_school_geometry' WHERE (SELECT count(*) FROM idx_school_geometry) <> (SELECT count(*) FROM school)
UNION ALL
SELECT 'idx_school_catchment_geometry' WHERE (SELECT count(*) FROM idx_school_catchment_geometry) <> (SELECT count(*) FROM school_catchment);
