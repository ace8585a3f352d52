-- Clients with their agreements, and the keys that sign tokens. Stores made before versions were numbered have these tables
-- already, and so are of version 1.
CREATE TABLE IF NOT EXISTS revision (
    id          {integer} PRIMARY KEY CHECK (id = 1),
    n           {integer} NOT NULL          -- incremented by every change of the tables below; servers watch it
);
INSERT INTO revision (id, n) VALUES (1, 0) ON CONFLICT DO NOTHING;

CREATE TABLE IF NOT EXISTS client (
    client_id   {text} PRIMARY KEY,
    customer    {text} NOT NULL,
    salt        {blob} NOT NULL,
    secret_hash {blob} NOT NULL,            -- SHA-256(salt, secret)
    agreement   {text} NOT NULL,            -- JSON
    created_at  {text} NOT NULL,
    revoked_at  {text}
);

CREATE TABLE IF NOT EXISTS signing_key (
    n           {serial},
    kid         {text} NOT NULL UNIQUE,
    seed        {blob} NOT NULL,            -- Ed25519 private seed
    created_at  {text} NOT NULL
);
