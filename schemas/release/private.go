package release

// What a boundary version of a custom geography is.
const (
	CurrentStatus    = "current"
	DeprecatedStatus = "deprecated" // the last one of a geography that answers by its id and is found no more
	SupersededStatus = "superseded" // one before the last
)
