package osm

import (
	"time"

	"quartier/ingest/formats/pbf"
)

// Timestamp is the moment that an extract was true at, as its header tells; zero where it does not. Only PBF files
// have such a header.
func Timestamp(path string) (time.Time, error) {
	file, err := Open(path)
	if err != nil {
		return time.Time{}, err
	}
	defer file.Close()
	if packed, ok := file.(*pbf.File); ok {
		return packed.Header.Time, nil
	}
	return time.Time{}, nil
}
