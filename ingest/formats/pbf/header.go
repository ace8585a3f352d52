package pbf

import (
	"fmt"
	"strings"
	"time"

	"github.com/paulmach/orb"
)

// Header is the header of a file.
type Header struct {
	Bound    *orb.Bound // nil: none
	Required []string   // features that a reader must support
	Optional []string   // e.g. "Sort.Type_then_ID", "LocationsOnWays"
	Program  string     // that wrote the file
	Source   string
	Time     time.Time // replication timestamp of the data; zero: none
}

// supported are the required features that this reader supports. HistoricalInformation is not: a file with several
// versions of an element does not describe one day.
var supported = map[string]bool{"OsmSchema-V0.6": true, "DenseNodes": true}

func parseHeader(data []byte) (Header, error) {
	var h Header
	fs := fields{rest: data}
	for fs.next() {
		switch fs.number {
		case 1:
			bound, err := parseBound(fs.data)
			if err != nil {
				return h, err
			}
			h.Bound = bound
		case 4:
			h.Required = append(h.Required, string(fs.data))
		case 5:
			h.Optional = append(h.Optional, string(fs.data))
		case 16:
			h.Program = string(fs.data)
		case 17:
			h.Source = string(fs.data)
		case 32:
			h.Time = time.Unix(int64(fs.value), 0).UTC()
		}
	}
	if fs.err != nil {
		return h, fs.err
	}
	for _, feature := range h.Required {
		if !supported[feature] {
			return h, fmt.Errorf("the file requires the feature %q, which is not supported", strings.ToValidUTF8(feature, "?"))
		}
	}
	return h, nil
}

func parseBound(data []byte) (*orb.Bound, error) {
	var b orb.Bound
	fs := fields{rest: data}
	for fs.next() {
		degrees := float64(unzigzag(fs.value)) / 1e9
		switch fs.number {
		case 1:
			b.Min[0] = degrees
		case 2:
			b.Max[0] = degrees
		case 3:
			b.Max[1] = degrees
		case 4:
			b.Min[1] = degrees
		}
	}
	return &b, fs.err
}
