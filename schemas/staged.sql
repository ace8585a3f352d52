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

-- Rows that were left out or mended, counted by reason. Nothing is dropped without a line here.
CREATE TABLE source_issue (
    source_id     VARCHAR NOT NULL,
    reason        VARCHAR NOT NULL,     -- short and stable, e.g. 'no outline', 'self-touching ring repaired'
    severity      VARCHAR NOT NULL,     -- 'rejected' (the row is not staged) or 'repaired' (it is, mended) or 'skipped' (not asked for)
    rows          BIGINT NOT NULL,
    example       VARCHAR NOT NULL,     -- the first row or feature it happened to
    PRIMARY KEY (source_id, reason, severity)
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
