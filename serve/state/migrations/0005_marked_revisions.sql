-- A random text for each revision. A store that was restored from a backup has another one for the same number, sooner or later:
-- servers compare both.
ALTER TABLE revision ADD COLUMN mark {text} NOT NULL DEFAULT '';
