-- Requests for custom geographies as they are now, one row each.
CREATE TABLE geography_request (
    id           {text} PRIMARY KEY,        -- UUID, the geo_entity_id
    customer     {text} NOT NULL,
    version      {integer} NOT NULL,        -- 1, and one more with every change
    name_en      {text} NOT NULL,
    name_fr      {text},
    folded_names {text} NOT NULL,           -- both names without case and accents, in which searches look
    type         {text} NOT NULL,
    boundaries   {text} NOT NULL,           -- WKT
    status       {text} NOT NULL CHECK (status IN ({statuses})),
    geog_id      {text},                    -- of the last publication, also while a newer version waits for its own
    published_at {text},
    created_at   {text} NOT NULL,           -- these three: RFC 3339 in UTC with microseconds, in which texts sort like times
    updated_at   {text} NOT NULL,
    CHECK (status NOT IN ({published}) OR geog_id IS NOT NULL AND published_at IS NOT NULL)
);
CREATE INDEX geography_request_list ON geography_request (customer, updated_at DESC, id);

-- Every version of every request, and who made it.
CREATE TABLE geography_request_history (
    id           {text} NOT NULL REFERENCES geography_request,
    version      {integer} NOT NULL,
    event        {text} NOT NULL,
    client_id    {text} NOT NULL,
    at           {text} NOT NULL,
    name_en      {text} NOT NULL,
    name_fr      {text},
    type         {text} NOT NULL,
    boundaries   {text} NOT NULL,
    status       {text} NOT NULL,
    PRIMARY KEY (id, version)
);

-- Keys with which requests were created, so that a repeated one is answered and not created again.
CREATE TABLE idempotency_key (
    customer     {text} NOT NULL,
    key          {text} NOT NULL,
    digest       {blob} NOT NULL,           -- SHA-256 of the fields that were sent
    request_id   {text} NOT NULL REFERENCES geography_request,
    created_at   {text} NOT NULL,
    PRIMARY KEY (customer, key)
);
CREATE INDEX idempotency_key_age ON idempotency_key (customer, created_at);
