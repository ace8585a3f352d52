-- The rows of all regions side by side, in a database of the build's own that is thrown away.
-- region is the place of a region in the release file, 0 first. Other columns are those of schemas/staged.sql and
-- schemas/derived.sql; as_of is that of the row's source, NULL where the source is not declared.

CREATE TABLE source (
    region INTEGER, source_id VARCHAR, priority INTEGER, kind VARCHAR, path VARCHAR, sha256 VARCHAR, bytes BIGINT,
    as_of VARCHAR, licence VARCHAR, attribution VARCHAR, url VARCHAR, rows_read BIGINT, rows_staged BIGINT
);

CREATE TABLE issue (
    region INTEGER, step VARCHAR, source_id VARCHAR, severity VARCHAR, code VARCHAR, detail VARCHAR, description VARCHAR, rows BIGINT, example VARCHAR
);

-- How many rows of a kind a source staged: 'outlines and places', 'streets'.
CREATE TABLE given (region INTEGER, source_id VARCHAR, what VARCHAR, rows BIGINT);

-- Sources with streets in the walking network. The rows of streets and what is made of them are not copied here: they
-- go from the region's database to the release.
CREATE TABLE walked (region INTEGER, source_id VARCHAR);
-- Sources whose places count as destinations: schools are no POIs.
CREATE TABLE counted (region INTEGER, source_id VARCHAR);

-- Regions with figures about people. Those of small areas are not copied here either.
CREATE TABLE peopled (region INTEGER);

CREATE TABLE geography_row (
    region INTEGER, as_of VARCHAR, source_key VARCHAR, source_id VARCHAR, level INTEGER, name_en VARCHAR,
    name_fr VARCHAR, country_code VARCHAR, state_codes VARCHAR, city_key VARCHAR, metro_key VARCHAR,
    state_key VARCHAR, country_key VARCHAR, area_m2 DOUBLE, west DOUBLE, south DOUBLE, east DOUBLE, north DOUBLE,
    centroid_lng DOUBLE, centroid_lat DOUBLE, population BIGINT, geom BLOB
);

CREATE TABLE coverage_row (region INTEGER, region_code VARCHAR, source_key VARCHAR, geom BLOB);

CREATE TABLE poi_row (
    region INTEGER, as_of VARCHAR, poi_key VARCHAR, source_id VARCHAR, lng DOUBLE, lat DOUBLE, name VARCHAR,
    address VARCHAR, suite VARCHAR, city VARCHAR, state_code VARCHAR, postal_code VARCHAR, country_code VARCHAR,
    phone VARCHAR, url VARCHAR, categories VARCHAR, brands VARCHAR, tags VARCHAR, base_categories VARCHAR
);

CREATE TABLE brand_row (region INTEGER, brand_id VARCHAR, brand_name VARCHAR);

CREATE TABLE merge_row (
    region INTEGER, kept_key VARCHAR, merged_key VARCHAR, distance_m DOUBLE, name_similarity DOUBLE, reason VARCHAR
);

-- What is published for geographies themselves: figures of statistics, and what homes are worth there.
CREATE TABLE figure_row (region INTEGER, source_key VARCHAR, cell VARCHAR, estimate DOUBLE, moe DOUBLE, vintage VARCHAR);
CREATE TABLE home_value_row (region INTEGER, source_key VARCHAR, year INTEGER, dollars DOUBLE);
CREATE TABLE vintage_row (region INTEGER, country_code VARCHAR, vintage VARCHAR);

-- What is chosen of them.
CREATE TABLE geography_pick (source_key VARCHAR, region INTEGER);
CREATE TABLE poi_pick (poi_key VARCHAR, region INTEGER, lng DOUBLE, lat DOUBLE);
CREATE TABLE poi_drop (poi_key VARCHAR);
CREATE TABLE poi_curve (poi_key VARCHAR, curve UBIGINT);
CREATE TABLE poi_order (poi_key VARCHAR, region INTEGER, fid BIGINT);

-- The geographies whose people are described, numbered 0, 1, 2 … by id, and what is published for them.
CREATE TABLE turn (turn INTEGER, source_key VARCHAR);
CREATE TABLE published (turn INTEGER, cell VARCHAR, estimate DOUBLE, moe DOUBLE, vintage VARCHAR);
CREATE TABLE home_worth (turn INTEGER, year INTEGER, dollars DOUBLE);
