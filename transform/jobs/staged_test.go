package jobs

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/fixtures"
	"quartier/fixtures/world"
	"quartier/fixtures/world/boundary"
	"quartier/ingest"
	"quartier/internal/duck"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv"
)

// washington has outlines of blocks without people: their columns of people and homes are others, which nothing reads.
const washington = `region: us-dc
title: Washington
country: US
state: DC
sources:
  - {id: blocks, kind: blocks, path: "${DATA}/us-dc/boundaries/tl_2021_11_tabblock20.zip", as_of: 2021-01-01, licence: public domain,
     attribution: US Census Bureau, options: {layout: tiger-tabblock20, population: ALAND20, dwellings: ALAND20}}
  - {id: lodes, kind: jobs, path: "${DATA}/us-dc/lodes/DC_2021_wac.csv.gz", as_of: 2021-04-01, licence: public domain,
     attribution: US Census Bureau, options: {layout: lodes8-wac}}
`

// placed stages a region file and places its jobs.
func placed(t *testing.T, text string) *Result {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "region.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	region, err := ingest.ReadRegion(file, func(string) (string, bool) { return testenv.Data(""), true }, dir)
	if err != nil {
		t.Fatal(err)
	}
	snapshots, err := ingest.Snapshots(t.Context(), region)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "staged.duckdb")
	if err := ingest.Stage(t.Context(), region, snapshots, path, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	got, err := Read(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// published are the jobs of the file by block group, in thousandths.
func published(t *testing.T) map[string]int64 {
	t.Helper()
	file, err := os.Open(testenv.Data("us-dc/lodes/DC_2021_wac.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(packed).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	groups := map[string]int64{}
	for _, row := range rows[1:] { // w_geocode, C000
		jobs, err := strconv.ParseInt(row[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		groups[row[0][:12]] += jobs * thousandth
	}
	return groups
}

// TestWashington joins every block with jobs to a block of 2020, and loses none of the jobs: they add up to those of the block groups
// and of the city.
func TestWashington(t *testing.T) {
	testenv.NeedData(t, "us-dc")
	got := placed(t, washington)
	var sum int64
	groups, tracts := map[string]int64{}, map[string]bool{}
	for _, p := range got.Places {
		sum += p.Jobs
		digits := p.PlaceKey[len("census:block:"):]
		groups[digits[:12]] += p.Jobs
		tracts[digits[:11]] = true
	}
	if diff := cmp.Diff(published(t), groups); diff != "" {
		t.Errorf("jobs of block groups: %s", diff)
	}
	if sum != 624_377_000 || len(got.Places) != 3860 || len(groups) != 570 || len(tracts) != 206 || len(got.Issues) != 0 {
		t.Errorf("%d thousandths of jobs at %d places in %d block groups and %d tracts, issues %v", sum, len(got.Places), len(groups),
			len(tracts), got.Issues)
	}
	if got.Note != "624377 jobs are at 3860 places" {
		t.Errorf("note: %s", got.Note)
	}
}

// towns are the fixtures' towns, with a source of jobs for each file of jobs.
const towns = `region: towns
title: Two towns
country: %[2]s
sources:
  - {id: vt, kind: jobs, path: "%[1]s/lodes/vt_wac_S000_JT00_2021.csv.gz", as_of: 2021-04-01, licence: x, attribution: x,
     options: {layout: lodes8-wac}}
  - {id: ny, kind: jobs, path: "%[1]s/lodes/ny_wac_S000_JT00_2021.csv.gz", as_of: 2021-04-01, licence: x, attribution: x,
     options: {layout: lodes8-wac}}
  - {id: qc, kind: jobs, path: "%[1]s/statcan/place-of-work_2021.csv", as_of: 2021-05-11, licence: x, attribution: x,
     options: {layout: statcan-table, where: {Place of work status: Usual place of work}}}
  - {id: blocks-vt, kind: blocks, path: "%[1]s/tiger/blocks-vt/tl_2023_50_tabblock20.zip", as_of: 2020-04-01, licence: x, attribution: x,
     options: {layout: tiger-tabblock20}}
  - {id: blocks-qc, kind: blocks, path: "%[1]s/statcan/blocks", as_of: 2021-05-11, licence: x, attribution: x,
     options: {layout: statcan-db, counts: db_counts_2021.csv, outlines: ldb_000b21a_e.zip}}
`

// TestTowns places the jobs of towns on both sides of the border. The region has no blocks of New York.
func TestTowns(t *testing.T) {
	spatialitetest.Need(t)
	dir := t.TempDir()
	if _, err := fixtures.Write(t.Context(), dir, fixtures.Options{}); err != nil {
		t.Fatal(err)
	}
	got := placed(t, fmt.Sprintf(towns, dir, "US"))
	sums := map[string]int64{}
	for _, p := range got.Places {
		sums[p.SourceID] += p.Jobs
	}
	w, want := world.New(0, boundary.First), map[string]int64{}
	for source, state := range map[string]string{"vt": "VT", "qc": "QC", "ny": "NY"} {
		for _, b := range fixtures.Jobs(w, state) {
			want[source] += int64(b.All()) * thousandth
		}
	}
	issues := map[string]int64{}
	for _, i := range got.Issues {
		issues[i.Code] += i.Rows
	}
	blocksNY := int64(len(fixtures.Jobs(w, "NY")))
	if got.beyond != want["ny"] || got.unknown != fixtures.JobDefects*thousandth || issues["jobs_of_unknown_block"] != 1 ||
		issues["jobs_beyond_region"] != blocksNY {
		t.Errorf("beyond %d, want %d; unknown %d; issues %v; %d blocks of New York", got.beyond, want["ny"], got.unknown, issues, blocksNY)
	}
	delete(want, "ny")
	if diff := cmp.Diff(want, sums); diff != "" || want["vt"] < 1_000_000 || want["qc"] < 1_000_000 {
		t.Errorf("%v: %s", want, diff)
	}
}
