-- The rows of all regions in one database. region is the place of a region in the release file, from 0. The
-- tables source, issue and *_row are created by load.sql: they have the columns of the staged or derived table of which
-- they are the rows, and region. as_of is that of the row's source, NULL where the region does not declare the source.

CREATE TABLE region (region INTEGER, name VARCHAR);

-- The number of rows of a kind that a source staged: 'outlines and places', 'streets'.
CREATE TABLE staged_count (region INTEGER, source_id VARCHAR, what VARCHAR, rows BIGINT);

-- Sources of street edges and of destinations, which may be other than POIs: schools. The rows themselves are read from
-- the regions' databases when they are written to the release.
CREATE TABLE street_source (region INTEGER, source_id VARCHAR);
CREATE TABLE destination_source (region INTEGER, source_id VARCHAR);

-- Regions with demographic figures. Those of small areas are not copied either.
CREATE TABLE demographic_region (region INTEGER);

-- The POIs of all regions but those that neighbours lent, by region and number. Their other columns are read from the regions'
-- databases when they are written to the release.
CREATE TABLE poi_place (region INTEGER, number INTEGER, curve BIGINT, poi_key VARCHAR, as_of VARCHAR);
CREATE TABLE poi_source (region INTEGER, source_id VARCHAR, first_key VARCHAR);
CREATE TABLE stateless_poi (region INTEGER, number INTEGER);

-- POIs for which a row of another region is in the release, and those that are: fid 1, 2, 3 … by curve and key.
CREATE TABLE dropped_poi (dropped_key VARCHAR, kept_key VARCHAR);
CREATE TABLE left_poi (region INTEGER, number INTEGER);
CREATE TABLE poi_order (fid BIGINT, region INTEGER, number INTEGER);

-- The rows that are selected for the release. number is the rowid of school_row: tables are joined by it, since texts take
-- several times as much memory.
CREATE TABLE selected_geography (source_key VARCHAR, region INTEGER);

CREATE TABLE selected_school (number BIGINT, school_key VARCHAR, region INTEGER, lng DOUBLE, lat DOUBLE);
CREATE TABLE dropped_school (dropped_key VARCHAR, kept_key VARCHAR);
CREATE TABLE school_curve (number BIGINT, curve UBIGINT);
CREATE TABLE school_order (school_key VARCHAR, region INTEGER, fid BIGINT);
CREATE TABLE catchment_order (fid BIGINT, school_fid BIGINT, region INTEGER, source_id VARCHAR, source_key VARCHAR);
