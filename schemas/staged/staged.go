// Package staged has the row types of staged.duckdb, which ingest writes and transform reads: one type a table, with a
// field for every column. They are generated from schemas/staged.sql and schemas/listings.sql; package sqlrow says how rows
// are written and read by the names of their columns.
package staged

// Bases of extents.
const (
	ExtentDeclared = "declared"
	ExtentBoundary = "boundary"
	ExtentHeader   = "header"
)

// RouteRefKey begins the key of a line that stops of a map list (route_ref) and no source has otherwise.
const RouteRefKey = "osm:route_ref:"
