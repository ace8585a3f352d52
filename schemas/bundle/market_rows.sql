-- What the rows of market_cell are about, in market.sqlite and the files of the years.

-- The intervals of the statistics.
CREATE TABLE interval (
    position       INTEGER PRIMARY KEY, -- 0 first, of this file; in the order of their rows
    code           TEXT NOT NULL,       -- '30d', '2026-10', '2026Q3'
    first_day      TEXT NOT NULL,       -- YYYY-MM-DD, this and the following
    last_day       TEXT NOT NULL,
    first_row      BIGINT NOT NULL      -- of its rows in market_cell; the same on every day for a month or quarter
);

-- The types of property.
CREATE TABLE property_type (
    position       INTEGER PRIMARY KEY, -- 0 first
    type           TEXT NOT NULL        -- 'single_family'
);

-- All geographies of the release, superseded ones too.
CREATE TABLE geography (
    position       INTEGER PRIMARY KEY, -- index in geographies.pack, 0 first
    geog_id        TEXT NOT NULL UNIQUE,
    time_zone      TEXT                 -- of its centroid, a name of the IANA database; NULL outside of the United States
);
