package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/build/export"
)

// limits are those of the customer Acme in these tests.
var limits = []string{"--customer", "Acme", "--regions", "CA", "--products", "geographies,scores,pois", "--scores", "quiet,parks"}

// TestEnrichForACustomer compares what a customer with limits gets with what the server answers it.
func TestEnrichForACustomer(t *testing.T) {
	root := publishedTowns(t)
	in, out := filepath.Join(t.TempDir(), "in.csv"), filepath.Join(t.TempDir(), "out.csv")
	points := pointsFile(t, filepath.Join(root, "places"), in)
	s := startServer(t, root)
	made, token := s.account(t, limits...)
	args := []string{"enrich", "--release", root, "--in", in, "--customer", "Acme", "--state", s.state}
	mustRun(t, append(args, "--out", out, "--add", "scores,geographies,pois")...)
	seen := map[string]int{}
	for i, row := range csvRows(t, out) {
		seen[row["quartier_status"]]++
		for name := range row {
			if strings.HasPrefix(name, "score_") && name != "score_quiet" && name != "score_parks" {
				t.Fatalf("row %d has %s", i, name)
			}
		}
		if i%4 != 0 { // a share of the rows: each is a request
			continue
		}
		status, body := s.get(t, token, fmt.Sprintf("/v3/scores?scores=quiet&lat=%s&lng=%s", points[i][0], points[i][1]))
		if refused := status == http.StatusUnauthorized; refused != (row["quartier_status"] == "not_agreed") {
			t.Errorf("row %d at %v is %s, the API answers %d %s", i, points[i], row["quartier_status"], status, body)
		}
		status, found := s.answer(t, token, fmt.Sprintf("/v3/enhanced-pois?limit=1&lat=%s&lng=%s", points[i][0], points[i][1]))
		if want := at(found, "meta", "counts", "total_count"); status == http.StatusOK && row["pois_total_5000m"] != fmt.Sprint(want) {
			t.Errorf("row %d: %s points of interest, the API answers %v", i, row["pois_total_5000m"], want)
		}
	}
	if seen["ok"] < 50 || seen["not_agreed"] < 50 {
		t.Errorf("statuses %v", seen)
	}

	refused := func(code int, want string, more ...string) {
		t.Helper()
		got, _, errs := quartier(append(append(args[:5:5], "--out", filepath.Join(t.TempDir(), "o.csv")), more...)...)
		if got != code || !strings.Contains(errs, want) {
			t.Errorf("%v: exit code %d, %s; want %d, %s", more, got, errs, code, want)
		}
	}
	acme := []string{"--customer", "Acme", "--state", s.state}
	refused(exitUsage, "the agreement of Acme does not include demographics", append(acme, "--add", "demographics")...)
	refused(exitUsage, "give --state, which has the agreement of Acme", acme[:2]...)
	refused(exitUsage, "--customer has no name", "--customer", "")
	refused(exitBadInput, "no account of customer Bell", "--customer", "Bell", "--state", s.state)
	refused(exitFailure, "no such file", "--customer", "Acme", "--state", "sqlite:"+filepath.Join(t.TempDir(), "none.db"))
	s.account(t, "--customer", "Acme")
	refused(exitUsage, "name one of them with --account", acme...)
	mustRun(t, append(args, "--out", out, "--force", "--account", made.ClientID, "--add", "scores")...)
	if strings.Contains(readText(t, out), "score_wellness") {
		t.Error("the agreement of another account applies")
	}
}

// An export for a customer has the tables, columns and rows of its agreement, and says what is left out.
func TestExportForACustomer(t *testing.T) {
	dir, db, out := filepath.Join(exportsDir(t), "export"), duckMemory(t), t.TempDir()
	next := filepath.Join(townsDir(t), "next")
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "state.db")
	mustRun(t, append([]string{"account", "create", "--state", dsn}, limits...)...)
	mustRun(t, "export", "--release", next, "--out", out, "--customer", "Acme", "--state", dsn)
	text, err := os.ReadFile(filepath.Join(out, export.CatalogFile))
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		catalog
		Agreement struct {
			Customer string
			Regions  []string
		} `json:"quartier:agreement"`
		Left map[string]string `json:"quartier:left_out"`
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"demographics", "profiles", "schools", "small_areas", "typologies", "streets", "market"} {
		if c.Left[table] == "" || c.Assets[table].Href != "" {
			t.Errorf("%s is not left out: %v", table, c.Left)
		}
	}
	if c.Agreement.Customer != "Acme" || fmt.Sprint(c.Agreement.Regions) != "[CA]" {
		t.Errorf("agreement %v", c.Agreement)
	}
	canada := func(of string) (theirs, all int64) {
		return one[int64](t, db, fmt.Sprintf(of, out)), one[int64](t, db, fmt.Sprintf(of, dir))
	}
	for _, query := range []string{
		"SELECT count(*) FROM '%s/geographies.parquet' WHERE country_code = 'CA'",
		"SELECT count(*) FROM '%[1]s/geography_scores.parquet' s JOIN '%[1]s/geographies.parquet' g USING (geog_id) WHERE country_code = 'CA' AND score IN ('quiet', 'parks')",
		"SELECT count(*) FROM '%s/pois.parquet' WHERE country_code = 'CA'",
	} {
		theirs, all := canada(query)
		if theirs != all || all == 0 {
			t.Errorf("%s: %d of %d rows", query, theirs, all)
		}
	}
	for query, most := range map[string]int64{
		"SELECT count(*) FROM '%s/geographies.parquet' WHERE country_code <> 'CA'":                 0,
		"SELECT count(*) FROM '%s/geography_scores.parquet' WHERE score NOT IN ('quiet', 'parks')": 0,
		"SELECT count(*) FROM '%s/pois.parquet' WHERE country_code <> 'CA'":                        0,
	} {
		if theirs, all := canada(query); theirs > most || all == 0 {
			t.Errorf("%s: %d of %d rows", query, theirs, all)
		}
	}
	nodes := readCatalog(t, out).Assets["street_nodes"]
	var names []string
	for _, column := range nodes.Columns {
		names = append(names, column.Name)
	}
	if fmt.Sprint(names) != "[node_id region quiet parks geometry]" && fmt.Sprint(names) != "[node_id region parks quiet geometry]" {
		t.Errorf("nodes have the columns %v", names)
	}
	if all := readCatalog(t, dir).Assets["street_nodes"].Rows; nodes.Rows == 0 || nodes.Rows >= all {
		t.Errorf("%d of %d nodes", nodes.Rows, all)
	}
	code, _, errs := quartier("export", "--release", next, "--out", filepath.Join(out, "more"), "--customer", "Acme", "--state", dsn, "--tables", "schools")
	if code != exitUsage || !strings.Contains(errs, "the agreement does not include the product schools") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}
