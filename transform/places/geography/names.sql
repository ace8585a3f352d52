-- Staged further names, in the order in which they were staged.
SELECT *
FROM further_name
ORDER BY source_id, source_key, rowid
