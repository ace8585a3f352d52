package schemas

import (
	_ "embed"
	"strings"
)

// BundleGeographies is the DDL of geographies.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/geographies.sql
var BundleGeographies string

// BundlePOIs is the DDL of pois.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/pois.sql
var BundlePOIs string

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
	table.WriteString("CREATE TABLE street_node (\n\tfid INTEGER PRIMARY KEY, -- 1, 2, 3 … along the curve of each region; not stable between releases\n\tregion TEXT NOT NULL")
	view.WriteString("CREATE VIEW street_node_values AS SELECT fid, region")
	for c := range Channel(ChannelCount) {
		table.WriteString(",\n\t" + ChannelName(c) + " INTEGER")
		view.WriteString(",\n\t" + ChannelName(c) + " / 10000.0 AS " + ChannelName(c))
	}
	table.WriteString(",\n\tgeometry POINT NOT NULL\n);\n")
	view.WriteString(",\n\tgeometry\nFROM street_node;\n")
	return table.String() + view.String()
}

// BundleMarket is the DDL of market.sqlite without market_cell, whose columns follow from the metrics; see MarketCellDDL.
//
//go:embed bundle/market.sql
var BundleMarket string

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
	POIColumns     = []GeometryColumn{{"poi", "POINT", true}}
	SchoolColumns  = []GeometryColumn{{"school", "POINT", true}, {"school_catchment", "MULTIPOLYGON", true}}
	AccessColumns  = []GeometryColumn{
		{"street_node", "POINT", false},
		{"street_edge", "LINESTRING", true},
		{"barrier", "LINESTRING", false},
		{"destination", "POINT", true},
	}
	ProfileColumns      = []GeometryColumn{{"landmark", "GEOMETRY", true}}
	DemographicsColumns = []GeometryColumn{{"small_area_part", "MULTIPOLYGON", true}, {"ground", "MULTIPOLYGON", true}}
)
