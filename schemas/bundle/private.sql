-- private.sqlite: the custom geographies of customers, with their owners, for people and GIS. SpatiaLite, EPSG:4326,
-- x = longitude. What is computed for them is in the files beside it, which have the tables of those of the release.

-- A request of the requests file, and what became of it.
CREATE TABLE request (
    geo_entity_id  TEXT PRIMARY KEY,    -- UUID
    position       INTEGER NOT NULL,    -- in the file, from 0
    owner          TEXT NOT NULL,       -- customer
    version        INTEGER NOT NULL,    -- of the request
    action         TEXT NOT NULL,       -- 'keep', 'publish' or 'deprecate'
    name_en        TEXT NOT NULL,
    name_fr        TEXT,                -- NULL: none, the English name is used
    type           TEXT NOT NULL,       -- NEIGHBORHOOD …
    boundaries     TEXT NOT NULL,       -- WKT as requested
    published      TEXT,                -- geog_id of its last publication; NULL: none
    geog_id        TEXT,                -- that it has now; NULL: it cannot be built
    problem        TEXT,                -- why not; NULL: it was built
    code           TEXT                 -- of the problem, such as 'no_land'; NULL: it was built
);

-- A boundary version of a custom geography.
CREATE TABLE custom_geography (
    fid              INTEGER PRIMARY KEY, -- in the order of geog_id
    geog_id          TEXT NOT NULL UNIQUE,
    geo_entity_id    TEXT NOT NULL,     -- of request
    owner            TEXT NOT NULL,     -- customer who may see it
    boundary_version INTEGER NOT NULL,
    level            INTEGER NOT NULL,
    name_en          TEXT NOT NULL,
    name_fr          TEXT NOT NULL,
    status           TEXT NOT NULL,     -- 'current', 'deprecated': answers by its id and is found no more, 'superseded'
    replaced_by      TEXT,              -- geog_id of the current version of a superseded one; NULL: none
    geometry         MULTIPOLYGON NOT NULL
);

-- A geography of a release that a custom geography is in, with its names.
CREATE TABLE parent (
    geog_id        TEXT PRIMARY KEY,
    name_en        TEXT NOT NULL,
    name_fr        TEXT NOT NULL
);
