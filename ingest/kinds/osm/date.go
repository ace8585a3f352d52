package osm

import (
	"time"

	"quartier/ingest/formats/pbf"
	"quartier/ingest/source"
)

// Timestamp returns the time of the data in the header of an extract; zero if there is none. Only PBF files have one.
func Timestamp(path string) (time.Time, error) {
	file, err := Open(path, source.Limits{})
	if err != nil {
		return time.Time{}, err
	}
	defer file.Close()
	if packed, ok := file.(*pbf.File); ok {
		return packed.Header.Time, nil
	}
	return time.Time{}, nil
}
