-- The statistics of the last 90 days of a component, attached as %[1]s: the rows of one interval in their order.
CREATE TEMP TABLE %[1]s_stat AS
SELECT g.geog_id, t.type, c.ask_median, c.sale_median, c.sale_median_per_sqft, c.dom_median
FROM %[1]s.interval AS i
JOIN %[1]s.market_cell AS c ON c.row BETWEEN i.first_row AND i.first_row + 16 * (SELECT count(*) FROM %[1]s.geography) - 1
JOIN %[1]s.geography AS g ON g.position = (c.row - i.first_row) / 16
JOIN %[1]s.property_type AS t ON t.position = (c.row - i.first_row) %% 16
WHERE i.code = '90d';
