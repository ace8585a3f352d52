-- Searches read the index alone: rows have boundaries, which are long. Folded names have at most 501 characters, so that an
-- entry fits a page of every database.
UPDATE geography_request SET folded_names = substr(folded_names, 1, 501) WHERE length(folded_names) > 501;
CREATE INDEX geography_request_search ON geography_request (customer, updated_at DESC, id, folded_names);
