-- market.sqlite: market statistics by geography, type of property and interval.

-- The component, one row.
CREATE TABLE component (
    places         TEXT NOT NULL,       -- digest of the release beside which it stands
    as_of          TEXT NOT NULL,       -- day of the statistics, YYYY-MM-DD: the last day that they have is the one before
    listings       BIGINT NOT NULL      -- that were found in a geography
);

-- The states with listings.
CREATE TABLE state (
    code           TEXT PRIMARY KEY     -- 'US_OR'
);

-- The intervals of the statistics.
CREATE TABLE interval (
    position       INTEGER PRIMARY KEY, -- 0 first
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
