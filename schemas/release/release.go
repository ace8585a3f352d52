// Package release has the row types of a release's SpatiaLite files, which build writes: one type a table, with a field
// for every column. They are generated from the DDL, schemas/bundle; package sqlrow says how rows are written and read by the
// names of their columns. Only street_node has no type: its columns follow from schemas.Channels.
package release
