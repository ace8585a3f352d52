package schemas

import (
	"strings"

	"quartier/schemas/market"
)

// MarketCellDDL is the DDL of the statistics: a row of market_cell for each geography, type of property and interval with
// anything to count, in which a metric that cannot be had is NULL, and the view market_stat that names all three.
func MarketCellDDL() string {
	var columns, names []string
	for m := range market.MetricCount {
		kind := " INTEGER"
		switch {
		case m == market.Assessment:
			kind = " TEXT"
		case m.Decimals() > 0:
			kind = " REAL"
		}
		columns, names = append(columns, m.String()+kind), append(names, m.String())
	}
	return `CREATE TABLE market_cell (
	row INTEGER PRIMARY KEY, -- interval.first_row + 16 × geography.position + property_type.position
	` + strings.Join(columns, ",\n\t") + `
);

-- For a scan of one interval read its rows of market_cell: the view looks up each.
CREATE VIEW market_stat AS SELECT geog_id, type, code, ` + strings.Join(names, ", ") + `
	FROM geography CROSS JOIN property_type CROSS JOIN interval CROSS JOIN market_cell
	WHERE row = first_row + 16 * geography.position + property_type.position;
`
}
