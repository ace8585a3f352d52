package travel

import (
	"fmt"
	"path/filepath"

	"quartier/internal/pack"
	packed "quartier/internal/pack/travel"
	"quartier/schemas"
)

// Count sets the numbers of trips of a release, and of their calls.
func Count(dir string, counts *schemas.ReleaseCounts) error {
	return withTable(dir, func(t *packed.Table) error {
		counts.Trips, counts.TripStops = int64(len(t.Timetable.Trips)), int64(len(t.Timetable.Arrivals))
		return nil
	})
}

// Verify checks the timetables of a release: that all that they refer to is there, that no trip goes back in time, and that they are
// as many as the manifest counts.
func Verify(dir string, counts *schemas.ReleaseCounts) error {
	return withTable(dir, func(t *packed.Table) error {
		trips, stops := int64(len(t.Timetable.Trips)), int64(len(t.Timetable.Arrivals))
		if trips != counts.Trips || stops != counts.TripStops {
			return fmt.Errorf("%s: %d trips with %d stops, the manifest has %d with %d", schemas.TravelPack, trips, stops, counts.Trips, counts.TripStops)
		}
		return nil
	})
}

// withTable opens the timetables of a release for visit.
func withTable(dir string, visit func(*packed.Table) error) error {
	file, err := pack.Open(filepath.Join(dir, schemas.TravelPack))
	if err != nil {
		return err
	}
	defer file.Close()
	t, err := packed.Open(file)
	if err != nil {
		return err
	}
	return visit(t)
}
