-- The requests of a customer in some state, which are counted before another one is made, and listed.
CREATE INDEX geography_request_open ON geography_request (customer, status, updated_at DESC, id);

-- Why updates could not build a request in its version, and since when: the end of the first that could not. A request that was
-- removed before it was published has '' as geog_id and published_at.
ALTER TABLE geography_request ADD COLUMN problem_code {text};
ALTER TABLE geography_request ADD COLUMN problem {text};
ALTER TABLE geography_request ADD COLUMN problem_since {text};
ALTER TABLE general_update_request ADD COLUMN problem_code {text};

-- Changes of the states of requests, for their customers. Numbers are those of a customer, from 1, in the order of the changes.
CREATE TABLE request_event (
    customer     {text} NOT NULL,
    n            {integer} NOT NULL,
    request_id   {text} NOT NULL REFERENCES geography_request,
    status       {text} NOT NULL,           -- after the change
    geog_id      {text},                    -- with which the request is published then
    at           {text} NOT NULL,
    PRIMARY KEY (customer, n)
);
