package schemas

import (
	"strings"

	"quartier/schemas/market"
)

// MarketStatDDL is the DDL of the statistics: a row for each geography, type of property and interval with anything to
// count. A metric that cannot be had is NULL. Rows are in the order of the pack.
func MarketStatDDL() string {
	var table strings.Builder
	table.WriteString("CREATE TABLE market_stat (\n\trow INTEGER PRIMARY KEY, -- 1, 2, 3 … by geography.position, type and interval.position\n" +
		"\tgeog_id TEXT NOT NULL,\n\ttype TEXT NOT NULL, -- of property; code is of the interval\n\tcode TEXT NOT NULL")
	for m := range market.MetricCount {
		kind := " INTEGER"
		switch {
		case m == market.Assessment:
			kind = " TEXT"
		case m.Decimals() > 0:
			kind = " REAL"
		}
		table.WriteString(",\n\t" + m.String() + kind)
	}
	table.WriteString("\n);\n")
	return table.String()
}
