// Package release has the row types of a release's SpatiaLite files, which build writes: one type a table, with a field
// for every column. What a column holds is said in the DDL, schemas/bundle; how rows are written and read by the names of
// their columns, in package sqlrow. Only street_node has no type: its columns follow from schemas.Channels.
package release

import "quartier/schemas/staged"

// Release is a row of release.
type Release struct {
	Name        string `col:"name"`
	AsOf        string `col:"as_of"`
	ToolVersion string `col:"tool_version"`
	Previous    string `col:"previous,null"`
}

// Source is a row of source.
type Source struct {
	Region string `col:"region"`
	staged.Source
}

// Issue is a row of issue.
type Issue struct {
	Region string `col:"region"`
	Step   string `col:"step"`
	staged.Issue
}
