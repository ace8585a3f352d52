// Package release has the row types of a release's SpatiaLite files, which build writes: one type a table, with a field
// for every column. What a column holds is said in the DDL, schemas/bundle; how rows are written and read by the names of
// their columns, in package sqlrow. Only street_node has no type: its columns follow from schemas.Channels.
package release

// Release is a row of release.
type Release struct {
	Name        string `col:"name"`
	AsOf        string `col:"as_of"`
	ToolVersion string `col:"tool_version"`
	Previous    string `col:"previous,null"`
}

// Source is a row of source.
type Source struct {
	Region      string `col:"region"`
	SourceID    string `col:"source_id"`
	Priority    int32  `col:"priority"`
	Kind        string `col:"kind"`
	Path        string `col:"path"`
	SHA256      string `col:"sha256"`
	Bytes       int64  `col:"bytes"`
	AsOf        string `col:"as_of"`
	Licence     string `col:"licence"`
	Attribution string `col:"attribution"`
	URL         string `col:"url,null"`
	RowsRead    int64  `col:"rows_read"`
	RowsStaged  int64  `col:"rows_staged"`
}

// Issue is a row of issue.
type Issue struct {
	Region      string `col:"region"`
	Step        string `col:"step"`
	SourceID    string `col:"source_id"`
	Severity    string `col:"severity"`
	Code        string `col:"code"`
	Detail      string `col:"detail"`
	Description string `col:"description"`
	Rows        int64  `col:"rows"`
	Example     string `col:"example"`
}
