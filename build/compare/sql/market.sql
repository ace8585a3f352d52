-- The statistics of each geography and type of property that both components have.
SELECT o.ask_median, n.ask_median, o.sale_median, n.sale_median, o.sale_median_per_sqft, n.sale_median_per_sqft, o.dom_median, n.dom_median
FROM newer_stat AS n JOIN older_stat AS o USING (geog_id, type);
