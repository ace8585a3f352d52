-- market.sqlite: market statistics by geography, type of property and interval, of the intervals that move with the day. The
-- files of the years have those of closed months and quarters, and none of these tables.

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
