-- Keys of accounts that stand in web pages, and those with which back ends sign addresses of pictures.
CREATE TABLE access_key (
    key_id      {text} PRIMARY KEY,
    kind        {text} NOT NULL CHECK (kind IN ('publishable', 'signing')),
    client_id   {text} NOT NULL REFERENCES client (client_id),
    verifier    {blob} NOT NULL,            -- SHA-256 of a publishable key; the secret of a signing key, which HMAC needs as it is
    terms       {text} NOT NULL,            -- JSON: origins, scores, regions, rate
    created_at  {text} NOT NULL,
    revoked_at  {text}
);
