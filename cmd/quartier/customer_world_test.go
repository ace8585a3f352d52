package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/build/export"
	"quartier/schemas"
	"quartier/serve/account"
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
		"SELECT count(*) FROM '%[1]s/geography_scores.parquet' s JOIN '%[1]s/geographies.parquet' g USING (geog_id) WHERE country_code = 'CA' " +
			"AND score IN ('quiet', 'parks')",
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
	names := one[string](t, db, "SELECT string_agg(column_name, ' ') FROM (DESCRIBE SELECT * FROM '"+
		filepath.Join(out, "street_nodes.parquet")+"')")
	if names != "node_id region quiet parks geometry bbox" {
		t.Errorf("nodes have the columns %s", names)
	}
	if all := readCatalog(t, dir).Assets["street_nodes"].Rows; nodes.Rows == 0 || nodes.Rows >= all {
		t.Errorf("%d of %d nodes", nodes.Rows, all)
	}
	code, _, errs := quartier("export", "--release", next, "--out", filepath.Join(out, "more"), "--customer", "Acme", "--state", dsn,
		"--tables", "schools")
	if code != exitUsage || !strings.Contains(errs, "the agreement does not include the product schools") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// Every table of the export is of a product that agreements have, or of none, and says which of its rows are in their regions.
func TestTablesHaveProducts(t *testing.T) {
	for _, table := range export.Tables {
		if table.Product != "" && table.Product != "by column" && !slices.Contains(account.Products, table.Product) ||
			(table.Product != "") != (table.Within != "") {
			t.Errorf("%s is of the product %q, with rows where %q", table.Name, table.Product, table.Within)
		}
	}
}

// Files and catalog name the sources that are used, and no others.
func TestLicencesByTable(t *testing.T) {
	m, err := schemas.ReadManifest(filepath.Join(townsDir(t), "next"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]map[string]bool{} // by kind of source
	for _, s := range m.Sources {
		if lines[s.Kind] == nil {
			lines[s.Kind] = map[string]bool{}
		}
		lines[s.Kind][s.Attribution] = true
	}
	var c struct {
		Assets map[string]struct {
			Licences []struct{ Attribution string } `json:"quartier:licences"`
		}
	}
	text, err := os.ReadFile(filepath.Join(exportsDir(t), "export", export.CatalogFile))
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	root, in, out := publishedTowns(t), filepath.Join(t.TempDir(), "in.csv"), filepath.Join(t.TempDir(), "out.csv")
	pointsFile(t, filepath.Join(root, "places"), in)
	mustRun(t, "enrich", "--release", root, "--in", in, "--out", out, "--add", "schools", "--limit", "10")
	var beside struct {
		Metadata map[string]string `json:"metadata"`
	}
	var enriched []struct{ Attribution string }
	if err := json.Unmarshal([]byte(readText(t, out+".json")), &beside); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(beside.Metadata["quartier:attribution"]), &enriched); err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string][]struct{ Attribution string }{"schools": c.Assets["schools"].Licences,
		"demographics": c.Assets["demographics"].Licences, "enriched": enriched} {
		has := map[string]bool{}
		for _, l := range of {
			has[l.Attribution] = true
		}
		use := map[string][]string{"schools": {"schools", "nces", "odef"}, "demographics": {"acs", "profile", "boundaries"},
			"enriched": {"schools", "nces", "odef"}}[name]
		foreign := map[string][]string{"schools": {"acs", "boundaries", "gtfs"}, "demographics": {"gtfs", "schools", "elevation"},
			"enriched": {"acs", "boundaries", "gtfs"}}[name]
		found := 0
		for _, kind := range use {
			for line := range lines[kind] {
				if !has[line] {
					t.Errorf("%s lacks %q of %s", name, line, kind)
				}
				found++
			}
		}
		if found == 0 {
			t.Errorf("%s: the release has no source of %v", name, use)
		}
		for _, kind := range foreign {
			for line := range lines[kind] {
				shared := false
				for other, also := range lines {
					shared = shared || also[line] && !slices.Contains(foreign, other)
				}
				if has[line] && !shared {
					t.Errorf("%s has %q of %s", name, line, kind)
				}
			}
		}
	}
}
