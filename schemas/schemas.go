// Package schemas defines what stages share: the DDL of the staged and derived databases and of the SpatiaLite files of a
// release, the vocabularies with their English and French labels, the answer types and the release manifest. It imports
// no other package of the project.
package schemas

import _ "embed"

// Staged is the DDL of staged.duckdb, which ingest writes and transform reads.
//
//go:embed staged.sql
var Staged string

// Derived is the DDL of derived.duckdb, which transform writes and build reads.
//
//go:embed derived.sql
var Derived string

// Listings is the DDL of market.duckdb, which the intake of listings writes and market statistics are computed from.
//
//go:embed listings.sql
var Listings string
