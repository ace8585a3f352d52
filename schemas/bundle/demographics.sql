-- demographics.sqlite: the people of small areas and of geographies, for people and GIS. SpatiaLite, EPSG:4326.

-- A small area: the smallest area with published tables.
CREATE TABLE small_area (
    fid            INTEGER PRIMARY KEY, -- 1, 2, 3 …; not stable between releases
    region         TEXT NOT NULL,       -- region of the release
    source_key     TEXT NOT NULL UNIQUE,-- the publisher's own key, 'census:bg:410510001001'
    region_code    TEXT NOT NULL,       -- 'US_DE'
    sigma_within   REAL NOT NULL,       -- allocation error: standard deviation of the share of people in a part of a part,
    sigma_between  REAL NOT NULL        -- and in some of the parts, each over √(share · (1 − share)); 0: they are counted
);

-- A part of a small area: a block; if no blocks are known a cell that is settled, the rest of the ground, or the entire area.
CREATE TABLE small_area_part (
    fid            INTEGER PRIMARY KEY,
    area           INTEGER NOT NULL,    -- fid of small_area
    source_key     TEXT NOT NULL,       -- of the block or zone; the same for all cells of a zone
    persons        REAL NOT NULL,       -- weights by which the area's figures are apportioned to its parts: counts, shares, or
                                        -- square metres of land in an area without counts
    households     REAL NOT NULL,
    dwellings      REAL NOT NULL,
    geometry       MULTIPOLYGON NOT NULL
);

-- A figure of a small area.
CREATE TABLE small_area_value (
    area           INTEGER NOT NULL,    -- fid of small_area
    cell           TEXT NOT NULL,       -- 'age.00_04': table and cell of package demographics
    estimate       REAL NOT NULL,
    moe            REAL,                -- 90 % margin of error; NULL: none known
    PRIMARY KEY (area, cell)
) WITHOUT ROWID;

-- Ground of a state, without known water, in one tile of a grid.
CREATE TABLE ground (
    fid            INTEGER PRIMARY KEY,
    region_code    TEXT NOT NULL,       -- 'US_DE'
    covered        INTEGER NOT NULL,    -- 1: by small areas of its country, else 0
    geometry       MULTIPOLYGON NOT NULL
);

-- The share of a geography's ground that small areas cover, where figures of it are sums over them and it is less than 0.995.
CREATE TABLE geography_coverage (
    geog_id        TEXT PRIMARY KEY,
    coverage       REAL NOT NULL        -- 0.5 to 0.995
) WITHOUT ROWID;

-- A variable of a geography, current or superseded, as the API returns it.
CREATE TABLE geography_variable (
    geog_id        TEXT NOT NULL,
    category       TEXT NOT NULL,
    variable       TEXT NOT NULL,
    value          REAL NOT NULL,
    lower          REAL,                -- of the 90 % confidence interval; NULL: none
    upper          REAL,
    open_end       TEXT,                -- 'upper': the value is a bound, the median is that or more; 'lower': less; NULL: it is no bound
    PRIMARY KEY (geog_id, category, variable)
) WITHOUT ROWID;

-- The vintage of a geography's figures.
CREATE TABLE geography_vintage (
    geog_id        TEXT PRIMARY KEY,
    vintage        TEXT NOT NULL        -- '2019-2023', '2021'; several are separated by ', ', the newest first
) WITHOUT ROWID;

-- The vintage of each category of a geography's figures, where these differ.
CREATE TABLE geography_category_vintage (
    geog_id        TEXT NOT NULL,
    category       TEXT NOT NULL,
    vintage        TEXT NOT NULL,
    PRIMARY KEY (geog_id, category)
) WITHOUT ROWID;
