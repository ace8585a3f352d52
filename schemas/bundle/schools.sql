-- schools.sqlite: the schools of a release, for people and GIS. SpatiaLite, EPSG:4326, x = longitude.

-- A school, merged from its records. Rows are in the order of a space-filling curve.
CREATE TABLE school (
    fid            INTEGER PRIMARY KEY, -- 1, 2, 3 … along the curve; not stable between releases
    school_key     TEXT NOT NULL,       -- unique; source key of the record that was kept, 'nces:school:530771003410'
    region         TEXT NOT NULL,       -- region of the release whose row was taken
    source_id      TEXT NOT NULL,       -- its source, see table source
    authority_id   TEXT,                -- with its scheme, 'nces:530771003410'; NULL here and below: not known
    name           TEXT NOT NULL,       -- at most 256 characters, as all texts
    name_fr        TEXT,
    levels         TEXT NOT NULL,       -- comma list of 'preschool', 'elementary', 'middle', 'secondary' in this order; '' where they are not known
    grades         TEXT,                -- first and last: 'JK-8'
    types          TEXT,                -- comma list of 'public', 'private'
    languages      TEXT,                -- comma list of ISO 639-1 codes; in Canada alone
    programs       TEXT,                -- JSON array of texts
    address        TEXT,
    city           TEXT,
    state_code     TEXT NOT NULL,       -- two letters
    postal_code    TEXT,                -- 'K1A 0B1', '98101'
    country_code   TEXT NOT NULL,       -- 'CA' or 'US'
    phone          TEXT,                -- '206-252-0000'; in the United States alone, as the numbers below
    url            TEXT,
    board_name     TEXT,
    board_url      TEXT,
    rating         TEXT,                -- letter: 'A+', 'B-', 'F'
    students       INTEGER,
    female         INTEGER,
    male           INTEGER,
    free_lunch     INTEGER,
    reduced_lunch  INTEGER,
    student_teacher_ratio REAL,
    charter        INTEGER,             -- 0 or 1 here and below
    magnet         INTEGER,
    title_i        INTEGER,
    advanced_placement INTEGER,
    library        INTEGER,
    geometry       POINT NOT NULL       -- registered, with an R*Tree (idx_school_geometry)
);

-- The records that became a school, the kept one among them, and the row of a list of ratings that its rating is from.
CREATE TABLE school_source (
    school_key     TEXT NOT NULL,       -- of school
    region         TEXT NOT NULL,       -- where it was found
    source_id      TEXT NOT NULL,
    source_key     TEXT NOT NULL,
    name           TEXT,                -- as published
    distance_m     REAL,                -- from the kept record; NULL: one has no coordinates
    name_similarity REAL,               -- 0–1; NULL: one has no name
    reason         TEXT NOT NULL,       -- of schemas.SchoolReasons: 'kept', 'authority_id', 'name' …
    PRIMARY KEY (region, source_id, source_key)
);

-- The outline of the addresses that a school serves. Rows are in order of school, level, program, grade.
CREATE TABLE school_catchment (
    fid            INTEGER PRIMARY KEY, -- 1, 2, 3 …; not stable between releases
    school_fid     INTEGER NOT NULL,    -- of school
    region         TEXT NOT NULL,       -- where it was found
    source_id      TEXT NOT NULL,
    source_key     TEXT NOT NULL,
    level          TEXT NOT NULL,
    program        TEXT,
    grade          TEXT,                -- 'K', '6-8'
    reason         TEXT NOT NULL,       -- 'authority_id', 'source_key' or 'name': by what the outline names the school
    geometry       MULTIPOLYGON NOT NULL -- registered, with an R*Tree (idx_school_catchment_geometry)
);
