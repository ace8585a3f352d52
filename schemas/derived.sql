-- derived.duckdb: what transform writes and build reads. One file a region.

CREATE TABLE geography (
    source_key     VARCHAR PRIMARY KEY,
    source_id      VARCHAR NOT NULL,
    level          INTEGER NOT NULL,
    name_en        VARCHAR NOT NULL,
    name_fr        VARCHAR NOT NULL,     -- the English name where none was published
    country_code   VARCHAR NOT NULL,     -- 'CA' or 'US'
    state_codes    VARCHAR NOT NULL,     -- comma list of 'CA_QC'-like codes, the largest share first; '' at level 70
    city_key       VARCHAR,              -- source_key of the level-30 geography that holds it, itself included
    metro_key      VARCHAR,              -- source_key of the level-40 geography that holds it, itself included
    state_key      VARCHAR,
    country_key    VARCHAR,
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

-- Where the release knows the country and state of a point; the level-60 outlines, else a source's extent.
CREATE TABLE coverage (
    region_code    VARCHAR NOT NULL,     -- 'US_DE'
    source_key     VARCHAR NOT NULL,     -- of the geography, or 'extent:<source_id>'
    geom           BLOB NOT NULL,
    PRIMARY KEY (region_code, source_key)
);

CREATE TABLE poi (
    poi_key        VARCHAR PRIMARY KEY,  -- source_key of the record that was kept
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
    categories     VARCHAR NOT NULL,     -- comma list of category ids in the vocabulary's order, at least one
    brands         VARCHAR NOT NULL,     -- comma list of brand ids, sorted, may be ''
    tags           VARCHAR NOT NULL,     -- comma list of tag ids, sorted, may be ''
    base_categories VARCHAR NOT NULL     -- comma list of the base endpoint's categories, may be ''
);

-- Every brand that a POI of the region carries.
CREATE TABLE brand (
    brand_id       VARCHAR PRIMARY KEY,
    brand_name     VARCHAR NOT NULL
);

-- Which staged records were joined into one POI, and why.
CREATE TABLE poi_merge (
    kept_key       VARCHAR NOT NULL,
    merged_key     VARCHAR NOT NULL,
    distance_m     DOUBLE NOT NULL,
    name_similarity DOUBLE NOT NULL,     -- 0–1
    reason         VARCHAR NOT NULL,
    PRIMARY KEY (merged_key)
);

-- Staged rows that did not become a derived row, by reason.
CREATE TABLE transform_issue (
    step           VARCHAR NOT NULL,     -- 'geography', 'poi'
    reason         VARCHAR NOT NULL,
    rows           BIGINT NOT NULL,
    example        VARCHAR NOT NULL,
    PRIMARY KEY (step, reason)
);
