-- The statistics of the last 90 days of each geography and type of property that both components have.
WITH older_stat AS MATERIALIZED (SELECT geog_id, type, ask_median, sale_median, sale_median_per_sqft, dom_median FROM older.market_stat WHERE code = '90d')
SELECT o.ask_median, n.ask_median, o.sale_median, n.sale_median, o.sale_median_per_sqft, n.sale_median_per_sqft, o.dom_median, n.dom_median
FROM newer.market_stat AS n JOIN older_stat AS o USING (geog_id, type)
WHERE n.code = '90d';
