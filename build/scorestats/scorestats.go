// Package scorestats reads the scores of a release at known places. Input: a release folder. Output: rows of scores; nothing
// is written.
package scorestats

import (
	"fmt"
	"path/filepath"

	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/schemas"
)

// Place is a known place.
type Place struct {
	Name     string
	Lng, Lat float64
}

// Sample is the scores at a place, in the order of schemas.Scores, schemas.AbsentValue if absent; not Found if no street
// is near enough.
type Sample struct {
	Place
	Found  bool
	Scores []uint16
}

// Places reads the scores at places, as the server does.
func Places(dir string, places []Place) ([]Sample, error) {
	file, err := pack.Open(filepath.Join(dir, schemas.AccessPack))
	if err != nil {
		return nil, fmt.Errorf("score statistics: %w", err)
	}
	defer file.Close()
	table, err := access.Open(file)
	if err != nil {
		return nil, fmt.Errorf("score statistics: %w", err)
	}
	var list []Sample
	for _, p := range places {
		read := Sample{Place: p}
		var values [schemas.ChannelCount]uint16
		spot, found := table.Locate(p.Lng, p.Lat)
		if found {
			table.Values(spot, &values)
			read.Found = true
		}
		read.Scores = append(read.Scores, values[schemas.FirstScore:]...)
		list = append(list, read)
	}
	return list, nil
}
