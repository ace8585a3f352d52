-- travel.sqlite: where people work, and what they reach from home within some minutes. SpatiaLite, EPSG:4326, x = longitude.

-- Where people work: a point with its jobs. Those that several regions have are of the first one.
CREATE TABLE job_place (
    fid            INTEGER PRIMARY KEY, -- 1, 2, 3 …; not stable between releases
    region         TEXT NOT NULL,       -- region of the release
    source_id      TEXT NOT NULL,
    source_key     TEXT NOT NULL,       -- of the area with the jobs, 'census:block:110010001011000'
    place_key      TEXT NOT NULL,       -- of the block or zone of the point
    node           INTEGER,             -- fid of street_node in access.sqlite: the nearest; NULL: none is within 10 km
    jobs           INTEGER NOT NULL,    -- thousandths of a job, > 0
    sectors        TEXT,                -- JSON array of those in each of schemas.JobSectors; NULL: not published, or of an area that was divided
    earnings       TEXT,                -- likewise of schemas.JobEarnings
    geometry       POINT NOT NULL
);

-- Ground on which what is counted is known.
CREATE TABLE travel_ground (
    fid            INTEGER PRIMARY KEY,
    counted        TEXT NOT NULL,       -- 'jobs', 'people', 'groceries'
    region         TEXT NOT NULL,
    geometry       MULTIPOLYGON NOT NULL
);

-- A cell: nodes with homes within a short walk of one of them, for which it is computed.
CREATE TABLE travel_cell (
    fid            INTEGER PRIMARY KEY,
    node           INTEGER NOT NULL,    -- fid of street_node
    car_cell       INTEGER NOT NULL,    -- fid of the cell for which it is computed by car
    geometry       POINT NOT NULL
);

-- A node of the walking network with a home on one of its streets that is no nearer to the other end.
CREATE TABLE travel_node (
    node           INTEGER PRIMARY KEY, -- fid of street_node
    cell           INTEGER NOT NULL
);

-- How much is reached from a cell. A measure that is not known is absent.
CREATE TABLE travel_measure (
    cell           INTEGER NOT NULL,
    measure        TEXT NOT NULL,       -- of schemas.TravelMeasures
    value          INTEGER NOT NULL,    -- jobs, people or places
    PRIMARY KEY (cell, measure)
) WITHOUT ROWID;

-- A measure of the median household of a geography: the weighted lower median over its homes, by the rules of geography_score.
CREATE TABLE geography_travel (
    geog_id        TEXT NOT NULL,
    measure        TEXT NOT NULL,
    value          INTEGER NOT NULL,
    basis          TEXT NOT NULL,       -- 'households', or 'street' without household counts
    homes          INTEGER NOT NULL,    -- that the median is taken over
    PRIMARY KEY (geog_id, measure)
) WITHOUT ROWID;
