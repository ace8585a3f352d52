// Package derived has the row types of derived.duckdb, which transform writes and build reads: one type a table, with a
// field for every column. They are generated from schemas/derived.sql; package sqlrow says how rows are written and read by
// the names of their columns.
package derived
