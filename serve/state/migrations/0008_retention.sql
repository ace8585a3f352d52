-- Requests that were removed before they were published, of which the last ones of a customer are kept, and what refers to a
-- request that is deleted.
CREATE INDEX geography_request_withdrawn ON geography_request (customer, updated_at DESC, id) WHERE status = 'DEPRECATED' AND geog_id = '';
CREATE INDEX general_update_request_of ON general_update_request (request_id, version);
CREATE INDEX idempotency_key_of ON idempotency_key (request_id);
CREATE INDEX request_event_of ON request_event (request_id);
CREATE INDEX publication_event_of ON publication_event (request_id);
