// Package schemas defines what stages share: the DDL of the staged and derived databases (package bundle has that of the SpatiaLite
// files of a release), the vocabularies with their English and French labels, the answer types and the release manifest. It imports
// no other package of the project but those below it.
package schemas

import (
	_ "embed"

	"quartier/schemas/place"
)

//go:generate go run ./generate

// The DDL of files with attributes of places, without these.
var (
	//go:embed staged.sql
	staged string
	//go:embed derived.sql
	derived string
)

var (
	// Staged is the DDL of staged.duckdb, which ingest writes and transform reads.
	Staged = place.DDL(staged)
	// Derived is the DDL of derived.duckdb, which transform writes and build reads.
	Derived = place.DDL(derived)
)

// Listings is the DDL of market.duckdb, which the intake of listings writes and market statistics are computed from.
//
//go:embed listings.sql
var Listings string
