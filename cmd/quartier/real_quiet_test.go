package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quartier/build/scorestats"
	"quartier/internal/geo"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// TestRealQuiet builds Ottawa as if its road network file knew railways and aerodromes, which it does not: a street of bars is
// not quieter than the main road of a village.
func TestRealQuiet(t *testing.T) {
	t.Parallel()
	data := testenv.NeedData(t, "")
	file, err := os.ReadFile("../../regions/ca-ottawa.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	region := strings.Replace(string(file), "    kind: roads\n", "    kind: roads\n    complete: [railway, aerodrome]\n", 1)
	// And as if it had Gatineau, whose aerodromes would be heard in the market.
	const extent = "ottawa_rnf_roads_2021.geojson\n    extent: "
	region = strings.Replace(region, extent+`{boundary: "statcan:csd:3506008"}`, extent+"{box: [-76.5, 44.8, -75.1, 45.8]}", 1)
	for name, text := range map[string]string{"ottawa.yaml": region, "release.yaml": "release: quiet\nregions: [ottawa.yaml]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	release := filepath.Join(dir, "out")
	mustRun(t, "build", "--release", filepath.Join(dir, "release.yaml"), "--data", data, "--out", release)
	reads, err := scorestats.Places(release, []scorestats.Place{
		{Name: "By Ward Market", Lng: -75.6925, Lat: 45.4275}, {Name: "Perth Street, Richmond", Lng: -75.8372, Lat: 45.1948},
		{Name: "Carp Road, Carp", Lng: -76.0390, Lat: 45.3480}, {Name: "Osgoode Main Street", Lng: -75.6020, Lat: 45.1480},
	})
	if err != nil {
		t.Fatal(err)
	}
	channel, _ := schemas.ChannelOf("quiet")
	at := func(i int) float64 {
		v := reads[i].Scores[channel-schemas.FirstScore]
		if !reads[i].Found || v == schemas.AbsentValue {
			return math.NaN()
		}
		return float64(v) / schemas.UnitValue
	}
	for i := range reads {
		t.Logf("quiet is %.2f at %s", at(i), reads[i].Name)
		if i > 0 && !(at(0) < at(i)) {
			t.Errorf("quiet is %.2f at %s and %.2f at %s", at(0), reads[0].Name, at(i), reads[i].Name)
		}
	}
	checkCountry(t, release)
}

// checkCountry checks that Ottawa's country is quiet at 5 % of its homes at least, and loud beside its roads: at the cells
// of under 150 people per km² that have a street, weighted by households.
func checkCountry(t *testing.T, release string) {
	t.Helper()
	var cells []scorestats.Place
	var households []float64
	for _, row := range rows(t, filepath.Join(release, schemas.AccessFile),
		`SELECT geohash, households_km2 FROM typology WHERE population_km2 < 150 AND households_km2 > 0`) {
		bound, err := geo.GeohashCell(row[0])
		if err != nil {
			t.Fatal(err)
		}
		weight, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		cells = append(cells, scorestats.Place{Name: row[0], Lng: bound.Center().Lon(), Lat: bound.Center().Lat()})
		households = append(households, weight)
	}
	reads, err := scorestats.Places(release, cells)
	if err != nil {
		t.Fatal(err)
	}
	channel, _ := schemas.ChannelOf("quiet")
	var all, quiet, loud float64
	for i, r := range reads {
		v := r.Scores[channel-schemas.FirstScore]
		if !r.Found || v == schemas.AbsentValue {
			continue
		}
		all += households[i]
		if value := float64(v) / schemas.UnitValue; value >= 4 {
			quiet += households[i]
		} else if value < 1.5 {
			loud += households[i]
		}
	}
	t.Logf("homes of Ottawa's country: quiet is 4.0 or more at %.0f %%, under 1.5 at %.0f %%", 100*quiet/all, 100*loud/all)
	if quiet < 0.05*all || loud < 0.02*all {
		t.Errorf("quiet %.3f, loud %.3f of %.0f households", quiet/all, loud/all, all)
	}
}
