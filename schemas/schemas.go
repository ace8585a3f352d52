// Package schemas defines what stages share: the DDL of the staged and derived databases and of the SpatiaLite files of a
// release, the vocabularies with their English and French labels, the answer types and the release manifest. It imports
// no other package of the project.
package schemas

import (
	_ "embed"
	"strings"

	"quartier/schemas/market"
	"quartier/schemas/place"
)

//go:generate go run ./generate

// The DDL of files with attributes of places, without these.
var (
	//go:embed staged.sql
	staged string
	//go:embed derived.sql
	derived string
	//go:embed bundle/pois.sql
	bundlePOIs string
)

var (
	// Staged is the DDL of staged.duckdb, which ingest writes and transform reads.
	Staged = place.DDL(staged)
	// Derived is the DDL of derived.duckdb, which transform writes and build reads.
	Derived = place.DDL(derived)
	// BundlePOIs is the DDL of pois.sqlite without SpatiaLite's own tables.
	BundlePOIs = place.DDL(bundlePOIs)
)

// Listings is the DDL of market.duckdb, which the intake of listings writes and market statistics are computed from.
//
//go:embed listings.sql
var Listings string

// BundleGeographies is the DDL of geographies.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/geographies.sql
var BundleGeographies string

// BundleSchools is the DDL of schools.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/schools.sql
var BundleSchools string

// BundleAccess is the DDL of access.sqlite without SpatiaLite's own tables and without street_node, whose columns follow
// from the channels; see StreetNodeDDL.
//
//go:embed bundle/access.sql
var BundleAccess string

// BundleDemographics is the DDL of demographics.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/demographics.sql
var BundleDemographics string

// BundleProfiles is the DDL of profiles.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/profiles.sql
var BundleProfiles string

// StreetNodeDDL is the DDL of the nodes of the walking network and of the view that shows their values as decimals.
func StreetNodeDDL() string {
	var table, view strings.Builder
	table.WriteString("CREATE TABLE street_node (\n\tfid INTEGER PRIMARY KEY, -- 1, 2, 3 … along the curve of each region; not stable " +
		"between releases\n\tregion TEXT NOT NULL")
	view.WriteString("CREATE VIEW street_node_values AS SELECT fid, region")
	for c := range Channel(ChannelCount) {
		table.WriteString(",\n\t" + ChannelName(c) + " INTEGER")
		view.WriteString(",\n\t" + ChannelName(c) + " / 10000.0 AS " + ChannelName(c))
	}
	table.WriteString(",\n\tgeometry POINT NOT NULL\n);\n")
	view.WriteString(",\n\tgeometry\nFROM street_node;\n")
	return table.String() + view.String()
}

// BundleTravel is the DDL of travel.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/travel.sql
var BundleTravel string

// BundleMarket is the DDL of what market.sqlite has alone; files of years do not have it.
//
//go:embed bundle/market.sql
var BundleMarket string

// BundleMarketRows is the DDL of what the rows of market_cell are about, whose columns follow from the metrics; see
// MarketCellDDL.
//
//go:embed bundle/market_rows.sql
var BundleMarketRows string

// BundlePrivate is the DDL of private.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/private.sql
var BundlePrivate string

// BundleProvenance is the DDL of the tables that all of these files carry: the release, its sources, their issues.
//
//go:embed bundle/provenance.sql
var BundleProvenance string

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
	TravelColumns       = []GeometryColumn{{"job_place", "POINT", true}, {"travel_ground", "MULTIPOLYGON", false}, {"travel_cell", "POINT", true}}
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
