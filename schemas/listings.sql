-- market.duckdb in the work folder of `quartier market`: written by ingest/listings, read by transform/market. It keeps what
-- was read of every file of the listings, so that a file is read once. What the views listing and listing_change have
-- depends on the files alone, not on what was kept before; the order of their rows depends on both, so a reader sorts.
-- A missing value is NULL, never '' and never 0. Days are days since 1970-01-01, instants microseconds since then, UTC.

-- The SHA-256 of this DDL with the version of the readers: a file of another one is written again.
CREATE TABLE layout (
    sha256        VARCHAR NOT NULL,
    store         VARCHAR NOT NULL      -- random, so that nothing computed from another file is taken for this one's
);

-- The sources of the listings as of the last intake.
CREATE TABLE listing_source (
    source_id     VARCHAR NOT NULL,     -- unique
    position      INTEGER NOT NULL,     -- in the listings file, from 0
    as_of         VARCHAR,              -- YYYY-MM-DD; NULL here and below: listings without a listings file
    licence       VARCHAR,
    attribution   VARCHAR,
    url           VARCHAR
);

-- A file that was taken in. Rows of others are those of an intake that was interrupted; the next one removes them.
CREATE TABLE listing_file (
    file_id       INTEGER NOT NULL,     -- unique
    source_id     VARCHAR NOT NULL,
    position      INTEGER NOT NULL,     -- of the source; of two records of a key with the same time that of the later source counts
    path          VARCHAR NOT NULL,     -- relative to the folder of the source, or the name of its file
    sha256        VARCHAR NOT NULL,     -- lower-case hex
    bytes         BIGINT NOT NULL,
    state         VARCHAR NOT NULL,     -- size, times and number of the file when it was read for sha256
    settings      VARCHAR NOT NULL,     -- SHA-256 of what its rows depend on beside it: id, position and options of the source
    rows_read     BIGINT NOT NULL,
    rows_staged   BIGINT NOT NULL       -- in listing_record and change_record
);

-- Rows that were rejected, repaired or skipped, counted by file and reason. DATA.md lists the codes.
CREATE TABLE listing_issue (
    file_id       INTEGER NOT NULL,
    severity      VARCHAR NOT NULL,     -- 'rejected', 'repaired', 'skipped' or 'noted'
    code          VARCHAR NOT NULL,
    detail        VARCHAR NOT NULL,     -- value by which rows of the code are counted; '': none
    description   VARCHAR NOT NULL,     -- of the code, one sentence
    rows          BIGINT NOT NULL,
    example       VARCHAR NOT NULL      -- the first of these rows
);

-- An intake that changed something.
CREATE TABLE intake (
    generation    BIGINT NOT NULL,      -- 1, 2 …
    whole         BOOLEAN NOT NULL      -- so much changed that listing_changed does not list it: everything may be another
);

-- A listing that an intake added, changed or removed, or whose changes of status or price (listing_change) did.
CREATE TABLE listing_changed (
    generation    BIGINT NOT NULL,
    key_hash      BIGINT NOT NULL,      -- of its records
    system        VARCHAR NOT NULL,
    listing_key   VARCHAR NOT NULL,
    change        VARCHAR NOT NULL      -- 'added', 'changed' or 'removed'
);

-- A record of a listing or sale as its source has it, in common terms: staged.Listing and four columns.
CREATE TABLE listing_record (
    file_id             INTEGER NOT NULL,
    key_hash            BIGINT NOT NULL,  -- of system and listing_key
    counts              BOOLEAN NOT NULL, -- of the records of a key the one with the latest time, then of the later position, path and row
    content             BIGINT NOT NULL,  -- number of what it has beside file and row: that of another content is another
    source_id           VARCHAR NOT NULL,
    system              VARCHAR NOT NULL,
    listing_key         VARCHAR NOT NULL,
    modified            BIGINT,
    status              UTINYINT NOT NULL, -- market.Status
    public_sale         BOOLEAN NOT NULL,
    type                UTINYINT NOT NULL, -- market.PropertyType
    income              BOOLEAN NOT NULL,
    on_day              INTEGER,
    listed_day          INTEGER,
    contingent_day      INTEGER,
    contract_day        INTEGER,
    off_day             INTEGER,
    withdrawn_day       INTEGER,
    canceled_day        INTEGER,
    expired_day         INTEGER,
    close_day           INTEGER,
    on_at               BIGINT,
    pending_at          BIGINT,
    off_at              BIGINT,
    price_changed_at    BIGINT,
    list_price          BIGINT,
    original_list_price BIGINT,
    close_price         BIGINT,
    living_area_sqft    DOUBLE,
    year_built          INTEGER,
    parcel              VARCHAR,
    address             VARCHAR,
    unit                VARCHAR,
    postal_code         VARCHAR,
    state_code          VARCHAR,
    lng                 DOUBLE,
    lat                 DOUBLE,
    file                VARCHAR NOT NULL,
    row                 BIGINT NOT NULL
);

-- A change of a field of a listing: staged.ListingChange and three columns.
CREATE TABLE change_record (
    file_id         INTEGER NOT NULL,
    key_hash        BIGINT NOT NULL,   -- of system and listing_key
    counts          BOOLEAN NOT NULL,  -- of equal changes the first by position, path and row
    source_id       VARCHAR NOT NULL,
    system          VARCHAR NOT NULL,
    listing_key     VARCHAR NOT NULL,
    at              BIGINT NOT NULL,
    field           VARCHAR NOT NULL,
    status          UTINYINT NOT NULL,
    price           BIGINT,
    previous_price  BIGINT,
    previous_status UTINYINT NOT NULL,
    file            VARCHAR NOT NULL,
    row             BIGINT NOT NULL
);

-- staged.Listing: one row for each system and key, without those whose last record is a Delete (market.StatusDelete).
CREATE VIEW listing AS
SELECT * EXCLUDE (file_id, key_hash, counts, content) FROM listing_record
WHERE counts AND status <> 11 AND file_id IN (SELECT file_id FROM listing_file);

-- staged.ListingChange: every change once.
CREATE VIEW listing_change AS
SELECT * EXCLUDE (file_id, key_hash, counts) FROM change_record
WHERE counts AND file_id IN (SELECT file_id FROM listing_file);
