-- The version of a request that is published, which is older than the request's where that was edited since.
ALTER TABLE geography_request ADD COLUMN published_version {integer};
UPDATE geography_request SET published_version = coalesce((SELECT max(h.version) FROM geography_request_history h
    WHERE h.id = geography_request.id AND h.at <= geography_request.published_at), 1) WHERE geog_id IS NOT NULL;
UPDATE geography_request SET status = 'PUBLICATION_PENDING' WHERE status = 'PUBLICATION_PROCESSING'; -- in no update
UPDATE geography_request SET status = 'DEPRECATION_PENDING' WHERE status = 'DEPRECATION_PROCESSING';
CREATE INDEX geography_request_status ON geography_request (status);

-- General updates. At most one is running.
CREATE TABLE general_update (
    number       {integer} PRIMARY KEY,     -- from 1, without gaps
    status       {text} NOT NULL CHECK (status IN ('running', 'complete', 'aborted')),
    holder       {text} NOT NULL,           -- who started it
    started_at   {text} NOT NULL,           -- later than those before, whatever the clock says
    ended_at     {text},
    requests     {text},                    -- SHA-256 of the requests file; NULL until it is written
    publishing   {text},                    -- digest of the component private that is or may be published
    CHECK ((status = 'running') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX general_update_running ON general_update (status) WHERE status = 'running';

-- What an update changes: requests in the version in which they were frozen. Those that are published and stay as they are,
-- are in its file and not here, unless the build cannot make them or gives them another id.
CREATE TABLE general_update_request (
    number       {integer} NOT NULL REFERENCES general_update,
    request_id   {text} NOT NULL,
    version      {integer} NOT NULL,
    action       {text} NOT NULL CHECK (action IN ('publish', 'deprecate', 'keep')),
    geog_id      {text},                    -- with which the update published it
    problem      {text},                    -- why it could not be built
    PRIMARY KEY (number, request_id),
    FOREIGN KEY (request_id, version) REFERENCES geography_request_history (id, version)
);

-- What updates published, in the transaction that wrote it back, for those who inform customers.
CREATE TABLE publication_event (
    n            {serial},
    number       {integer} NOT NULL REFERENCES general_update,
    request_id   {text} NOT NULL REFERENCES geography_request,
    customer     {text} NOT NULL,
    version      {integer} NOT NULL,        -- of the request that was built
    action       {text} NOT NULL,           -- publish, deprecate, or keep where the id changed
    geog_id      {text} NOT NULL,
    at           {text} NOT NULL
);

-- The number of requests of each customer, which every list has.
CREATE TABLE request_count (
    customer     {text} PRIMARY KEY,
    n            {integer} NOT NULL
);
INSERT INTO request_count (customer, n) SELECT customer, count(*) FROM geography_request GROUP BY customer;
