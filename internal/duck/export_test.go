package duck

// What tests see of this package, which import the driver and are therefore outside of it.
const (
	FlushRows  = flushRows
	FlushBytes = flushBytes
)

var Explain = explain
