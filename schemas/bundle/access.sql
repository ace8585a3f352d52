-- access.sqlite: the walking network, the destinations on it, and measures and scores at its nodes. For people
-- and GIS. SpatiaLite, EPSG:4326, x = longitude. The columns of measures and scores are made from schemas.Channels:
-- ten-thousandths of the 0–5 scale, NULL if there are no data; the view street_node_values has them as decimals.

-- A node of the walking network with its measures and scores: table street_node, made by schemas.StreetNodeDDL.

-- What the composite scores at a node are made of in addition to its measures. Ten-thousandths of the unit; NULL if there
-- are no data.
CREATE TABLE street_node_part (
    fid            INTEGER PRIMARY KEY, -- of street_node
    noise_db       INTEGER,             -- total sound level, weighted as quiet needs it
    steepest_pct   INTEGER,             -- steepest grade within 200 m
    bike_lanes     INTEGER,             -- share 0–1: cycle lanes and paths within 1 km, relative to the reference place
    low_stress     INTEGER,             -- share 0–1 of streets within 2 km that are connected with low traffic stress
    parking        INTEGER,             -- share 0–1 of the land within 400 m that is parking
    drive_errands  INTEGER,             -- share 0–1 of errands within a short drive, weighted
    density_km2    INTEGER,             -- people per km² of land within 800 m
    ramp_min       INTEGER,             -- minutes of driving to the nearest ramp of a highway, at most 30
    arterial_min   INTEGER,             -- minutes of driving to the nearest arterial, at most 10
    lane_load      INTEGER,             -- vehicles a day per lane of the streets within 800 m, weighted by their traffic
    activity_km2   INTEGER,             -- people and visitors of places per km² of land within 800 m
    beyond         INTEGER              -- greatest share 0–1 of what a value looks at beyond the edge of the data, of the values that are absent for it; NULL: none is
);

-- An edge: a stretch of street between two nodes.
CREATE TABLE street_edge (
    fid            INTEGER PRIMARY KEY, -- 1, 2, 3 …; not stable between releases
    region         TEXT NOT NULL,       -- region of the release
    a              INTEGER NOT NULL,    -- fid of street_node
    b              INTEGER NOT NULL,
    length_m       REAL NOT NULL,
    class          TEXT NOT NULL,
    name           TEXT,
    name_fr        TEXT,
    source_id      TEXT NOT NULL,
    source_key     TEXT NOT NULL,       -- the publisher's own key, 'osm:way:123'
    aadt           REAL,                -- vehicles a day, of a one-way carriageway its own; NULL: no cars
    count_key      TEXT,                -- source and key of the count that aadt is from, with a colon between; NULL: assumed for class and setting
    geometry       LINESTRING NOT NULL  -- from a to b
);

-- A barrier, which no access leg crosses.
CREATE TABLE barrier (
    fid            INTEGER PRIMARY KEY,
    region         TEXT NOT NULL,
    kind           TEXT NOT NULL,       -- 'water', 'motorway', 'railway'
    geometry       LINESTRING NOT NULL
);

-- A destination: a place as the access engine counts it.
CREATE TABLE destination (
    fid            INTEGER PRIMARY KEY,
    region         TEXT NOT NULL,
    class          TEXT NOT NULL,       -- of schemas.DestinationClasses
    place_key      TEXT NOT NULL,       -- poi_key, or the publisher's key of a park, school, stop or ramp
    station        TEXT NOT NULL,       -- shared by the platforms of a station; otherwise place_key
    source_id      TEXT NOT NULL,
    name           TEXT,
    size           REAL,                -- hectares of a park
    edge           INTEGER NOT NULL,    -- fid of street_edge
    along_m        REAL NOT NULL,       -- from the edge's node a
    leg_m          REAL NOT NULL,       -- from the street to the place
    geometry       POINT NOT NULL
);

-- A home: where people live, as a point on a street. The scores of geographies are taken over the homes in them.
CREATE TABLE home (
    fid            INTEGER PRIMARY KEY,
    region         TEXT NOT NULL,
    basis          TEXT NOT NULL,       -- 'households': weight is their number; 'street': metres of residential street, where there are no counts
    weight         REAL NOT NULL,       -- > 0
    edge           INTEGER NOT NULL,    -- fid of street_edge
    along_m        REAL NOT NULL,       -- from the edge's node a
    geometry       POINT NOT NULL       -- of the home, not of the street
);

-- The departures of a line at a stop in the timetable week or, without a timetable, those that the calibration assumes for
-- mode and kind, of both directions together.
CREATE TABLE transit_service (
    destination    INTEGER NOT NULL,    -- fid
    route_key      TEXT NOT NULL,
    route_name     TEXT NOT NULL,
    mode           TEXT NOT NULL,
    rapid          INTEGER NOT NULL,    -- 1: counts as rapid transit
    direction      INTEGER NOT NULL,
    headsign       TEXT,                -- where it goes from here; without a timetable the ends of the line, 'Depot – Harbour'; NULL: not known
    trips_week     INTEGER NOT NULL,
    basis          TEXT NOT NULL,       -- 'timetable', 'line': known without its times, 'stops': stops of an unknown line
    kind           TEXT,                -- 'frequent', 'all_day', 'peak', 'school', 'shopper' without a timetable; NULL: a timetable has the line, or its kind is not known
    PRIMARY KEY (destination, route_key, direction)
) WITHOUT ROWID;

-- What neighbours lend within the reach of a walk from the region's own streets: what values near the border are explained
-- by. A stretch of street of a neighbour.
CREATE TABLE lent_edge (
    fid            INTEGER PRIMARY KEY,
    region         TEXT NOT NULL,       -- that it is lent to
    a              INTEGER NOT NULL,    -- fid of street_node; negative: a node of neighbours' streets alone, by region
    b              INTEGER NOT NULL,
    length_m       REAL NOT NULL,
    source_id      TEXT NOT NULL,       -- 'region/source'
    source_key     TEXT NOT NULL,
    geometry       LINESTRING NOT NULL  -- from a to b
);

-- A place that a neighbour lends, or an own one that is snapped to a street of a neighbour: the columns of destination.
CREATE TABLE lent_destination (
    fid            INTEGER PRIMARY KEY,
    region         TEXT NOT NULL,       -- that it is lent to
    class          TEXT NOT NULL,
    place_key      TEXT NOT NULL,
    station        TEXT NOT NULL,
    source_id      TEXT NOT NULL,       -- of a lent one 'region/source'
    name           TEXT,
    size           REAL,
    edge           INTEGER NOT NULL,    -- fid of street_edge; negative: that of lent_edge
    along_m        REAL NOT NULL,
    leg_m          REAL NOT NULL,
    geometry       POINT NOT NULL
);

-- Departures at the stops of lent_destination: the columns of transit_service.
CREATE TABLE lent_service (
    destination    INTEGER NOT NULL,    -- fid of lent_destination
    route_key      TEXT NOT NULL,
    route_name     TEXT NOT NULL,
    mode           TEXT NOT NULL,
    rapid          INTEGER NOT NULL,
    direction      INTEGER NOT NULL,
    headsign       TEXT,
    trips_week     INTEGER NOT NULL,
    basis          TEXT NOT NULL,
    kind           TEXT,
    PRIMARY KEY (destination, route_key, direction)
) WITHOUT ROWID;

-- The score of the median household of a geography, current or superseded: the weighted lower median over its homes.
-- A home without the score is skipped; a score known for less than half of the weight is absent. Homes are weighted by
-- households or, if the geography has no household counts, by metres of residential street. A geography has no scores if
-- less than half of its area, water included, is within the convex hulls of the regions' street nodes, or if it has
-- neither household counts nor three stretches of residential street; notes of the manifest count both by level. A
-- superseded geography keeps its last scores.
CREATE TABLE geography_score (
    geog_id        TEXT NOT NULL,
    score          TEXT NOT NULL,       -- of schemas.Scores
    value          INTEGER NOT NULL,    -- ten-thousandths, 0–50000
    basis          TEXT NOT NULL,       -- 'households', or 'street' without household counts
    homes          INTEGER NOT NULL,    -- that the median is taken over
    PRIMARY KEY (geog_id, score)
) WITHOUT ROWID;

-- The calibration of measures and scores, one row.
CREATE TABLE calibration (
    version        TEXT NOT NULL,
    sha256         TEXT NOT NULL,       -- of the calibration file
    snap_m         REAL NOT NULL        -- maximum distance from a point to its street, metres
);

-- The built environment of a cell of geohash-7.
CREATE TABLE typology (
    geohash        TEXT PRIMARY KEY,
    typology       TEXT NOT NULL,       -- of schemas.Typologies
    population_km2 REAL NOT NULL,       -- people per km² of land
    households_km2 REAL NOT NULL
) WITHOUT ROWID;
