-- pois.sqlite: the points of interest of a release, for people and GIS. SpatiaLite, EPSG:4326, x = longitude.

-- A point of interest. Rows are in the order of a space-filling curve.
CREATE TABLE poi (
    fid            INTEGER PRIMARY KEY, -- 1, 2, 3 … along the curve; not stable between releases
    poi_key        TEXT NOT NULL,       -- unique; the publisher's own key with its scheme, 'osm:node:123'
    region         TEXT NOT NULL,       -- region of the release whose row was taken
    source_id      TEXT NOT NULL,       -- its source, see table source
    name           TEXT NOT NULL,
    address        TEXT,                -- one line: number and street; NULL here and below: not known
    suite          TEXT,
    city           TEXT,
    state_code     TEXT,                -- two letters
    postal_code    TEXT,
    country_code   TEXT NOT NULL,       -- 'CA' or 'US'
    phone          TEXT,
    url            TEXT,
    attributes     ATTRIBUTES,          -- a column for each of place.Attributes
    geometry       POINT NOT NULL       -- registered, with an R*Tree (idx_poi_geometry)
);

-- The categories of the enhanced endpoint that a POI is in, at least one.
CREATE TABLE poi_category (
    fid            INTEGER NOT NULL,    -- of poi
    category_id    TEXT NOT NULL,       -- of category
    PRIMARY KEY (fid, category_id)
) WITHOUT ROWID;

-- The categories of the base endpoint that a POI is in.
CREATE TABLE poi_base_category (
    fid            INTEGER NOT NULL,
    category_id    TEXT NOT NULL,       -- of base_category
    PRIMARY KEY (fid, category_id)
) WITHOUT ROWID;

CREATE TABLE poi_brand (
    fid            INTEGER NOT NULL,
    brand_id       TEXT NOT NULL,       -- of brand
    PRIMARY KEY (fid, brand_id)
) WITHOUT ROWID;

CREATE TABLE poi_tag (
    fid            INTEGER NOT NULL,
    tag_id         TEXT NOT NULL,       -- of tag
    PRIMARY KEY (fid, tag_id)
) WITHOUT ROWID;

-- The vocabularies, with the number of POIs in each entry. The categories are always complete.
CREATE TABLE category (
    category_id    TEXT PRIMARY KEY,
    label_en       TEXT NOT NULL,
    label_fr       TEXT NOT NULL,
    pois           INTEGER NOT NULL
);

CREATE TABLE base_category (
    category_id    TEXT PRIMARY KEY,
    label_en       TEXT NOT NULL,
    label_fr       TEXT NOT NULL,
    pois           INTEGER NOT NULL
);

CREATE TABLE brand (
    brand_id       TEXT PRIMARY KEY,
    brand_name     TEXT NOT NULL,
    pois           INTEGER NOT NULL
);

CREATE TABLE tag (
    tag_id         TEXT PRIMARY KEY,
    label_en       TEXT NOT NULL,
    label_fr       TEXT NOT NULL,
    pois           INTEGER NOT NULL
);

-- Where which categories are known: where a category that no POI near has does not exist there. A place may be in several
-- rows, and one in none knows no category. The rows are in the order of regions and sources.
CREATE TABLE known_ground (
    fid            INTEGER PRIMARY KEY,
    region         TEXT NOT NULL,
    source_id      TEXT NOT NULL,       -- whose extent it is
    categories     TEXT NOT NULL,       -- comma list of category_id of category
    base_categories TEXT NOT NULL,      -- comma list of category_id of base_category
    geometry       MULTIPOLYGON NOT NULL -- registered, with an R*Tree
);

-- Which records were taken for one place, and why.
CREATE TABLE poi_merge (
    kept_key       TEXT NOT NULL,       -- poi_key
    merged_key     TEXT NOT NULL,       -- source key of the record that was joined into it
    region         TEXT NOT NULL,       -- where it was found
    distance_m     REAL NOT NULL,       -- between the two
    name_similarity REAL NOT NULL,      -- 0–1
    reason         TEXT NOT NULL,
    PRIMARY KEY (merged_key, region)
);

-- Corrections by an operator that were applied to POIs.
CREATE TABLE poi_correction (
    poi_key        TEXT NOT NULL,       -- of poi, or of one that was dropped
    region         TEXT NOT NULL,
    source_id      TEXT NOT NULL,       -- of the list of corrections
    line           INTEGER NOT NULL,    -- of its file
    action         TEXT NOT NULL,       -- 'drop', 'move', 'rename' or 'recategorise'
    was            TEXT NOT NULL,       -- name, 'lat lng' or categories before; the name of a place that was dropped
    became         TEXT NOT NULL,       -- the same after; '' of a place that was dropped
    PRIMARY KEY (region, source_id, line)
);
