-- derived.duckdb: the schema between transform and build. One file for each region.

CREATE TABLE geography (
    source_key     VARCHAR PRIMARY KEY,
    source_id      VARCHAR NOT NULL,
    level          INTEGER NOT NULL,
    name_en        VARCHAR NOT NULL,
    name_fr        VARCHAR NOT NULL,     -- the English name if none is published
    country_code   VARCHAR NOT NULL,     -- 'CA' or 'US'
    state_codes    VARCHAR NOT NULL,     -- comma list of 'CA_QC'-like codes, the largest share first; '' at level 70
    area_m2        DOUBLE NOT NULL,      -- on the WGS 84 ellipsoid
    west           DOUBLE NOT NULL,
    south          DOUBLE NOT NULL,
    east           DOUBLE NOT NULL,
    north          DOUBLE NOT NULL,
    centroid_lng   DOUBLE NOT NULL,      -- always inside
    centroid_lat   DOUBLE NOT NULL,
    population     BIGINT,
    geom           BLOB NOT NULL
);

-- A further name of a geography, by which it is found: of its source, of other outlines of the same place and of gazetteers.
CREATE TABLE geography_name (
    source_key     VARCHAR NOT NULL,     -- of the geography
    name           VARCHAR NOT NULL,
    kind           VARCHAR NOT NULL,     -- schemas.NameKinds
    language       VARCHAR,              -- IETF tag; NULL: not published
    source_id      VARCHAR NOT NULL,     -- that has the name
    PRIMARY KEY (source_key, name)
);

-- Where the country and state of a point are known: the level-60 outlines of the region and, outside of them, the
-- extents of its sources.
CREATE TABLE coverage (
    region_code    VARCHAR NOT NULL,     -- 'US_DE'
    source_key     VARCHAR NOT NULL,     -- of the geography, or 'extent:<source_id>'
    geom           BLOB NOT NULL,
    PRIMARY KEY (region_code, source_key)
);

-- Places, in the order of their numbers. The table has no index, whose keys would all be in memory.
CREATE TABLE poi (
    number         INTEGER NOT NULL,     -- 0, 1, 2 … by curve, then poi_key
    curve          BIGINT NOT NULL,      -- position of the point on the Hilbert curve of geo.Hilbert
    poi_key        VARCHAR NOT NULL,     -- source_key of the record that was kept; unique
    source_id      VARCHAR NOT NULL,
    lng            DOUBLE NOT NULL,
    lat            DOUBLE NOT NULL,
    name           VARCHAR NOT NULL,
    address        VARCHAR,
    suite          VARCHAR,
    city           VARCHAR,
    state_code     VARCHAR,
    postal_code    VARCHAR,
    country_code   VARCHAR NOT NULL,
    phone          VARCHAR,
    url            VARCHAR,
    attributes     ATTRIBUTES,           -- a column for each of place.Attributes
    categories     VARCHAR NOT NULL,     -- comma list of category ids in the vocabulary's order, at least one
    brands         VARCHAR NOT NULL,     -- comma list of brand ids, sorted, may be ''
    tags           VARCHAR NOT NULL,     -- comma list of tag ids, sorted, may be ''
    base_categories VARCHAR NOT NULL     -- comma list of the base endpoint's categories, may be ''
);

-- The brands of the region's POIs.
CREATE TABLE brand (
    brand_id       VARCHAR PRIMARY KEY,
    brand_name     VARCHAR NOT NULL
);

-- Staged records that were merged into a POI as duplicates, with the reason.
CREATE TABLE poi_merge (
    kept_key       VARCHAR NOT NULL,
    merged_key     VARCHAR NOT NULL,
    distance_m     DOUBLE NOT NULL,
    name_similarity DOUBLE NOT NULL,     -- 0–1
    reason         VARCHAR NOT NULL,
    PRIMARY KEY (merged_key)
);

-- Corrections of POIs that were applied.
CREATE TABLE poi_correction (
    poi_key        VARCHAR NOT NULL,     -- of poi, or of one that was dropped
    source_id      VARCHAR NOT NULL,     -- of the list of corrections
    line           INTEGER NOT NULL,     -- of its file
    action         VARCHAR NOT NULL,     -- schemas.CorrectionActions
    was            VARCHAR NOT NULL,     -- name, 'lat lng' or categories before; the name of a place that was dropped
    became         VARCHAR NOT NULL,     -- the same after; '' of a place that was dropped
    PRIMARY KEY (source_id, line)
);

-- Staged rows that were skipped or changed, by reason.
CREATE TABLE transform_issue (
    step           VARCHAR NOT NULL,     -- 'geography', 'poi', 'street', 'access', 'transit' …
    severity       VARCHAR NOT NULL,     -- 'rejected', 'repaired', 'skipped' or 'noted'
    code           VARCHAR NOT NULL,     -- e.g. 'unmapped_category'; DATA.md lists all
    detail         VARCHAR NOT NULL,     -- value by which rows of the code are counted, e.g. 'amenity=bench'; '': none
    description    VARCHAR NOT NULL,     -- of the code, one sentence
    rows           BIGINT NOT NULL,
    example        VARCHAR NOT NULL,     -- one of these rows
    PRIMARY KEY (step, code, detail)
);

-- A node of the walking network: a junction, an end, or an intermediate point of a long edge. Numbered along a
-- Hilbert curve.
CREATE TABLE street_node (
    node           INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    lng            DOUBLE NOT NULL,
    lat            DOUBLE NOT NULL,
    channels       BLOB NOT NULL         -- uint16 little-endian for each of schemas.Channels: ten-thousandths; 65535 if absent
);

-- What the composite scores at a node are made of in addition to its channels. Ten-thousandths of the unit; NULL if there
-- are no data.
CREATE TABLE street_node_part (
    node           INTEGER PRIMARY KEY,  -- of street_node
    noise_db       BIGINT,               -- total sound level, weighted as quiet needs it
    steepest_pct   BIGINT,               -- steepest grade within 200 m
    bike_lanes     BIGINT,               -- share 0–1: cycle lanes and paths within 1 km, relative to the reference place
    low_stress     BIGINT,               -- share 0–1 of streets within 2 km that are connected with low traffic stress
    parking        BIGINT,               -- share 0–1 of the land within 400 m that is parking
    drive_errands  BIGINT,               -- share 0–1 of errands within a short drive, weighted
    density_km2    BIGINT,               -- people per km² of land within 800 m
    ramp_min       BIGINT,               -- minutes of driving to the nearest ramp of a highway, at most 30
    arterial_min   BIGINT,               -- minutes of driving to the nearest arterial, at most 10
    lane_load      BIGINT,               -- vehicles a day per lane of the streets within 800 m, weighted by their traffic
    activity_km2   BIGINT,               -- people and visitors of places per km² of land within 800 m
    beyond         BIGINT                -- greatest share 0–1 of what a value looks at beyond the edge of the data, of the values that are absent for it; NULL: none is
);

-- A stretch of street between two nodes that is open to pedestrians.
CREATE TABLE street_edge (
    edge           INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    a              INTEGER NOT NULL,     -- node
    b              INTEGER NOT NULL,     -- node
    length_m       DOUBLE NOT NULL,      -- to 0.1
    class          VARCHAR NOT NULL,     -- schemas.StreetClasses
    name           VARCHAR,
    name_fr        VARCHAR,
    source_id      VARCHAR NOT NULL,
    source_key     VARCHAR NOT NULL,     -- of staged.street
    aadt           DOUBLE,               -- vehicles a day, of a one-way carriageway its own; NULL: no cars
    count_key      VARCHAR,              -- source and key of the count that aadt is from, with a colon between; NULL: assumed for class and setting
    geom           BLOB NOT NULL         -- LINESTRING from a to b
);

-- A stretch of street between two nodes of the network of cars, whose nodes are others than street_node, those of junctions and
-- ends alone. Cars do not wait at turns.
CREATE TABLE drive_edge (
    edge           INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    a              INTEGER NOT NULL,     -- node: 0, 1, 2 … along a Hilbert curve, without a table
    b              INTEGER NOT NULL,     -- node
    length_m       DOUBLE NOT NULL,      -- to 0.1
    forth_ds       INTEGER,              -- tenths of a second from a to b in free flow, at least 1; NULL: not allowed
    back_ds        INTEGER,              -- the same from b to a
    stop           BOOLEAN NOT NULL,     -- cars may stop there: no motorway and no ramp
    geom           BLOB NOT NULL         -- LINESTRING from a to b
);

-- A stretch of street between two nodes of the network of bicycles, numbered as those of drive_edge and others than them.
CREATE TABLE bicycle_edge (
    edge           INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    a              INTEGER NOT NULL,     -- node
    b              INTEGER NOT NULL,     -- node
    length_m       DOUBLE NOT NULL,      -- to 0.1
    stress         INTEGER NOT NULL,     -- level of traffic stress, 1–4; up to 2 it is calm
    way            VARCHAR NOT NULL,     -- 'both', 'forward' or 'backward': as cars may go; bicycles against them are pushed
    geom           BLOB NOT NULL         -- LINESTRING from a to b
);

-- Lines that cannot be crossed off the streets: water, motorways and railways without their bridges and tunnels.
CREATE TABLE barrier (
    barrier        INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    kind           VARCHAR NOT NULL,     -- 'water', 'motorway', 'railway'
    geom           BLOB NOT NULL         -- LINESTRING
);

-- A place as the access engine counts it: snapped to the network, once for each class and entrance.
CREATE TABLE destination (
    destination    INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    class          VARCHAR NOT NULL,     -- schemas.DestinationClasses
    place_key      VARCHAR NOT NULL,     -- poi_key, or source key of the park, school, stop or ramp
    station        VARCHAR NOT NULL,     -- common to the platforms of a station; place_key for other places
    source_id      VARCHAR NOT NULL,
    name           VARCHAR,
    size           DOUBLE,               -- hectares of a park; NULL elsewhere
    lng            DOUBLE NOT NULL,      -- of the place or its entrance
    lat            DOUBLE NOT NULL,
    edge           INTEGER NOT NULL,     -- street_edge that it is snapped to
    along_m        DOUBLE NOT NULL,      -- from the edge's node a
    leg_m          DOUBLE NOT NULL       -- length of the access leg
);

-- Weekly departures of a route at a stop; only destinations of class 'stop' have rows. Without a timetable they are those
-- that the calibration assumes for mode and kind, of both directions together.
CREATE TABLE transit_service (
    destination    INTEGER NOT NULL,
    route_key      VARCHAR NOT NULL,
    route_name     VARCHAR NOT NULL,
    mode           VARCHAR NOT NULL,     -- schemas.TransitModes
    rapid          BOOLEAN NOT NULL,     -- counts as rapid transit
    direction      INTEGER NOT NULL,
    headsign       VARCHAR,              -- where it goes from here, as published; without a timetable the ends of the line, 'Depot – Harbour'; NULL: not known
    trips_week     INTEGER NOT NULL,
    basis          VARCHAR NOT NULL,     -- schemas.ServiceBases
    kind           VARCHAR,             -- schemas.LineKinds, of a line without a timetable; NULL: a timetable has it, or its kind is not known
    PRIMARY KEY (destination, route_key, direction)
);

-- The timetable of a source, for travel times: its trips on all days. What it consists of is numbered from 0 in each source, and the
-- columns of bytes are those of package schedule. What neighbours lend has none: build reads the timetables of all regions.
CREATE TABLE travel_feed (
    source_id      VARCHAR PRIMARY KEY,
    name           VARCHAR,              -- of its publisher; NULL: not published
    timezone       VARCHAR,              -- 'America/Toronto'; NULL: not published
    first_day      VARCHAR NOT NULL,     -- ISO date of day 0 of its services
    days           INTEGER NOT NULL,     -- to the last day with service
    tuesday        VARCHAR,              -- ISO date of a typical one; NULL: it runs on none
    saturday       VARCHAR,
    sunday         VARCHAR,
    partial        BOOLEAN NOT NULL,     -- it has some of the lines of its ground only
    ground         BLOB                  -- MULTIPOLYGON, the extent of the source: where it has all of its lines; NULL: not known
);

-- A stop of trips.
CREATE TABLE travel_stop (
    source_id      VARCHAR NOT NULL,
    stop           INTEGER NOT NULL,
    stop_key       VARCHAR NOT NULL,     -- 'gtfs:<source_id>:<stop_id>'
    name           VARCHAR NOT NULL,
    lng            DOUBLE NOT NULL,
    lat            DOUBLE NOT NULL,
    PRIMARY KEY (source_id, stop)
);

-- A line of trips.
CREATE TABLE travel_route (
    source_id      VARCHAR NOT NULL,
    route          INTEGER NOT NULL,
    route_key      VARCHAR NOT NULL,     -- 'gtfs:<source_id>:<route_id>'
    name           VARCHAR NOT NULL,     -- short name, else the long one
    kind           INTEGER NOT NULL,     -- route_type of GTFS
    color          VARCHAR,              -- six hexadecimal digits; NULL: not published
    PRIMARY KEY (source_id, route)
);

-- Days on which trips run.
CREATE TABLE travel_service (
    source_id      VARCHAR NOT NULL,
    service        INTEGER NOT NULL,
    service_key    VARCHAR NOT NULL,     -- service_id
    days           BLOB NOT NULL,        -- schedule.Days from first_day
    PRIMARY KEY (source_id, service)
);

-- Where trips of a line stop, in their order.
CREATE TABLE travel_pattern (
    source_id      VARCHAR NOT NULL,
    pattern        INTEGER NOT NULL,
    route          INTEGER NOT NULL,
    direction      INTEGER NOT NULL,     -- 0 or 1
    calls          BLOB NOT NULL,        -- schedule.Stops: a stop for each call, two or more
    flags          BLOB NOT NULL,        -- a byte for each call: schedule.NoBoarding, NoAlighting
    PRIMARY KEY (source_id, pattern)
);

-- A trip with its times.
CREATE TABLE travel_trip (
    source_id      VARCHAR NOT NULL,
    trip           INTEGER NOT NULL,
    trip_key       VARCHAR NOT NULL,     -- trip_id
    pattern        INTEGER NOT NULL,
    service        INTEGER NOT NULL,
    headsign       VARCHAR,              -- where it goes; NULL: not known
    times          BLOB NOT NULL,        -- schedule.Times: seconds after midnight of the day of its service
    PRIMARY KEY (source_id, trip)
);

-- A period in which a trip departs again and again, in place of its own departure.
CREATE TABLE travel_headway (
    source_id      VARCHAR NOT NULL,
    trip           INTEGER NOT NULL,
    start_s        INTEGER NOT NULL,     -- first departure, seconds after midnight
    last_s         INTEGER NOT NULL,     -- last one
    headway_s      INTEGER NOT NULL,     -- between departures
    exact          BOOLEAN NOT NULL,     -- they are at these times; else about as often
    PRIMARY KEY (source_id, trip, start_s)
);

-- What a feed says about a change from a stop to another one, or to another vehicle at the same.
CREATE TABLE travel_transfer (
    source_id      VARCHAR NOT NULL,
    from_stop      INTEGER NOT NULL,
    to_stop        INTEGER NOT NULL,
    kind           INTEGER NOT NULL,     -- schedule.Recommended, Timed, TakesTime, NotPossible
    min_s          INTEGER,              -- seconds that it takes; NULL: not published
    PRIMARY KEY (source_id, from_stop, to_stop)
);

-- What neighbours lend within the reach of a walk from the region's own streets: what values near the border are explained
-- by. A stretch of street of a neighbour.
CREATE TABLE lent_edge (
    lent_edge      INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    a              INTEGER NOT NULL,     -- street_node; negative: a node of neighbours' streets alone
    b              INTEGER NOT NULL,
    length_m       DOUBLE NOT NULL,
    source_id      VARCHAR NOT NULL,     -- 'region/source'
    source_key     VARCHAR NOT NULL,
    geom           BLOB NOT NULL         -- LINESTRING from a to b
);

-- A place that a neighbour lends, or an own one that is snapped to a street of a neighbour: the columns of destination.
CREATE TABLE lent_destination (
    destination    INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    class          VARCHAR NOT NULL,
    place_key      VARCHAR NOT NULL,
    station        VARCHAR NOT NULL,
    source_id      VARCHAR NOT NULL,     -- of a lent one 'region/source'
    name           VARCHAR,
    size           DOUBLE,
    lng            DOUBLE NOT NULL,
    lat            DOUBLE NOT NULL,
    edge           INTEGER NOT NULL,     -- street_edge; negative: −1 − lent_edge
    along_m        DOUBLE NOT NULL,
    leg_m          DOUBLE NOT NULL
);

-- Departures at the stops of lent_destination: the columns of transit_service.
CREATE TABLE lent_service (
    destination    INTEGER NOT NULL,     -- lent_destination
    route_key      VARCHAR NOT NULL,
    route_name     VARCHAR NOT NULL,
    mode           VARCHAR NOT NULL,
    rapid          BOOLEAN NOT NULL,
    direction      INTEGER NOT NULL,
    headsign       VARCHAR,
    trips_week     INTEGER NOT NULL,
    basis          VARCHAR NOT NULL,
    kind           VARCHAR,
    PRIMARY KEY (destination, route_key, direction)
);

-- Points on streets that represent the households of the region, for the medians of geographies.
CREATE TABLE home (
    home           INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    basis          VARCHAR NOT NULL,     -- 'households': weight is their number; 'street': weight is metres of residential street, where there are no counts
    weight         DOUBLE NOT NULL,      -- > 0
    lng            DOUBLE NOT NULL,      -- of the home, not of the street
    lat            DOUBLE NOT NULL,
    edge           INTEGER NOT NULL,     -- street_edge
    along_m        DOUBLE NOT NULL
);

-- Where people work, in the region and, lent by its neighbours, up to 60 km around: a point with its jobs. The jobs of an
-- area are at its interior point or, where its blocks are known, divided evenly over theirs.
CREATE TABLE job_place (
    job_place      INTEGER PRIMARY KEY,  -- 0, 1, 2 …, those of neighbours last
    source_id      VARCHAR NOT NULL,     -- of a lent one 'region/source': with all regions at hand it is there twice
    source_key     VARCHAR NOT NULL,     -- of staged.job
    place_key      VARCHAR NOT NULL,     -- of the block or zone; of a point its source_key
    lng            DOUBLE NOT NULL,
    lat            DOUBLE NOT NULL,
    jobs           BIGINT NOT NULL,      -- thousandths of a job, > 0
    sectors        VARCHAR,              -- JSON array of those in each of schemas.JobSectors; NULL: not published, or of an area that was divided
    earnings       VARCHAR               -- likewise of schemas.JobEarnings
);

-- An address of the region. Of rows with one number, street and unit within 30 m of each other there is one.
CREATE TABLE address (
    source_id      VARCHAR NOT NULL,
    number         VARCHAR NOT NULL,
    street         VARCHAR NOT NULL,
    unit           VARCHAR,
    city           VARCHAR,              -- NULL: not known
    other_city     VARCHAR,              -- another one that it has
    state          VARCHAR NOT NULL,     -- 'CA_ON', 'US_OR' …
    postal_code    VARCHAR,
    accuracy       VARCHAR NOT NULL,     -- schemas.AddressAccuracies
    lng            DOUBLE NOT NULL,
    lat            DOUBLE NOT NULL
);

-- The civic numbers along one side of a piece of a street.
CREATE TABLE address_range (
    source_id      VARCHAR NOT NULL,
    street         VARCHAR NOT NULL,
    city           VARCHAR,
    state          VARCHAR NOT NULL,
    low            INTEGER NOT NULL,
    high           INTEGER NOT NULL,
    step           VARCHAR NOT NULL,     -- schemas.AddressSteps
    geom           BLOB NOT NULL         -- LINESTRING from low to high
);

-- The typology of a geohash-7 cell that has streets or people.
CREATE TABLE typology (
    geohash        VARCHAR PRIMARY KEY,  -- 7 lower-case characters
    typology       VARCHAR NOT NULL,     -- schemas.Typologies
    population_km2 DOUBLE NOT NULL,      -- people per km² of land
    households_km2 DOUBLE NOT NULL
);

-- Whether a class of places, or of what is heard beside streets, is known in the region: whether none nearby means that there is none.
CREATE TABLE region_class (
    class          VARCHAR PRIMARY KEY,  -- schemas.KnownClasses
    places         BIGINT NOT NULL,      -- of the region
    people         BIGINT NOT NULL,      -- of the region, the same for all classes
    lent_places    BIGINT NOT NULL,      -- of extracts of the same source in neighbouring regions, near the border
    lent_people    BIGINT NOT NULL,      -- there; 0 where neighbours have no extract of the same source
    counted        BOOLEAN NOT NULL,     -- most people are counted by blocks; otherwise estimated by residential street
    verdict        VARCHAR NOT NULL,     -- schemas.ClassVerdicts
    accepted       VARCHAR               -- why the score quiet is given without the class; NULL: it is not, or the class is of places
);

-- Where which categories of POIs are known: where one that is counted 0 times does not exist. Outlines of several sources overlap.
CREATE TABLE known_ground (
    source_id       VARCHAR PRIMARY KEY,
    categories      VARCHAR NOT NULL,    -- comma list of schemas.Categories, in their order; may be empty
    base_categories VARCHAR NOT NULL,    -- comma list of schemas.BaseCategories
    geom            BLOB NOT NULL        -- MULTIPOLYGON: the extent of the source
);

-- Which data the region has and what is used in place of missing data; build copies the texts to the notes of the
-- manifest.
CREATE TABLE note (
    topic          VARCHAR PRIMARY KEY,  -- 'transit', 'medians', a channel …
    text           VARCHAR NOT NULL      -- a sentence without the region's name and without a full stop
);

-- A small area, the smallest with published tables: block group, dissemination area, or tract without block groups. Numbered along a Hilbert curve.
CREATE TABLE small_area (
    area           INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    source_key     VARCHAR NOT NULL UNIQUE,
    region_code    VARCHAR NOT NULL,     -- 'US_DE': country and state, as in coverage
    sigma_within   DOUBLE NOT NULL,      -- allocation error: standard deviation of the share of people in a part of a part,
    sigma_between  DOUBLE NOT NULL       -- and in some of the parts, each over √(share · (1 − share)); ≥ 0
);

-- A part of a small area: a block; if its blocks are not known a cell that is settled, the rest of its ground, or the whole
-- area. Counts of an area are apportioned
-- to its parts by weight, and within a part by area.
CREATE TABLE small_area_part (
    part           INTEGER PRIMARY KEY,  -- 0, 1, 2 … area by area
    area           INTEGER NOT NULL,
    source_key     VARCHAR NOT NULL,     -- of the block or zone; the same for all cells of a zone
    persons        DOUBLE NOT NULL,      -- weight by universe, in a unit common to all parts of
    households     DOUBLE NOT NULL,      -- the area; ≥ 0, and > 0 for at least one part
    dwellings      DOUBLE NOT NULL,
    geom           BLOB NOT NULL         -- valid MULTIPOLYGON
);

-- A figure of a small area, published or allocated from its census tract. A table has all cells of the country except
-- optional ones, or none.
CREATE TABLE small_area_value (
    area           INTEGER NOT NULL,
    cell           VARCHAR NOT NULL,     -- demographics.Cells
    estimate       DOUBLE NOT NULL,
    moe            DOUBLE,               -- half of the 90 % interval; NULL if unknown
    vintage        VARCHAR NOT NULL,     -- of the survey, or the census that the blocks are of
    PRIMARY KEY (area, cell)
);

-- A figure that is published for a geography.
CREATE TABLE geography_value (
    source_key     VARCHAR NOT NULL,     -- of the geography
    cell           VARCHAR NOT NULL,
    estimate       DOUBLE NOT NULL,
    moe            DOUBLE,
    vintage        VARCHAR NOT NULL,     -- of the survey
    PRIMARY KEY (source_key, cell)
);

-- Home values of a geography, in dollars of the year.
CREATE TABLE home_value (
    source_key     VARCHAR NOT NULL,
    year           INTEGER NOT NULL,
    dollars        DOUBLE NOT NULL,
    PRIMARY KEY (source_key, year)
);

-- Water of at least a hectare: nobody lives on it, and no small area has to cover it.
CREATE TABLE water (
    water          INTEGER PRIMARY KEY,  -- 0, 1, 2 …
    geom           BLOB NOT NULL         -- valid MULTIPOLYGON
);

-- The vintages of the small areas of a country.
CREATE TABLE vintage (
    country_code   VARCHAR PRIMARY KEY,
    vintage        VARCHAR NOT NULL      -- '2019-2023', '2021'; several are separated by ', '
);

-- A school, merged from its records; it has a name, coordinates and a state.
CREATE TABLE school (
    school_key    VARCHAR PRIMARY KEY,  -- source_key of the record that was kept
    source_id     VARCHAR NOT NULL,
    authority_id  VARCHAR,              -- 'nces:530771003410'
    name          VARCHAR NOT NULL,     -- at most 256 characters, as all texts
    name_fr       VARCHAR,
    lng           DOUBLE NOT NULL,
    lat           DOUBLE NOT NULL,
    levels        VARCHAR NOT NULL,     -- comma list of schemas.SchoolLevels in their order; '' where they are not known
    grades        VARCHAR,              -- 'JK-8'
    types         VARCHAR,              -- comma list
    languages     VARCHAR,              -- comma list of ISO 639-1 codes; in Canada alone
    programs      VARCHAR,              -- JSON array of texts
    address       VARCHAR,
    city          VARCHAR,
    state_code    VARCHAR NOT NULL,
    postal_code   VARCHAR,
    country_code  VARCHAR NOT NULL,
    phone         VARCHAR,              -- '206-252-0000'; in the United States alone, as the numbers below
    url           VARCHAR,
    board_name    VARCHAR,
    board_url     VARCHAR,
    rating        VARCHAR,              -- letter
    students      BIGINT,
    female        BIGINT,
    male          BIGINT,
    free_lunch    BIGINT,
    reduced_lunch BIGINT,
    student_teacher_ratio DOUBLE,
    charter       BOOLEAN,
    magnet        BOOLEAN,
    title_i       BOOLEAN,
    advanced_placement BOOLEAN,
    library       BOOLEAN
);

-- The records that became a school, the kept one among them, and the row of school_rating that its rating is from.
CREATE TABLE school_source (
    school_key    VARCHAR NOT NULL,
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,
    name          VARCHAR,              -- as published
    distance_m    DOUBLE,               -- from the kept record; NULL: one has no coordinates
    name_similarity DOUBLE,             -- 0–1; NULL: one has no name
    reason        VARCHAR NOT NULL,     -- of schemas.SchoolReasons
    PRIMARY KEY (source_id, source_key)
);

-- A catchment of a school, in order of level, program, grade.
CREATE TABLE school_catchment (
    school_key    VARCHAR NOT NULL,
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- of the staged outline
    level         VARCHAR NOT NULL,
    program       VARCHAR,
    grade         VARCHAR,
    reason        VARCHAR NOT NULL,     -- 'authority_id', 'source_key' or 'name': by what the outline names the school
    geom          BLOB NOT NULL,        -- valid MULTIPOLYGON
    PRIMARY KEY (school_key, source_id, source_key)
);

-- What profiles name or measure without its being a destination.
CREATE TABLE landmark (
    kind          VARCHAR NOT NULL,     -- 'park', 'heritage', 'water', 'aerodrome', 'highway' or 'bikeway'
    class         VARCHAR NOT NULL,     -- of water 'river', 'canal' or 'shore', of airfields those of features, of bikeways 'track' (away from cars) or 'lane'; otherwise ''
    source_id     VARCHAR NOT NULL,
    source_key    VARCHAR NOT NULL,     -- poi_key of a park
    name          VARCHAR,
    name_fr       VARCHAR,              -- if it differs
    length_m      DOUBLE,               -- of a bikeway of which a point is known alone; NULL elsewhere
    geom          BLOB NOT NULL,        -- POINT, LINESTRING or MULTIPOLYGON
    PRIMARY KEY (kind, source_id, source_key)
);
