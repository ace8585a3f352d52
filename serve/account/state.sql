-- State that is not part of a release: clients with their agreements, and the keys that sign tokens.
CREATE TABLE IF NOT EXISTS revision (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    n           INTEGER NOT NULL            -- incremented by every change; servers watch it
);
INSERT OR IGNORE INTO revision (id, n) VALUES (1, 0);

CREATE TABLE IF NOT EXISTS client (
    client_id   TEXT PRIMARY KEY,
    customer    TEXT NOT NULL,
    salt        BLOB NOT NULL,
    secret_hash BLOB NOT NULL,              -- SHA-256(salt, secret)
    agreement   TEXT NOT NULL,              -- JSON
    created_at  TEXT NOT NULL,
    revoked_at  TEXT
);

CREATE TABLE IF NOT EXISTS signing_key (
    n           INTEGER PRIMARY KEY AUTOINCREMENT,
    kid         TEXT NOT NULL UNIQUE,
    seed        BLOB NOT NULL,              -- Ed25519 private seed
    created_at  TEXT NOT NULL
);
