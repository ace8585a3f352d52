package jobs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/regiontest"
)

func block(t *testing.T, r *regiontest.Region, source, key, area string, x float64) {
	regiontest.Stage(r, "block", staged.Block{SourceID: source, SourceKey: key, AreaKey: area,
		Geom: regiontest.WKB(t, regiontest.Square(x, 0, x+100, 100))})
}

func zone(t *testing.T, r *regiontest.Region, key string, x float64) {
	regiontest.Stage(r, "zone", staged.Zone{SourceID: "osm", SourceKey: key, Geom: regiontest.WKB(t, regiontest.Square(x, 0, x+100, 100))})
}

// lines are places as "source key place metres-east jobs sectors".
func lines(places []derived.JobPlace) (list []string) {
	for _, p := range places {
		x, _ := geo.NewPlane(regiontest.Home).XY(orb.Point{p.Lng, p.Lat})
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s %.0f %d %s", p.SourceID, p.SourceKey, p.PlaceKey, x, p.Jobs, p.Sectors)))
	}
	return list
}

func town(t *testing.T) *regiontest.Region {
	t.Helper()
	r := regiontest.New(t)
	r.Source("lodes", 1, "jobs", "2023-04-01")
	r.Source("city", 2, "jobs", "2023-04-01")
	const group = "census:bg:110010001011"
	block(t, r, "osm", "census:block:110010001011000", group, 0)
	block(t, r, "osm", "census:block:110010001011001", group, 200)
	block(t, r, "osm", "census:block:110010001011002", group, 400)
	block(t, r, "lodes", "census:block:110010001011002", group, 9000) // of a source after the first
	zone(t, r, "statcan:da:24470123", 600)
	zone(t, r, group, 5000) // whose blocks are known
	add := func(source, key string, jobs int64) {
		regiontest.Stage(r, "job", staged.Job{SourceID: source, SourceKey: key, Jobs: jobs, Sectors: fmt.Sprintf("[%d]", jobs)})
	}
	add("lodes", "census:block:110010001011000", 44_000)
	add("lodes", "census:block:110010001011002", 2_500)
	add("lodes", "census:block:110010001011009", 7_000) // of a block group that is known
	add("lodes", "census:block:240317001001000", 5_000)
	add("lodes", "statcan:da:24470123", 9_000)
	add("city", "census:block:110010001011000", 43_000) // again
	add("city", group, 10_000)
	add("city", "census:tract:11001000101", 2)
	at := regiontest.At(700, 20)
	regiontest.Stage(r, "job", staged.Job{SourceID: "city", SourceKey: "city:1", Lng: &at[0], Lat: &at[1], Jobs: 12_000})
	return r
}

func TestJobsArePlaced(t *testing.T) {
	got, err := Read(t.Context(), town(t).Staged)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"lodes census:block:110010001011000 census:block:110010001011000 50 44000 [44000]",
		"lodes census:block:110010001011002 census:block:110010001011002 450 2500 [2500]",
		"lodes statcan:da:24470123 statcan:da:24470123 650 9000 [9000]",
		"city census:bg:110010001011 census:block:110010001011000 50 3334",
		"city census:bg:110010001011 census:block:110010001011001 250 3333",
		"city census:bg:110010001011 census:block:110010001011002 450 3333",
		"city census:tract:11001000101 census:block:110010001011000 50 1",
		"city census:tract:11001000101 census:block:110010001011001 250 1",
		"city city:1 city:1 700 12000",
	}
	if diff := cmp.Diff(want, lines(got.Places)); diff != "" {
		t.Error(diff)
	}
	issues := map[string]int64{}
	for _, i := range got.Issues {
		issues[i.Code] = i.Rows
	}
	wantIssues := map[string]int64{"jobs_beyond_region": 1, "jobs_of_unknown_block": 1, "duplicate_key_in_other_source": 1}
	if diff := cmp.Diff(wantIssues, issues); diff != "" {
		t.Error(diff)
	}
	const note = "77 jobs are at 9 places; 5 more are in areas that the region does not have; 7 more are in blocks that the region lacks: " +
		"jobs and blocks may be of two censuses"
	if got.Note != note {
		t.Errorf("note: %s", got.Note)
	}
}

// TestNeighboursJobs writes own and lent places, which their sources distinguish.
func TestNeighboursJobs(t *testing.T) {
	own, around := town(t), town(t)
	around.Source("next/lodes", 1000, "jobs", "2023-04-01")
	at := regiontest.At(1000, 0)
	regiontest.Stage(around, "job", staged.Job{SourceID: "next/lodes", SourceKey: "census:block:240317001001000", Lng: &at[0], Lat: &at[1],
		Jobs: 5_000})
	db := regiontest.Derived(t)
	if _, err := Derive(t.Context(), own.Staged, around.Staged, db); err != nil {
		t.Fatal(err)
	}
	rows, err := sqlrow.All[derived.JobPlace](t.Context(), db, "SELECT * FROM job_place ORDER BY job_place")
	if err != nil {
		t.Fatal(err)
	}
	const last = "next/lodes census:block:240317001001000 census:block:240317001001000 1000 5000"
	if len(rows) != 10 || rows[9].JobPlace != 9 || lines(rows)[9] != last {
		t.Errorf("%q", lines(rows))
	}
}

func TestWithoutJobs(t *testing.T) {
	got, err := Read(t.Context(), regiontest.New(t).Staged)
	if err != nil || len(got.Places) != 0 || got.Note != "" || got.Issues != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
