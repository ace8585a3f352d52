package osm

import (
	"strings"
	"time"

	"quartier/ingest/osm/pbf"
)

// Timestamp is the moment that an extract was true at, as its header tells; zero where it does not. Only PBF files
// have such a header.
func Timestamp(path string) (time.Time, error) {
	if !strings.HasSuffix(path, ".pbf") {
		return time.Time{}, nil
	}
	file, err := pbf.Open(path)
	if err != nil {
		return time.Time{}, err
	}
	defer file.Close()
	return file.Header.Time, nil
}
