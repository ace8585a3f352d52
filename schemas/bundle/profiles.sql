-- profiles.sqlite: what is known of geographies, and the texts written from it, for people and GIS. SpatiaLite, EPSG:4326.

-- A geography, current or superseded, of which a fact is known, as texts name it.
CREATE TABLE profile_place (
    geog_id        TEXT PRIMARY KEY,
    level          INTEGER NOT NULL,    -- 10 to 38
    type           TEXT NOT NULL,       -- English label of the level: 'neighbourhood', 'zip code'; of a custom geography its type: 'TOWN'
    country_code   TEXT NOT NULL,       -- 'CA' or 'US'
    state_code     TEXT NOT NULL,       -- 'ON'; '' where it is in none
    name_en        TEXT NOT NULL,
    name_fr        TEXT,                -- NULL: none, the English name is used
    city_en        TEXT,                -- the municipality it is in; NULL: none, or it is one
    city_fr        TEXT,
    area_m2        REAL NOT NULL,
    variant        INTEGER NOT NULL     -- 0; another one where the texts would be too much like those of a neighbour
) WITHOUT ROWID;

-- A fact about a geography. The codes and what their figures mean are in package schemas/profile.
CREATE TABLE profile_fact (
    geog_id        TEXT NOT NULL,
    ordinal        INTEGER NOT NULL,    -- 0, 1, 2 … within the geography
    section        TEXT NOT NULL,       -- of the text that it belongs to: 'intro', 'summary', 'transport', 'services', 'character', 'housing'
    code           TEXT NOT NULL,       -- 'score', 'station', 'dwelling' …
    subject        TEXT NOT NULL,       -- a score, category, variable, mode or kind; '' where the code has none
    name           TEXT NOT NULL,       -- of a station, line, park or street; '' where the code has none
    name_fr        TEXT,                -- NULL: not known
    value          REAL NOT NULL,       -- in the code's unit
    low            REAL,                -- of an estimate: its 90 % interval; of a score: what a tenth of the homes has less than, and more than; NULL: not known
    high           REAL,                -- both are 0 of other facts
    further        REAL NOT NULL,       -- a second value; 0: none
    typical        REAL,                -- median of the region's geographies of the level; NULL: not known
    rank           REAL NOT NULL,       -- how far the geography is from it, 0 to 1
    source         TEXT NOT NULL,       -- rows it was made from, table:key, separated by blanks
    PRIMARY KEY (geog_id, ordinal)
) WITHOUT ROWID;

-- A sentence of a text, plain: names are not escaped.
CREATE TABLE profile_text (
    geog_id        TEXT NOT NULL,
    locale         TEXT NOT NULL,       -- 'en', and 'fr' in Canada
    ordinal        INTEGER NOT NULL,    -- 0, 1, 2 … over all sections, in the order of reading
    section        TEXT NOT NULL,       -- 'intro', 'summary', 'transport', 'services', 'character', 'housing'
    text           TEXT NOT NULL,
    pattern        TEXT NOT NULL,       -- sentence plan and variant: 'services.daily/2'
    facts          TEXT NOT NULL,       -- ordinals of profile_fact that it states, separated by blanks; '': none
    PRIMARY KEY (geog_id, locale, ordinal)
) WITHOUT ROWID;

-- What facts name or measure without its being a place of pois.sqlite or a street of access.sqlite: outlines of parks, named
-- water, historic places, airfields, highways and bikeways.
CREATE TABLE landmark (
    fid            INTEGER PRIMARY KEY, -- 1, 2, 3 … by region, kind, source and key; not stable between releases
    region         TEXT NOT NULL,       -- the first region that has it
    kind           TEXT NOT NULL,       -- 'park', 'heritage', 'water', 'aerodrome', 'highway' or 'bikeway'
    class          TEXT NOT NULL,       -- of water 'river', 'canal' or 'shore', of bikeways 'track' (away from cars) or 'lane' …; otherwise ''
    source_id      TEXT NOT NULL,
    source_key     TEXT NOT NULL,       -- poi_key of a park
    name           TEXT,
    name_fr        TEXT,                -- if it differs
    length_m       REAL,                -- of a bikeway of which a point is known alone; NULL elsewhere
    geometry       GEOMETRY NOT NULL    -- POINT, LINESTRING or MULTIPOLYGON; a park without a known outline is a point
);
