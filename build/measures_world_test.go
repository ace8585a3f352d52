package build

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/build/verify"
	"quartier/internal/coord"
	"quartier/internal/duck"
	"quartier/internal/pack"
	"quartier/internal/pack/reach"
	"quartier/schemas"
	"quartier/schemas/derived"
)

// withJobs adds places with thousandths of a job to a region, by source.
func withJobs(r testRegion, places ...derived.JobPlace) testRegion {
	r.schools = func(t testing.TB, db *duck.DB) {
		for i := range places {
			places[i].JobPlace, places[i].SourceKey = int32(i), "census:block:"+places[i].PlaceKey
		}
		must(t, duck.Write(t.Context(), db, "job_place", slices.Values(places)))
	}
	return r
}

// openReach opens reach.pack of a release.
func openReach(t *testing.T, o Options) *reach.Table {
	t.Helper()
	f, err := pack.Open(filepath.Join(o.Out, schemas.ReachPack))
	must(t, err)
	t.Cleanup(func() { f.Close() })
	table, err := reach.Open(f)
	must(t, err)
	return table
}

// TestJobsOfTwoRegions: a release has each job once, at places and at nodes.
func TestJobsOfTwoRegions(t *testing.T) {
	job := func(source, place string, lng, lat float64, jobs int64) derived.JobPlace {
		return derived.JobPlace{SourceID: source, PlaceKey: place, Lng: lng, Lat: lat, Jobs: jobs}
	}
	north := withJobs(northBank(), job("osm", "1", -75.56, 39.151, 7_001), job("osm", "2", -75.45, 39.152, 2_000),
		job("osm", "far", -70, 39, 1_500), job("us-south/osm", "3", -75.56, 39.1499, 4_000))
	south := withJobs(southBank(), job("osm", "3", -75.56, 39.1499, 4_000), job("osm", "2", -75.45, 39.152, 2_000))
	m, o := built(t, "", north, south)
	_, err := verify.Release(t.Context(), o.Out, "")
	must(t, err)
	const query = "SELECT fid || ' ' || region || ' ' || place_key || ' ' || jobs || ' ' || (node IS NOT NULL) FROM job_place ORDER BY fid"
	want := []string{"1 us-delaware 1 7001 1", "2 us-delaware 2 2000 1", "3 us-delaware far 1500 0", "4 us-south 3 4000 1"}
	if got := rows(t, o, schemas.TravelFile, query); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, "1 jobs are farther than 10 km from all streets") {
		t.Errorf("notes:\n%s", notes)
	}
	table, sum := openReach(t, o), uint64(0)
	for _, jobs := range table.Jobs() {
		sum += jobs
	}
	if sum != 7_001+2_000+4_000 {
		t.Errorf("%d thousandths of a job at nodes", sum)
	}
	if at, _ := coord.NewPoint(-75, 39.1375); !table.KnowsJobs(at) {
		t.Error("jobs are not known among them")
	}
}

func TestReleaseWithoutJobs(t *testing.T) {
	_, o := built(t, "", northBank())
	_, err := verify.Release(t.Context(), o.Out, "")
	must(t, err)
	table := openReach(t, o)
	if at, _ := coord.NewPoint(-75.5, 39.15); len(table.Jobs()) != 0 || table.KnowsJobs(at) {
		t.Error("a release without sources of jobs has jobs, or knows that there are none")
	}
}

func TestVerifyFindsWrongTravel(t *testing.T) {
	job := derived.JobPlace{SourceID: "osm", PlaceKey: "1", Lng: -75.56, Lat: 39.151, Jobs: 7_000}
	_, o := built(t, "", withJobs(withHomes(homesOfDover), job))
	for _, tt := range []struct{ name, statement, want string }{
		{"no jobs", "UPDATE job_place SET jobs = 0", "places have jobs"},
		{"other jobs", "UPDATE job_place SET jobs = 1", "reach.pack is not what"},
		{"an unknown source", "UPDATE job_place SET source_id = 'x'", "places have jobs"},
		{"a cell of another node", "UPDATE travel_cell SET node = node + 9", "cells have their own nodes"},
		{"a node in no cell", "UPDATE travel_node SET cell = 99", "cells have their own nodes"},
		{"an unknown geography", "INSERT INTO geography_travel VALUES ('g10_unknown', 'jobs_within_30_min_car', 1, 'households', 1)",
			"travel measures of geography g10_unknown"},
		{"a measure where nothing is known", "INSERT INTO travel_measure VALUES (1, 'jobs_within_30_min_car', 1)",
			"measures are known of ground"},
		{"an unknown measure", "INSERT INTO travel_measure VALUES (1, 'jobs_x', 1)", "not so for jobs_x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := copyRelease(t, o.Out)
			alter(t, filepath.Join(dir, schemas.TravelFile), tt.statement)
			updateManifest(t, dir)
			if _, err := verify.Release(t.Context(), dir, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
