// Package schemas holds what crosses a boundary between stages: the DDL of the staged and derived databases and of
// the released SpatiaLite files, the vocabularies with their English and French labels, and the release manifest.
// It imports no other folder of the project, so that every stage can share it without knowing another stage.
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
