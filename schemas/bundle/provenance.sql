-- Provenance: in every SpatiaLite file, so that none is passed on without its licences.

-- The release itself, one row.
CREATE TABLE release (
    name           TEXT NOT NULL,
    as_of          TEXT NOT NULL,       -- the newest as-of of its sources, YYYY-MM-DD
    tool_version   TEXT NOT NULL,
    previous       TEXT                 -- digest of the release that it continues; NULL: none
);

-- The files that the release was made from.
CREATE TABLE source (
    region         TEXT NOT NULL,
    source_id      TEXT NOT NULL,       -- unique inside the region
    priority       INTEGER NOT NULL,    -- place in the region file, 0 first
    kind           TEXT NOT NULL,       -- the reader
    path           TEXT NOT NULL,       -- base name
    sha256         TEXT NOT NULL,
    bytes          BIGINT NOT NULL,
    as_of          TEXT NOT NULL,       -- YYYY-MM-DD
    licence        TEXT NOT NULL,
    attribution    TEXT NOT NULL,       -- to be shown with whatever is made of the data
    url            TEXT,
    rows_read      BIGINT NOT NULL,
    rows_staged    BIGINT NOT NULL,
    no_footpaths   INTEGER NOT NULL,    -- 1: streets without all paths, stairs and footbridges between them; else 0
    PRIMARY KEY (region, source_id)
);

-- Rows that were rejected, repaired or skipped, counted by reason.
CREATE TABLE issue (
    region         TEXT NOT NULL,
    step           TEXT NOT NULL,       -- 'ingest', or the step of transform: 'geography', 'poi'
    source_id      TEXT NOT NULL,       -- of source; '' where the step sees several
    severity       TEXT NOT NULL,       -- 'rejected', 'repaired', 'skipped' or 'noted'
    code           TEXT NOT NULL,       -- e.g. 'missing_geometry'; DATA.md lists all
    detail         TEXT NOT NULL,       -- value by which rows of the code are counted, e.g. 'amenity=bench'; '': none
    description    TEXT NOT NULL,       -- of the code, one sentence
    rows           BIGINT NOT NULL,
    example        TEXT NOT NULL,       -- one of these rows or features
    PRIMARY KEY (region, step, source_id, code, detail)
);
