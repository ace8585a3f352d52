-- Requests that an operator took out of general updates, in the version that does not go into one. An edit ends it.
CREATE TABLE request_exclusion (
    request_id   {text} PRIMARY KEY REFERENCES geography_request,
    version      {integer} NOT NULL,
    why          {text} NOT NULL,
    at           {text} NOT NULL,
    FOREIGN KEY (request_id, version) REFERENCES geography_request_history (id, version)
);
