// Package bundle has the DDL of the SpatiaLite files of a release, and their geometry columns.
package bundle

import (
	_ "embed"
	"strings"

	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/schemas/place"
)

//go:embed pois.sql
var pois string

// POIs is the DDL of pois.sqlite without SpatiaLite's own tables.
var POIs = place.DDL(pois)

// Geographies is the DDL of geographies.sqlite without SpatiaLite's own tables.
//
//go:embed geographies.sql
var Geographies string

// Schools is the DDL of schools.sqlite without SpatiaLite's own tables.
//
//go:embed schools.sql
var Schools string

// Access is the DDL of access.sqlite without SpatiaLite's own tables and without street_node, whose columns follow
// from the channels; see StreetNodeDDL.
//
//go:embed access.sql
var Access string

// Demographics is the DDL of demographics.sqlite without SpatiaLite's own tables.
//
//go:embed demographics.sql
var Demographics string

// Profiles is the DDL of profiles.sqlite without SpatiaLite's own tables.
//
//go:embed profiles.sql
var Profiles string

// StreetNodeDDL is the DDL of the nodes of the walking network and of the view that shows their values as decimals.
func StreetNodeDDL() string {
	var table, view strings.Builder
	table.WriteString("CREATE TABLE street_node (\n\tfid INTEGER PRIMARY KEY, -- 1, 2, 3 … along the curve of each region; not stable " +
		"between releases\n\tregion TEXT NOT NULL")
	view.WriteString("CREATE VIEW street_node_values AS SELECT fid, region")
	for c := range schemas.Channel(schemas.ChannelCount) {
		table.WriteString(",\n\t" + schemas.ChannelName(c) + " INTEGER")
		view.WriteString(",\n\t" + schemas.ChannelName(c) + " / 10000.0 AS " + schemas.ChannelName(c))
	}
	table.WriteString(",\n\tgeometry POINT NOT NULL\n);\n")
	view.WriteString(",\n\tgeometry\nFROM street_node;\n")
	return table.String() + view.String()
}

// Travel is the DDL of travel.sqlite without SpatiaLite's own tables.
//
//go:embed travel.sql
var Travel string

// Market is the DDL of what market.sqlite has alone; files of years do not have it.
//
//go:embed market.sql
var Market string

// MarketRows is the DDL of what the rows of market_cell are about, whose columns follow from the metrics; see
// MarketCellDDL.
//
//go:embed market_rows.sql
var MarketRows string

// Private is the DDL of private.sqlite without SpatiaLite's own tables.
//
//go:embed private.sql
var Private string

// Provenance is the DDL of the tables that all of these files carry: the release, its sources, their issues.
//
//go:embed provenance.sql
var Provenance string

// GeometryColumn is a column of a released SpatiaLite file that holds geometry, EPSG:4326, x and y.
type GeometryColumn struct {
	Table, Type string
	Indexed     bool // has an R*Tree
}

// The geometry columns of the released files; each is named "geometry".
var (
	GeographyColumns = []GeometryColumn{
		{"geography", "MULTIPOLYGON", true},
		{"geography_superseded", "MULTIPOLYGON", false},
		{"coverage", "MULTIPOLYGON", true},
	}
	PrivateColumns = []GeometryColumn{{"custom_geography", "MULTIPOLYGON", true}}
	POIColumns     = []GeometryColumn{{"poi", "POINT", true}, {"known_ground", "MULTIPOLYGON", true}}
	SchoolColumns  = []GeometryColumn{{"school", "POINT", true}, {"school_catchment", "MULTIPOLYGON", true}}
	AccessColumns  = []GeometryColumn{
		{"street_node", "POINT", false},
		{"street_edge", "LINESTRING", true},
		{"barrier", "LINESTRING", false},
		{"destination", "POINT", true},
		{"lent_edge", "LINESTRING", true},
		{"lent_destination", "POINT", true},
		{"home", "POINT", false},
	}
	TravelColumns = []GeometryColumn{
		{"job_place", "POINT", true},
		{"travel_ground", "MULTIPOLYGON", false},
		{"travel_cell", "POINT", true},
	}
	ProfileColumns      = []GeometryColumn{{"landmark", "GEOMETRY", true}}
	DemographicsColumns = []GeometryColumn{{"small_area_part", "MULTIPOLYGON", true}, {"ground", "MULTIPOLYGON", true}}
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
