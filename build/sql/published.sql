-- name: published
-- reads: turn, figure_row, home_value_row
-- writes: published, home_worth
-- Of a table that two regions tell of a geography, and of what homes are worth there, the region named first is heard.
INSERT INTO published
SELECT t.turn, f.cell, f.estimate, f.moe, f.vintage
FROM figure_row AS f
JOIN (
    SELECT source_key, split_part(cell, '.', 1) AS figures, min(region) AS region
    FROM figure_row
    GROUP BY ALL
) AS heard ON heard.source_key = f.source_key AND heard.figures = split_part(f.cell, '.', 1) AND heard.region = f.region
JOIN turn AS t ON t.source_key = f.source_key
ORDER BY t.turn, f.cell;

INSERT INTO home_worth
SELECT t.turn, h.year, h.dollars
FROM home_value_row AS h
JOIN (SELECT source_key, min(region) AS region FROM home_value_row GROUP BY ALL) AS heard USING (source_key, region)
JOIN turn AS t ON t.source_key = h.source_key
ORDER BY t.turn, h.year;
