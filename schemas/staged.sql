-- staged.duckdb: what ingest writes and transform reads. One file a region.
-- Every row names its source. Coordinates are WGS 84 (EPSG:4326), geometry is little-endian WKB, x = longitude.
-- An absent value is NULL, never '' and never 0.

CREATE TABLE source (
    source_id     VARCHAR PRIMARY KEY,  -- unique inside the region, from the region file
    priority      INTEGER NOT NULL,     -- place in the region file, 0 first; the lower one wins where two tell the same
    kind          VARCHAR NOT NULL,     -- the reader: boundaries, osm, overture, overpass, places, brands …
    path          VARCHAR NOT NULL,     -- base name of the file read
    sha256        VARCHAR NOT NULL,     -- of the file read, lower-case hex
    bytes         BIGINT NOT NULL,
    as_of         VARCHAR NOT NULL,     -- ISO date of the data, YYYY-MM-DD
    licence       VARCHAR NOT NULL,
    attribution   VARCHAR NOT NULL,
    url           VARCHAR,              -- where it was published
    rows_read     BIGINT NOT NULL,
    rows_staged   BIGINT NOT NULL
);

-- Rows that were rejected, repaired or skipped, counted by reason. Every dropped row is counted here.
CREATE TABLE source_issue (
    source_id     VARCHAR NOT NULL,
    severity      VARCHAR NOT NULL,     -- 'rejected' (wrong, not staged), 'repaired' (staged after a correction) or 'skipped' (out of scope, not staged)
    code          VARCHAR NOT NULL,     -- e.g. 'missing_geometry'; DATA.md lists all
    detail        VARCHAR NOT NULL,     -- value by which rows of the code are counted, e.g. a name of a table; '': none
    description   VARCHAR NOT NULL,     -- of the code, one sentence
    rows          BIGINT NOT NULL,
    example       VARCHAR NOT NULL,     -- the first of these rows or features
    PRIMARY KEY (source_id, code, detail)
);

-- One named outline of a level 10–70.
CREATE TABLE boundary (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- the publisher's own stable key with its scheme, e.g. 'census:place:4159000', 'osm:relation:112345'
    level         INTEGER NOT NULL,     -- 10, 20, 30, 32, 35, 37, 38, 40, 60, 70
    name_en       VARCHAR NOT NULL,
    name_fr       VARCHAR,              -- NULL: the same as the English one
    country_code  VARCHAR,              -- 'CA', 'US'; NULL: by containment
    state_code    VARCHAR,              -- 'OR', 'QC' …, two letters; NULL: by containment
    population    BIGINT,               -- people; NULL: not known
    geom          BLOB NOT NULL,        -- valid MULTIPOLYGON
    PRIMARY KEY (source_key)
);

-- Where a source's data is complete although no outline says so: an extract whose state is an open ring.
-- Geographies and POIs that lie in no level-60 outline take their country and state from here.
CREATE TABLE coverage (
    source_id     VARCHAR NOT NULL,
    country_code  VARCHAR NOT NULL,
    state_code    VARCHAR NOT NULL,
    geom          BLOB NOT NULL         -- MULTIPOLYGON: the extent of the data
);

-- One place that somebody may want to go to, as its publisher tells it.
CREATE TABLE poi (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- e.g. 'osm:node:123', 'overture:08f2…', 'ottawa:library:17'
    lng           DOUBLE NOT NULL,
    lat           DOUBLE NOT NULL,
    name          VARCHAR,
    name_fr       VARCHAR,
    scheme        VARCHAR NOT NULL,     -- vocabulary of classes: 'osm' (key=value), 'overture' (category ids), 'quartier' (our category ids)
    classes       VARCHAR NOT NULL,     -- JSON: an object of tags for osm, an array of ids, the primary first, else
    brand         VARCHAR,              -- as published
    brand_wikidata VARCHAR,             -- Q-number
    operator      VARCHAR,
    house_number  VARCHAR,
    street        VARCHAR,
    address       VARCHAR,              -- one line, where the publisher does not split it
    unit          VARCHAR,
    city          VARCHAR,
    state_code    VARCHAR,
    postal_code   VARCHAR,
    country_code  VARCHAR,
    phone         VARCHAR,
    url           VARCHAR,
    opening_hours VARCHAR,              -- as published, in the syntax of OpenStreetMap: 'Mo-Fr 08:00-18:00'
    confidence    DOUBLE,               -- 0–1, publisher's
    area_m2       DOUBLE,               -- where it was an area
    PRIMARY KEY (source_id, source_key)
);

-- A brand by name-suggestion-index rules.
CREATE TABLE brand_rule (
    source_id     VARCHAR NOT NULL,
    brand_id      VARCHAR NOT NULL,     -- lower snake_case of the display name
    brand_name    VARCHAR NOT NULL,
    wikidata      VARCHAR,
    key           VARCHAR NOT NULL,     -- OSM key and value that the rule holds for
    value         VARCHAR NOT NULL,
    names         VARCHAR NOT NULL,     -- JSON array of names that mean this brand
    countries     VARCHAR NOT NULL,     -- JSON array of lower-case location codes it trades in; empty: everywhere
    tags          VARCHAR NOT NULL,     -- JSON object of tags the rule brings (cuisine …)
    PRIMARY KEY (source_id, key, value, brand_id)
);

-- One street, path or road segment: the line along which one moves.
CREATE TABLE street (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- e.g. 'osm:way:123', 'statcan:rnf:45'
    class         VARCHAR NOT NULL,     -- schemas.StreetClasses
    name          VARCHAR,
    name_fr       VARCHAR,              -- where it differs
    foot          BOOLEAN NOT NULL,     -- one may walk here
    bicycle       BOOLEAN NOT NULL,     -- one may cycle here
    car           VARCHAR NOT NULL,     -- 'no', 'both', 'forward' or 'backward': the way cars may drive, along the line
    lanes         INTEGER,              -- for cars, both ways together; NULL here and below: not known
    speed_kmh     DOUBLE,               -- limit
    sidewalk      BOOLEAN,
    cycleway      VARCHAR,              -- 'track' (protected), 'lane' (painted), 'shared' (sharrow, bus lane); NULL: none known
    parking       BOOLEAN,              -- cars may be parked along it
    bridge        BOOLEAN NOT NULL,
    tunnel        BOOLEAN NOT NULL,
    nodes         BLOB,                 -- a little-endian int64 id for each vertex: lines meet where they share one. NULL: where vertices lie together
    geom          BLOB NOT NULL,        -- LINESTRING of at least two different points
    PRIMARY KEY (source_id, source_key)
);

-- What shapes a place without being one to go to: points, lines and areas.
CREATE TABLE feature (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- unique in source and kind
    kind          VARCHAR NOT NULL,     -- schemas.FeatureKinds says which classes and shapes a kind has
    class         VARCHAR NOT NULL,     -- within its kind; '' where the kind has no classes
    name          VARCHAR,
    year          INTEGER,              -- of construction, of a building
    size          DOUBLE,               -- m² of a building's footprint; metres of a runway; NULL: not known
    bridge        BOOLEAN NOT NULL,     -- on a bridge, where it is a line
    geom          BLOB NOT NULL,        -- POINT, LINESTRING or valid MULTIPOLYGON, as the kind has it
    PRIMARY KEY (source_id, kind, source_key)
);

-- One timetable, and the week that stands for it.
CREATE TABLE timetable (
    source_id     VARCHAR PRIMARY KEY,
    feed_name     VARCHAR,
    first_day     VARCHAR NOT NULL,     -- ISO date of the first and last day with service
    last_day      VARCHAR NOT NULL,
    week          VARCHAR NOT NULL,     -- ISO date of the first day of the representative seven
    trips         BIGINT NOT NULL       -- in that week
);

-- A place where vehicles stop.
CREATE TABLE stop (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- 'gtfs:<source_id>:<stop_id>'
    name          VARCHAR NOT NULL,
    name_fr       VARCHAR,
    parent_key    VARCHAR,              -- station it belongs to
    lng           DOUBLE NOT NULL,
    lat           DOUBLE NOT NULL,
    PRIMARY KEY (source_id, source_key)
);

-- A line of public transport.
CREATE TABLE route (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- 'gtfs:<source_id>:<route_id>'
    agency        VARCHAR,
    name          VARCHAR NOT NULL,     -- short name, else the long one
    long_name     VARCHAR,
    name_fr       VARCHAR,              -- of the one in name
    mode          VARCHAR NOT NULL,     -- schemas.TransitModes
    spacing_m     DOUBLE,               -- median straight distance between neighbouring stops of its trips
    PRIMARY KEY (source_id, source_key)
);

-- How often a line serves a stop in the representative week.
CREATE TABLE stop_service (
    source_id     VARCHAR NOT NULL,
    stop_key      VARCHAR NOT NULL,
    route_key     VARCHAR NOT NULL,
    direction     INTEGER NOT NULL,     -- 0 or 1
    trips_week    INTEGER NOT NULL,     -- departures (arrivals at the end of a trip), at least 1
    PRIMARY KEY (source_id, stop_key, route_key, direction)
);

-- Heights above sea level on a grid of longitude and latitude.
CREATE TABLE elevation_tile (
    source_id     VARCHAR NOT NULL,
    tile          INTEGER NOT NULL,     -- 0, 1, 2 … in the file
    west          DOUBLE NOT NULL,      -- centre of the north-western cell, degrees
    north         DOUBLE NOT NULL,
    step_lng      DOUBLE NOT NULL,      -- degrees from a cell to its eastern neighbour, > 0
    step_lat      DOUBLE NOT NULL,      -- degrees from a cell to its southern neighbour, > 0
    columns       INTEGER NOT NULL,
    rows          INTEGER NOT NULL,
    cells         BLOB NOT NULL,        -- float32 little-endian metres, row by row from the north-west; NaN: not known
    PRIMARY KEY (source_id, tile)
);

-- The smallest area that people are counted in: census block, dissemination block.
CREATE TABLE block (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- 'census:block:<GEOID20>', 'statcan:db:<DBUID>'
    area_key      VARCHAR,              -- of the block group or dissemination area it lies in, 'census:bg:…', 'statcan:da:…'
    population    BIGINT,               -- people; NULL here and below: not published
    dwellings     BIGINT,               -- private dwellings, housing units
    households    BIGINT,               -- occupied ones
    land_m2       DOUBLE,
    geom          BLOB NOT NULL,        -- valid MULTIPOLYGON
    PRIMARY KEY (source_id, source_key)
);

-- Where along the streets the people of a block live, where somebody has worked it out.
CREATE TABLE home (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,
    block_key     VARCHAR NOT NULL,
    weight        DOUBLE NOT NULL,      -- share in its block in any unit, > 0
    lng           DOUBLE NOT NULL,
    lat           DOUBLE NOT NULL,
    PRIMARY KEY (source_id, source_key)
);

-- A census or survey that statistics come from.
CREATE TABLE survey (
    source_id     VARCHAR PRIMARY KEY,
    vintage       VARCHAR NOT NULL,     -- years as people write them: '2019-2023', '2021'
    title         VARCHAR NOT NULL      -- 'American Community Survey, 5-year estimates'
);

-- A figure about the people, households or dwellings of an area.
CREATE TABLE statistic (
    source_id     VARCHAR NOT NULL,
    area_key      VARCHAR NOT NULL,     -- 'census:bg:…', 'census:tract:…', 'statcan:da:…', or the source key of a geography
    cell          VARCHAR NOT NULL,     -- demographics.Cells
    estimate      DOUBLE NOT NULL,      -- people, households, dwellings, dollars; never negative
    moe           DOUBLE,               -- 90 % margin of error; NULL: the source tells none
    PRIMARY KEY (source_id, area_key, cell)
);

-- The outline of a small area that tables are about, for places where no blocks are known.
CREATE TABLE zone (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- 'census:bg:…', 'statcan:da:…'
    geom          BLOB NOT NULL,        -- valid MULTIPOLYGON
    PRIMARY KEY (source_id, source_key)
);

-- What homes are worth in a geography.
CREATE TABLE home_value (
    source_id     VARCHAR NOT NULL,
    area_key      VARCHAR NOT NULL,     -- source key of a geography
    year          INTEGER NOT NULL,
    dollars       DOUBLE NOT NULL,      -- mean of the index over the months of the year that are told, > 0
    months        INTEGER NOT NULL,     -- how many: 1 to 12
    PRIMARY KEY (source_id, area_key, year)
);
