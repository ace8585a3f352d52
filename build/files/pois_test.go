package files

import (
	"testing"

	"quartier/build/assembly"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas/bundle"
	"quartier/schemas/derived"
	"quartier/schemas/place"
)

// Derived details are columns of pois.sqlite; missing ones are NULL.
func TestDetailsOfPOIs(t *testing.T) {
	spatialitetest.Need(t)
	f, err := (&Release{Dir: t.TempDir()}).create("pois.sqlite", bundle.POIs)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tables, err := newPOITables(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	p := &assembly.POI{FID: 1, Region: "r", POI: derived.POI{
		Key: "osm:node:1", Name: "Café", Categories: "cafes",
		Details: derived.Details{CountryCode: "CA", Attributes: place.Attributes{OpeningHours: "Mo-Fr 08:00-18:00"}},
	}}
	if err := tables.add(p); err != nil {
		t.Fatal(err)
	}
	var hours string
	err = f.tx.QueryRow("SELECT opening_hours FROM poi WHERE poi_key = 'osm:node:1' AND phone IS NULL AND wheelchair IS NULL").Scan(&hours)
	if err != nil || hours != "Mo-Fr 08:00-18:00" {
		t.Errorf("opening hours %q, %v", hours, err)
	}
}
