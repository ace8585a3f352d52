-- The vintages of the small areas in the order of demographics.sqlite, each from the first region that has it.
SELECT vintages
FROM area_vintage_row
QUALIFY row_number() OVER (PARTITION BY source_key ORDER BY region, area) = 1
ORDER BY region, area;
