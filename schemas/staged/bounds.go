package staged

// Bounds are boxes around what a staged region may lend: what is farther away than another region looks need not be opened.
// They lie in a file of their own beside the database, as JSON.
type Bounds struct {
	Coverage []Box `json:"coverage"` // of each row of coverage, sorted, none twice
	Jobs     []Box `json:"jobs"`     // around all places with jobs; none without jobs
}

// Box is [west, south, east, north] in degrees.
type Box [4]float64
