package schemas

import _ "embed"

// BundleGeographies is the DDL of geographies.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/geographies.sql
var BundleGeographies string

// BundlePOIs is the DDL of pois.sqlite without SpatiaLite's own tables.
//
//go:embed bundle/pois.sql
var BundlePOIs string

// BundleProvenance is the DDL of the tables that both files carry: the release, its sources, their issues.
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
	POIColumns = []GeometryColumn{{"poi", "POINT", true}}
)
