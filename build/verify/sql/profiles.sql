-- Facts about profiles.sqlite. Each query selects the exceptions from its fact; no rows means that it holds.

-- fact: places are of levels with profiles, in Canada or the United States, and have a name
SELECT geog_id FROM profile_place
WHERE level NOT IN (10, 20, 30, 32, 35, 37, 38) OR CAST(substr(geog_id, 2, 2) AS INTEGER) <> level OR country_code NOT IN ('CA', 'US') OR name_en = '';

-- fact: every place has facts
SELECT p.geog_id FROM profile_place AS p WHERE NOT EXISTS (SELECT 1 FROM profile_fact AS f WHERE f.geog_id = p.geog_id);

-- fact: scores and shares are inside of their intervals, and ranks from 0 to 1
SELECT geog_id || ' ' || ordinal FROM profile_fact
WHERE NOT rank BETWEEN 0 AND 1 OR (low IS NULL) <> (high IS NULL)
    OR code IN ('score', 'dwelling', 'tenure', 'period', 'bedrooms') AND NOT value BETWEEN coalesce(low, value) AND coalesce(high, value);

-- fact: every fact has a source
SELECT geog_id || ' ' || ordinal FROM profile_fact WHERE source = '';

-- fact: texts are in the languages of the country
SELECT t.geog_id || ' ' || t.locale FROM (SELECT DISTINCT geog_id, locale FROM profile_text) AS t
LEFT JOIN profile_place AS p USING (geog_id)
WHERE p.geog_id IS NULL OR t.locale <> 'en' AND (t.locale <> 'fr' OR p.country_code <> 'CA');

-- fact: sentences have a pattern, and text without blanks around it
SELECT geog_id || ' ' || locale || ' ' || ordinal FROM profile_text WHERE text = '' OR trim(text) <> text OR pattern = '';
