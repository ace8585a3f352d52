-- The outlines of the areas with jobs: a block or zone is its own outline; a block group, tract or dissemination area whose
-- blocks are known is theirs. Of an outline that several sources have, the first counts.
WITH wanted AS (SELECT DISTINCT source_key AS area FROM job WHERE lng IS NULL),
inside AS (
    SELECT source_key AS area, source_key AS place, geom, source_id, 1 AS rank FROM block
    UNION ALL
    SELECT area_key, source_key, geom, source_id, 2 FROM block WHERE area_key IS NOT NULL
    UNION ALL -- 'census:bg:' and the eleven digits of the tract
    SELECT 'census:tract:' || substr(area_key, 11, 11), source_key, geom, source_id, 2 FROM block WHERE area_key LIKE 'census:bg:%'
    UNION ALL
    SELECT source_key, source_key, geom, source_id, 3 FROM zone
)
SELECT area, place, geom FROM inside JOIN wanted USING (area) JOIN source USING (source_id)
QUALIFY rank = min(rank) OVER (PARTITION BY area) AND row_number() OVER (PARTITION BY area, place ORDER BY rank, priority) = 1
ORDER BY area, place
