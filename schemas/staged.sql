-- staged.duckdb: written by ingest, read by transform; one file per region. schemas/staged has a Go type for each table.
-- Every row has its source. Coordinates are WGS 84 (EPSG:4326), geometry is little-endian WKB, x = longitude.
-- A missing value is NULL, never '' and never 0.

CREATE TABLE source (
    source_id     VARCHAR PRIMARY KEY,  -- unique in the region, from the region file
    priority      INTEGER NOT NULL,     -- position in the region file, from 0; lower ones have precedence
    kind          VARCHAR NOT NULL,     -- of source: boundaries, osm, overture, overpass, places, brands …
    path          VARCHAR NOT NULL,     -- base name of the file read
    sha256        VARCHAR NOT NULL,     -- of the file read, lower-case hex
    bytes         BIGINT NOT NULL,
    as_of         VARCHAR NOT NULL,     -- ISO date of the data, YYYY-MM-DD
    licence       VARCHAR NOT NULL,
    attribution   VARCHAR NOT NULL,
    url           VARCHAR,              -- where it was published
    rows_read     BIGINT NOT NULL,
    rows_staged   BIGINT NOT NULL,
    no_footpaths  BOOLEAN NOT NULL DEFAULT false -- of streets: it has roads alone, or not all paths, stairs and footbridges; false for other sources
);

-- Rows that were rejected, repaired or skipped, counted by reason. Every dropped row is counted here.
CREATE TABLE source_issue (
    source_id     VARCHAR NOT NULL,
    severity      VARCHAR NOT NULL,     -- 'rejected' (wrong, not staged), 'repaired' (staged after a correction), 'skipped' (out of scope, not staged) or 'noted' (of the file, no row is concerned)
    code          VARCHAR NOT NULL,     -- e.g. 'missing_geometry'; DATA.md lists all
    detail        VARCHAR NOT NULL,     -- value by which rows of the code are counted, e.g. a name of a table; '': none
    description   VARCHAR NOT NULL,     -- of the code, one sentence
    rows          BIGINT NOT NULL,
    example       VARCHAR NOT NULL,     -- the first of these rows or features
    PRIMARY KEY (source_id, code, detail)
);

-- A class of places, or of what is heard beside streets, of which the region file says that a source has all, or that it
-- lacks some.
CREATE TABLE declared_class (
    source_id     VARCHAR NOT NULL,
    class         VARCHAR NOT NULL,     -- schemas.KnownClasses
    complete      BOOLEAN NOT NULL,
    PRIMARY KEY (source_id, class, complete)
);

-- A class of what is heard beside streets without which the region file accepts the score quiet.
CREATE TABLE quiet_without (
    class         VARCHAR PRIMARY KEY,  -- schemas.HeardClasses
    why           VARCHAR NOT NULL
);

-- A named outline of a level 10–70.
CREATE TABLE boundary (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- the publisher's stable identifier with its scheme, e.g. 'census:place:4159000', 'osm:relation:112345'
    level         INTEGER NOT NULL,     -- 10, 20, 30, 32, 35, 37, 38, 40, 60, 70
    name_en       VARCHAR NOT NULL,
    name_fr       VARCHAR,              -- NULL: the same as the English one
    country_code  VARCHAR,              -- 'CA', 'US'; NULL: by containment
    state_code    VARCHAR,              -- 'OR', 'QC' …, two letters; NULL: by containment
    population    BIGINT,               -- NULL: not known
    geom          BLOB NOT NULL,        -- valid MULTIPOLYGON
    PRIMARY KEY (source_key)
);

-- A further name of a boundary or a gazetteer place, by which it is found; never shown.
CREATE TABLE further_name (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- of boundary or gazetteer_place
    name          VARCHAR NOT NULL,
    kind          VARCHAR NOT NULL,     -- schemas.NameKinds
    language      VARCHAR,              -- IETF tag: 'fr', 'zh-Hant'; NULL: not published
    PRIMARY KEY (source_id, source_key, name)
);

-- A named point of a gazetteer. Its names are given to the boundary of its name that contains it.
CREATE TABLE gazetteer_place (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- e.g. 'geonames:5746545'
    level         INTEGER NOT NULL,     -- of its boundary; 30: any of a settlement
    name          VARCHAR NOT NULL,
    lng           DOUBLE NOT NULL,
    lat           DOUBLE NOT NULL,
    PRIMARY KEY (source_id, source_key)
);

-- The extent of the places, streets and census areas of a source in a state: their hull and 5 km around it, within the
-- coarse outline of the state that comes with the program. Rows outside of all level-60 outlines of the region get their
-- country and state from it. In a region of boundaries alone it is all of their states.
CREATE TABLE coverage (
    source_id     VARCHAR NOT NULL,     -- 'quartier:outlines' in a region of boundaries alone
    country_code  VARCHAR NOT NULL,
    state_code    VARCHAR NOT NULL,
    geom          BLOB NOT NULL         -- MULTIPOLYGON
);

-- Where a source has all that there is of what it has, as far as the region file or the header of its file say. A source
-- with several boundaries has a row for each.
CREATE TABLE extent (
    source_id     VARCHAR NOT NULL,
    basis         VARCHAR NOT NULL,     -- 'declared' or 'boundary' in the region file, or 'header': a box in which the data may have another outline
    boundary_key  VARCHAR,              -- source_key of the boundary; NULL for the others
    geom          BLOB                  -- MULTIPOLYGON; NULL for a boundary
);

-- A place that people go to, as published.
CREATE TABLE poi (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- unique within a source; e.g. 'osm:node:123', 'overture:08f2…', 'ottawa:library:17'
    lng           DOUBLE NOT NULL,
    lat           DOUBLE NOT NULL,
    name          VARCHAR,
    name_fr       VARCHAR,
    scheme        VARCHAR NOT NULL,     -- vocabulary of classes: 'osm' (key=value), 'overture' (category ids), 'quartier' (category ids of the API)
    classes       VARCHAR NOT NULL,     -- JSON: an object of tags for osm, otherwise an array of ids, the primary one first
    brand         VARCHAR,              -- as published
    brand_wikidata VARCHAR,             -- Wikidata item
    operator      VARCHAR,
    house_number  VARCHAR,
    street        VARCHAR,
    address       VARCHAR,              -- one line, if the publisher does not split it
    unit          VARCHAR,
    city          VARCHAR,
    state_code    VARCHAR,
    postal_code   VARCHAR,
    country_code  VARCHAR,
    phone         VARCHAR,
    url           VARCHAR,
    attributes    ATTRIBUTES,           -- a column for each of place.Attributes, as published
    confidence    DOUBLE,               -- of the publisher, 0–1
    area_m2       DOUBLE                -- if mapped as an area
);

-- A correction of places that other sources publish, by an operator: the place of a key, or of a name near a point.
CREATE TABLE correction (
    source_id     VARCHAR NOT NULL,
    line          INTEGER NOT NULL,     -- of the file, 1 the first
    action        VARCHAR NOT NULL,     -- schemas.CorrectionActions
    place_key     VARCHAR,              -- source_key of a poi or boundary; NULL: by name and point
    name          VARCHAR,
    lng           DOUBLE,               -- of the place as published; NULL with place_key
    lat           DOUBLE,
    within_m      DOUBLE,               -- distance up to which a place of the name is the one; NULL with place_key
    new_name      VARCHAR,              -- of action rename
    new_lng       DOUBLE,               -- of action move
    new_lat       DOUBLE,
    categories    VARCHAR,              -- of action recategorise: comma list of category ids
    PRIMARY KEY (source_id, line)
);

-- A rule of the name-suggestion-index by which places of a brand are recognised.
CREATE TABLE brand_rule (
    source_id     VARCHAR NOT NULL,
    brand_id      VARCHAR NOT NULL,     -- lower snake_case of the display name
    brand_name    VARCHAR NOT NULL,
    wikidata      VARCHAR,
    key           VARCHAR NOT NULL,     -- OSM key and value to which the rule applies
    value         VARCHAR NOT NULL,
    names         VARCHAR NOT NULL,     -- JSON array of names of the brand
    countries     VARCHAR NOT NULL,     -- JSON array of lower-case location codes of the brand; empty: everywhere
    tags          VARCHAR NOT NULL,     -- JSON object of tags of its places (cuisine …)
    PRIMARY KEY (source_id, key, value, brand_id)
);

-- A street, path or road segment.
CREATE TABLE street (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- e.g. 'osm:way:123', 'statcan:rnf:45'
    class         VARCHAR NOT NULL,     -- schemas.StreetClasses
    name          VARCHAR,
    name_fr       VARCHAR,              -- if it differs
    foot          BOOLEAN NOT NULL,     -- pedestrians are permitted
    bicycle       BOOLEAN NOT NULL,     -- bicycles are permitted
    car           VARCHAR NOT NULL,     -- 'no', 'both', 'forward' or 'backward': permitted directions of cars along the line
    lanes         INTEGER,              -- for cars, in both directions; NULL here and below: not known
    speed_kmh     DOUBLE,               -- limit
    sidewalk      BOOLEAN,
    cycleway      VARCHAR,              -- 'track' (protected), 'lane' (painted), 'shared' (sharrow, bus lane); NULL: none known
    parking       BOOLEAN,              -- cars may be parked along it
    bridge        BOOLEAN NOT NULL,
    tunnel        BOOLEAN NOT NULL,
    nodes         BLOB,                 -- a little-endian int64 id for each vertex: lines meet at equal ids. NULL: lines meet at equal vertices
    geom          BLOB NOT NULL,        -- LINESTRING of at least two different points
    PRIMARY KEY (source_id, source_key)
);

-- A piece of a city's cycling network. A street counts once, with the best of the pieces along it.
CREATE TABLE bikeway (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- number of the row in the file; of a line after the first of several with ':2'
    class         VARCHAR NOT NULL,     -- schemas.BikewayClasses
    length_m      DOUBLE,               -- as published; NULL: not published. A point has one
    geom          BLOB NOT NULL,        -- LINESTRING, or a POINT on or near the piece
    PRIMARY KEY (source_id, source_key)
);

-- Road traffic counted at a point or along a section.
CREATE TABLE traffic_count (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,
    name          VARCHAR,              -- of the street
    class         VARCHAR,              -- schemas.StreetClasses; NULL here and below: not known
    aadt          DOUBLE NOT NULL,      -- vehicles a day as a mean over the year, > 0
    heavy         DOUBLE,               -- share of heavy ones, 0–1
    speed_kmh     DOUBLE,               -- limit
    lanes         INTEGER,              -- of what is counted
    one_way       BOOLEAN NOT NULL,     -- one direction of travel alone
    heading       DOUBLE,               -- direction of travel, degrees clockwise from north
    geom          BLOB NOT NULL,        -- POINT or LINESTRING
    PRIMARY KEY (source_id, source_key)
);

-- A point, line or area that shapes a place without being a destination.
CREATE TABLE feature (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- unique in source and kind
    kind          VARCHAR NOT NULL,     -- schemas.FeatureKinds has the classes and shapes of a kind
    class         VARCHAR NOT NULL,     -- of the kind; '' if the kind has no classes
    name          VARCHAR,
    year          INTEGER,              -- of construction of a building
    size          DOUBLE,               -- m² of a building's footprint; metres of a runway; NULL: not known
    bridge        BOOLEAN NOT NULL,     -- of a line: on a bridge
    geom          BLOB NOT NULL,        -- POINT, LINESTRING or valid MULTIPOLYGON, depending on the kind
    PRIMARY KEY (source_id, kind, source_key)
);

-- What the map shows as ground: for the map alone, no measure, score or text reads it. Layers and kinds are those of the
-- Shortbread schema of vector tiles, 1.1 (package schemas/ground).
CREATE TABLE ground (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- unique in source and layer
    layer         VARCHAR NOT NULL,     -- such as water_polygons
    kind          VARCHAR NOT NULL,     -- of the layer, such as river
    name          VARCHAR,
    name_fr       VARCHAR,              -- in French, if it differs
    ref           VARCHAR,              -- number of a road or runway
    min_zoom      INTEGER,              -- lowest zoom that the source proposes, 0-14; NULL: that of the layer and kind
    rank          INTEGER,              -- of a place: 0 the most important of its kind; of a boundary: its admin_level; NULL: not known
    population    BIGINT,               -- of a place; NULL: not known
    link          BOOLEAN NOT NULL,     -- of a street: a ramp
    bridge        BOOLEAN NOT NULL,     -- of a line: on a bridge
    tunnel        BOOLEAN NOT NULL,     -- of a line: in a tunnel
    maritime      BOOLEAN NOT NULL,     -- of a boundary: at sea
    service       VARCHAR,              -- of a track or service road, such as yard or driveway
    geom          BLOB NOT NULL,        -- POINT, LINESTRING or valid MULTIPOLYGON, depending on the layer
    PRIMARY KEY (source_id, layer, source_key)
);

-- A timetable with its representative week.
CREATE TABLE timetable (
    source_id     VARCHAR PRIMARY KEY,
    feed_name     VARCHAR,
    first_day     VARCHAR NOT NULL,     -- ISO date of the first and last day with service
    last_day      VARCHAR NOT NULL,
    week          VARCHAR NOT NULL,     -- ISO date of the first day of the representative seven
    trips         BIGINT NOT NULL       -- in that week
);

-- A source of the lines of an operator or a city: a timetable or a list. Where it has no line there is none, unless it is
-- partial. Lines of other sources (OpenStreetMap) may be some of all.
CREATE TABLE line_list (
    source_id     VARCHAR PRIMARY KEY,
    partial       BOOLEAN NOT NULL      -- it has some of the lines only: beyond these nothing is known
);

-- A stop of public transport.
CREATE TABLE stop (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- 'gtfs:<source_id>:<stop_id>', 'lines:<source_id>:<id>', 'osm:node:1'
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
    source_key    VARCHAR NOT NULL,     -- 'gtfs:<source_id>:<route_id>', 'lines:<source_id>:<id>', 'osm:relation:1'; 'osm:route_ref:bus:7' of lists at stops
    agency        VARCHAR,
    name          VARCHAR NOT NULL,     -- short name, else the long one
    long_name     VARCHAR,
    name_fr       VARCHAR,              -- of name
    mode          VARCHAR NOT NULL,     -- schemas.TransitModes
    ends          VARCHAR,              -- of a line without a timetable: the names of its ends, 'Depot – Harbour'; NULL: not published
    spacing_m     DOUBLE,               -- median straight-line distance between consecutive stops of its trips
    kind          VARCHAR,              -- schemas.LineKinds, without a timetable; NULL: not published
    directions    INTEGER,              -- 1 or 2, without a timetable; NULL: those of its courses, else not known
    stops         INTEGER,              -- that its source lists, in the file or not; NULL: those that are found beside its course
    PRIMARY KEY (source_id, source_key)
);

-- A piece of the course of a line, of which no stops may be known.
CREATE TABLE route_shape (
    source_id     VARCHAR NOT NULL,
    route_key     VARCHAR NOT NULL,
    part          INTEGER NOT NULL,     -- 0, 1, 2 … of the line
    direction     VARCHAR,              -- as published; NULL: both, or not known
    geom          BLOB NOT NULL,        -- LINESTRING
    PRIMARY KEY (source_id, route_key, part)
);

-- A line at a stop, with its departures in the representative week.
CREATE TABLE stop_service (
    source_id     VARCHAR NOT NULL,
    stop_key      VARCHAR NOT NULL,
    route_key     VARCHAR NOT NULL,
    direction     INTEGER NOT NULL,     -- 0 or 1; 0 without a timetable
    headsign      VARCHAR,              -- where most of them go: the sign of the vehicle, else the name of the last stop; NULL without a timetable
    trips_week    INTEGER,              -- departures (arrivals at the end of a trip), at least 1; NULL: the source has no timetable
    PRIMARY KEY (source_id, stop_key, route_key, direction)
);

-- The whole timetable of a source, for travel times. What it consists of is numbered from 0 in each source, and the columns of
-- bytes are those of package schedule.
CREATE TABLE schedule (
    source_id     VARCHAR PRIMARY KEY,
    timezone      VARCHAR,              -- of its agencies, 'America/Toronto'; NULL: not published
    first_day     VARCHAR NOT NULL,     -- ISO date of the first day with service, day 0 of its services
    days          INTEGER NOT NULL      -- to the last day with service
);

-- A stop of trips.
CREATE TABLE schedule_stop (
    source_id     VARCHAR NOT NULL,
    stop          INTEGER NOT NULL,
    stop_key      VARCHAR NOT NULL,     -- of table stop
    PRIMARY KEY (source_id, stop)
);

-- A line of trips.
CREATE TABLE schedule_route (
    source_id     VARCHAR NOT NULL,
    route         INTEGER NOT NULL,
    route_key     VARCHAR NOT NULL,     -- of table route
    kind          INTEGER NOT NULL,     -- route_type
    color         VARCHAR,              -- six hexadecimal digits, as published; NULL: not published
    PRIMARY KEY (source_id, route)
);

-- Days on which trips run.
CREATE TABLE schedule_service (
    source_id     VARCHAR NOT NULL,
    service       INTEGER NOT NULL,
    service_key   VARCHAR NOT NULL,     -- service_id
    days          BLOB NOT NULL,        -- schedule.Days from first_day
    PRIMARY KEY (source_id, service)
);

-- Where trips of a line stop, in their order.
CREATE TABLE schedule_pattern (
    source_id     VARCHAR NOT NULL,
    pattern       INTEGER NOT NULL,
    route         INTEGER NOT NULL,
    direction     INTEGER NOT NULL,     -- 0 or 1
    calls         BLOB NOT NULL,        -- schedule.Stops: a stop for each call, two or more
    flags         BLOB NOT NULL,        -- a byte for each call: schedule.NoBoarding, NoAlighting
    PRIMARY KEY (source_id, pattern)
);

-- A trip with its times.
CREATE TABLE schedule_trip (
    source_id     VARCHAR NOT NULL,
    trip          INTEGER NOT NULL,
    trip_key      VARCHAR NOT NULL,     -- trip_id
    pattern       INTEGER NOT NULL,
    service       INTEGER NOT NULL,
    headsign      VARCHAR,              -- where it goes: the sign of the vehicle, else the name of the last stop
    times         BLOB NOT NULL,        -- schedule.Times: seconds after midnight of the day of its service, blank ones interpolated
    PRIMARY KEY (source_id, trip)
);

-- A period in which a trip departs again and again, in place of its own departure.
CREATE TABLE schedule_headway (
    source_id     VARCHAR NOT NULL,
    trip          INTEGER NOT NULL,
    start_s       INTEGER NOT NULL,     -- first departure, seconds after midnight
    last_s        INTEGER NOT NULL,     -- last one
    headway_s     INTEGER NOT NULL,     -- between departures, at least 30
    exact         BOOLEAN NOT NULL,     -- they are at these times; else about as often
    PRIMARY KEY (source_id, trip, start_s)
);

-- What a feed says about a change from a stop to another one, or to another vehicle at the same.
CREATE TABLE schedule_transfer (
    source_id     VARCHAR NOT NULL,
    from_stop     INTEGER NOT NULL,
    to_stop       INTEGER NOT NULL,
    kind          INTEGER NOT NULL,     -- 0 recommended, 1 the vehicle waits, 2 takes a time, 3 not possible
    min_s         INTEGER,              -- that it takes; NULL: not published
    PRIMARY KEY (source_id, from_stop, to_stop)
);

-- Elevations on a grid of longitude and latitude.
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

-- Classes of land cover on a grid of longitude and latitude.
CREATE TABLE land_cover_tile (
    source_id     VARCHAR NOT NULL,
    tile          INTEGER NOT NULL,     -- 0, 1, 2 … in the file
    west          DOUBLE NOT NULL,      -- centre of the north-western cell, degrees
    north         DOUBLE NOT NULL,
    step_lng      DOUBLE NOT NULL,      -- degrees from a cell to its eastern neighbour, > 0
    step_lat      DOUBLE NOT NULL,      -- degrees from a cell to its southern neighbour, > 0
    columns       INTEGER NOT NULL,
    rows          INTEGER NOT NULL,
    cells         BLOB NOT NULL,        -- a byte a cell, row by row from the north-west: position of its class in schemas.CoverClasses, from 1; 0: not known
    PRIMARY KEY (source_id, tile)
);

-- The smallest area with census counts: census block, dissemination block.
CREATE TABLE block (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- 'census:block:<GEOID20>', 'statcan:db:<DBUID>'
    area_key      VARCHAR,              -- of its block group or dissemination area, 'census:bg:…', 'statcan:da:…'
    population    BIGINT,               -- NULL here and below: not published
    dwellings     BIGINT,               -- private dwellings, housing units
    households    BIGINT,               -- occupied ones
    land_m2       DOUBLE,
    geom          BLOB NOT NULL,        -- valid MULTIPOLYGON
    PRIMARY KEY (source_id, source_key)
);

-- A point on a street where residents of a block live, for blocks of which a source has them.
CREATE TABLE home (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,
    block_key     VARCHAR NOT NULL,
    weight        DOUBLE NOT NULL,      -- relative to other homes of its block, in any unit, > 0
    lng           DOUBLE NOT NULL,
    lat           DOUBLE NOT NULL,
    PRIMARY KEY (source_id, source_key)
);

-- Jobs where they are done: in a census area, of whose outline other sources have a row, or at a point.
CREATE TABLE job (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- of the area, 'census:block:<GEOID20>', 'statcan:da:<DAUID>'; of a point '<source_id>:17'
    lng           DOUBLE,               -- of a point; NULL with lat: in the area of the key
    lat           DOUBLE,
    jobs          BIGINT NOT NULL,      -- thousandths of a job, > 0
    sectors       VARCHAR,              -- JSON array of those in each of schemas.JobSectors; NULL: not published
    earnings      VARCHAR,              -- JSON array of those in each of schemas.JobEarnings; NULL: not published
    PRIMARY KEY (source_id, source_key)
);

-- An address with its point. Rows have no key: which of them are the same is decided by what they say.
CREATE TABLE address (
    source_id     VARCHAR NOT NULL,
    number        VARCHAR NOT NULL,     -- civic number: '221B', '12 1/2'
    street        VARCHAR NOT NULL,     -- with type and directions
    unit          VARCHAR,
    city          VARCHAR,              -- town of the address; NULL: by containment
    state_code    VARCHAR,              -- 'OR', 'QC' …; NULL: by containment
    postal_code   VARCHAR,              -- '97210', 'K1A 0B1'
    accuracy      VARCHAR NOT NULL,     -- of the point: schemas.AddressAccuracies
    lng           DOUBLE NOT NULL,
    lat           DOUBLE NOT NULL
);

-- The civic numbers along one side of a piece of a street.
CREATE TABLE address_range (
    source_id     VARCHAR NOT NULL,
    street        VARCHAR NOT NULL,     -- with type and directions
    city          VARCHAR,              -- NULL: by containment
    state_code    VARCHAR,              -- NULL: by containment
    low           INTEGER NOT NULL,     -- lowest number, > 0
    high          INTEGER NOT NULL,     -- highest number, at least low
    step          VARCHAR NOT NULL,     -- schemas.AddressSteps
    geom          BLOB NOT NULL         -- LINESTRING from low to high
);

-- A census or survey, the origin of statistics.
CREATE TABLE survey (
    source_id     VARCHAR PRIMARY KEY,
    vintage       VARCHAR NOT NULL,     -- year or years: '2019-2023', '2021'
    title         VARCHAR NOT NULL,     -- 'American Community Survey, 5-year estimates'
    max_unmatched DOUBLE                -- share of the people of its states, 0–1, that may be in small areas without data; NULL: that of the calibration
);

-- An estimate of persons, households, dwellings or dollars of an area.
CREATE TABLE statistic (
    source_id     VARCHAR NOT NULL,
    area_key      VARCHAR NOT NULL,     -- 'census:bg:…', 'census:tract:…', 'statcan:da:…', or the source key of a geography
    cell          VARCHAR NOT NULL,     -- demographics.Cells
    estimate      DOUBLE NOT NULL,      -- never negative
    moe           DOUBLE,               -- 90 % margin of error; NULL: not published
    PRIMARY KEY (source_id, area_key, cell)
);

-- The outline of a small area with statistics, for areas without blocks.
CREATE TABLE zone (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- 'census:bg:…', 'census:tract:…', 'statcan:da:…'
    geom          BLOB NOT NULL,        -- valid MULTIPOLYGON
    PRIMARY KEY (source_id, source_key)
);

-- The value of homes in a geography.
CREATE TABLE home_value (
    source_id     VARCHAR NOT NULL,
    area_key      VARCHAR NOT NULL,     -- source key of a geography
    year          INTEGER NOT NULL,
    dollars       DOUBLE NOT NULL,      -- mean of the index over the published months of the year, > 0
    months        INTEGER NOT NULL,     -- number of these: 1 to 12
    PRIMARY KEY (source_id, area_key, year)
);

-- A record of a school. Records of several sources that are one school are merged in transform; the fields of one may
-- come from another: a list of ids with coordinates has no names, a directory has no coordinates.
CREATE TABLE school (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- e.g. 'nces:school:530771003410', 'odef:12', '<source_id>:17'
    authority_id  VARCHAR,              -- the authority's number with its scheme, 'nces:530771003410', 'on:012345': equal ones are one school
    name          VARCHAR,              -- as published, without line breaks
    name_fr       VARCHAR,
    lng           DOUBLE,               -- NULL with lat: without coordinates
    lat           DOUBLE,
    geocoded      BOOLEAN NOT NULL,     -- the coordinates are those of an address, not of the site
    levels        VARCHAR,              -- comma list of schemas.SchoolLevels as published, in their order; NULL: by the grades, if there are any
    grades        VARCHAR,              -- 'JK-8', '9', codes of schemas.Grades, first to last
    types         VARCHAR,              -- comma list of 'public', 'private'
    languages     VARCHAR,              -- comma list of ISO 639-1 codes, as published
    programs      VARCHAR,              -- JSON array of texts as published
    address       VARCHAR,
    city          VARCHAR,
    state_code    VARCHAR,
    postal_code   VARCHAR,              -- 'K1A 0B1', '98101'
    country_code  VARCHAR,
    phone         VARCHAR,              -- as published
    url           VARCHAR,
    board_name    VARCHAR,
    board_url     VARCHAR,
    students      BIGINT,               -- NULL here and below: missing or suppressed
    female        BIGINT,
    male          BIGINT,
    free_lunch    BIGINT,
    reduced_lunch BIGINT,
    student_teacher_ratio DOUBLE,
    charter       BOOLEAN,
    magnet        BOOLEAN,
    title_i       BOOLEAN,              -- eligible for Title I
    advanced_placement BOOLEAN,
    library       BOOLEAN,
    PRIMARY KEY (source_id, source_key)
);

-- The outline of the addresses that a school serves; a school of several levels or grades may have several.
CREATE TABLE catchment (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- '<source_id>:<key of the outline>', with ':<grade>' where an outline has a school for each
    school_id     VARCHAR,              -- school.authority_id or school.source_key; NULL: by name and level
    school_name   VARCHAR,              -- NULL: by id
    level         VARCHAR,              -- of schemas.SchoolLevels; NULL: not published
    grade         VARCHAR,              -- 'K', '6-8', codes of schemas.Grades; NULL: not published
    program       VARCHAR,
    geom          BLOB NOT NULL,        -- valid MULTIPOLYGON
    PRIMARY KEY (source_id, source_key)
);

-- A mark of a school: a letter, or the share of the pupils at or above the standard, from which transform takes the letter.
CREATE TABLE school_rating (
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- '<source_id>:<line>'
    school_id     VARCHAR,              -- as in catchment
    school_name   VARCHAR,
    board_name    VARCHAR,
    state_code    VARCHAR,
    share         DOUBLE,               -- 0–1
    letter        VARCHAR,              -- of the calibration's ladder: 'A+', 'B-', 'F'
    PRIMARY KEY (source_id, source_key)
);
