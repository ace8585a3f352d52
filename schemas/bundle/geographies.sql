-- geographies.sqlite: the named outlines of a release, for people and GIS. SpatiaLite, EPSG:4326, x = longitude.
-- Columns named geometry are registered and, in geography and coverage, have an R*Tree (idx_<table>_geometry).

-- The current version of every outline. Rows are in the order of a space-filling curve over their centroids.
CREATE TABLE geography (
    fid              INTEGER PRIMARY KEY, -- 1, 2, 3 … along the curve; not stable between releases
    geog_id          TEXT NOT NULL UNIQUE, -- 'g<level>_' and 10 base32 characters: SHA-256 of id_key and boundary_version
    source_key       TEXT NOT NULL UNIQUE, -- the publisher's own key with its scheme
    id_key           TEXT NOT NULL,       -- the source_key that the id was made from: the older one if a publisher renamed a key
    boundary_version INTEGER NOT NULL,    -- 1 for the first outline known under id_key
    region           TEXT NOT NULL,       -- region of the release whose row was taken
    source_id        TEXT NOT NULL,       -- its source, see table source
    level            INTEGER NOT NULL,    -- 10, 20, 30, 32, 35, 37, 38, 40, 60, 70
    name_en          TEXT NOT NULL,
    name_fr          TEXT NOT NULL,       -- the English name where none was published
    country_code     TEXT NOT NULL,       -- 'CA' or 'US'
    state_codes      TEXT NOT NULL,       -- comma list of 'CA_QC'-like codes, the largest share first; '' at level 70
    city_id          TEXT,                -- geog_id of the level-30 geography that contains it by area, or of itself; NULL: none
    metro_id         TEXT,                -- the same of level 40
    state_id         TEXT,                -- the same of level 60; else the only state that it is in
    country_id       TEXT,                -- the country of country_code
    area_m2          REAL NOT NULL,       -- on the WGS 84 ellipsoid
    west             REAL NOT NULL,       -- bounding box, degrees
    south            REAL NOT NULL,
    east             REAL NOT NULL,
    north            REAL NOT NULL,
    centroid_lng     REAL NOT NULL,       -- always inside the outline
    centroid_lat     REAL NOT NULL,
    population       BIGINT,              -- people; NULL: not known
    geometry         MULTIPOLYGON NOT NULL
);

-- The hierarchy from a current geography upwards: what contains it by area, one of each higher level. City_id and metro_id of
-- geography are the same, but that the municipality of a postal area or county subdivision is not of a higher level. Postal
-- areas are nobody's parents.
CREATE TABLE geography_parent (
    geog_id          TEXT NOT NULL,       -- of geography
    level            INTEGER NOT NULL,    -- of the parent, higher than that of the geography
    parent_id        TEXT NOT NULL,       -- its geog_id, of the component places
    PRIMARY KEY (geog_id, level)
) WITHOUT ROWID;

-- Further names of current geographies, by which they are found. They are not shown.
CREATE TABLE geography_name (
    geog_id          TEXT NOT NULL,       -- of geography
    name             TEXT NOT NULL,
    kind             TEXT NOT NULL,       -- 'alternate', 'short', 'official', 'old', 'local' or 'translation'
    language         TEXT,                -- IETF tag: 'fr', 'zh-Hant'; NULL: not published
    region           TEXT NOT NULL,       -- of the release whose row was taken
    source_id        TEXT NOT NULL,       -- the source of the name
    PRIMARY KEY (geog_id, name)
) WITHOUT ROWID;

-- Superseded geographies with their last data. The API still answers for their ids.
CREATE TABLE geography_superseded (
    fid              INTEGER PRIMARY KEY, -- in the order of geog_id
    geog_id          TEXT NOT NULL UNIQUE,
    replaced_by      TEXT,                -- geog_id in table geography, never in this one; NULL: no successor
    superseded_in    TEXT NOT NULL,       -- name of the first release without it
    superseded_as_of TEXT,                -- as-of date of that release, YYYY-MM-DD; NULL: an earlier program recorded none
    source_key       TEXT NOT NULL,
    id_key           TEXT NOT NULL,
    boundary_version INTEGER NOT NULL,
    region           TEXT NOT NULL,       -- of its last release, like the columns that follow
    source_id        TEXT NOT NULL,
    level            INTEGER NOT NULL,
    name_en          TEXT NOT NULL,
    name_fr          TEXT NOT NULL,
    country_code     TEXT NOT NULL,
    state_codes      TEXT NOT NULL,
    city_id          TEXT,                -- may itself be superseded by now
    metro_id         TEXT,
    state_id         TEXT,
    country_id       TEXT,
    area_m2          REAL NOT NULL,
    west             REAL NOT NULL,
    south            REAL NOT NULL,
    east             REAL NOT NULL,
    north            REAL NOT NULL,
    centroid_lng     REAL NOT NULL,
    centroid_lat     REAL NOT NULL,
    population       BIGINT,
    geometry         MULTIPOLYGON NOT NULL
);

-- The bridge from a superseded geography to its successors: one row for each pair and release. geog_bridge.parquet has the
-- same rows.
CREATE TABLE geog_bridge (
    release          TEXT NOT NULL,       -- name of the release in which it was superseded
    old_geog_id      TEXT NOT NULL,
    new_geog_id      TEXT NOT NULL,       -- as of that release, may be superseded since; '' for kind 'retired'
    kind             TEXT NOT NULL,       -- 'reversion', 'redrawn', 'split', 'merge', 'level' or 'retired'
    area_share       REAL NOT NULL,       -- share of the old one's area that the new one covers, 0–1
    household_share  REAL,                -- share of the old one's households, by the homes of that release; NULL: not known
    measure          TEXT NOT NULL,       -- which share decided on kind and successor: 'households' or 'area'
    PRIMARY KEY (release, old_geog_id, new_geog_id)
);

-- Areas whose country and state are known: the outlines of level 60 and, outside of them, the extents of sources.
CREATE TABLE coverage (
    fid              INTEGER PRIMARY KEY, -- in the order of the columns that follow
    region_code      TEXT NOT NULL,       -- 'US_DE'
    region           TEXT NOT NULL,       -- region of the release that has it
    source_key       TEXT NOT NULL,       -- of the geography, or 'extent:<source_id>'
    geometry         MULTIPOLYGON NOT NULL,
    UNIQUE (region_code, region, source_key)
);
