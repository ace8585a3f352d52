-- name: published
-- reads: estimate_order, figure_row, home_value_row
-- writes: published_figure, published_home_value
-- If several regions have a table for a geography, or its home values, those of the first region are taken.
INSERT INTO published_figure BY NAME
SELECT t.place, f.cell, f.estimate, f.moe, f.vintage
FROM figure_row AS f
JOIN (
    SELECT source_key, split_part(cell, '.', 1) AS figures, min(region) AS region
    FROM figure_row
    GROUP BY ALL
) AS first_region ON first_region.source_key = f.source_key AND first_region.figures = split_part(f.cell, '.', 1)
    AND first_region.region = f.region
JOIN estimate_order AS t ON t.source_key = f.source_key
ORDER BY t.place, f.cell;

INSERT INTO published_home_value BY NAME
SELECT t.place, h.year, h.dollars
FROM home_value_row AS h
JOIN (SELECT source_key, min(region) AS region FROM home_value_row GROUP BY ALL) AS first_region USING (source_key, region)
JOIN estimate_order AS t ON t.source_key = h.source_key
ORDER BY t.place, h.year;
