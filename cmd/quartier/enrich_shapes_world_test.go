package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/schemas"
)

// shapesFile writes rows with polygons around streets of a release, and returns them as the API takes them.
func shapesFile(t *testing.T, release, path string, n int) (shapes []string) {
	t.Helper()
	nodes := rows(t, filepath.Join(release, schemas.AccessFile), "SELECT xmin, ymin FROM idx_street_edge_geometry ORDER BY pkid")
	random := rand.New(rand.NewPCG(65, 1))
	text := "id,shape\n"
	for i := range n {
		node := nodes[random.IntN(len(nodes))]
		var lng, lat float64
		if _, err := fmt.Sscan(node[0], &lng); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(node[1], &lat); err != nil {
			t.Fatal(err)
		}
		// A star of 3 to 12 corners, up to 2 or, every fifth, 12 km wide.
		corners, size := 3+random.IntN(10), 0.01
		if i%5 == 0 {
			size = 0.06
		}
		var ring []string
		for k := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(corners))
			r := size * (0.2 + 0.8*random.Float64())
			ring = append(ring, fmt.Sprintf("%.7f %.7f", lng+r*cos, lat+r*sin))
		}
		shape := "POLYGON((" + strings.Join(append(ring, ring[0]), ",") + "))"
		shapes = append(shapes, shape)
		text += fmt.Sprintf("%d,\"%s\"\n", i, shape)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return shapes
}

// csvRows are the rows of a CSV file, by column.
func csvRows(t *testing.T, path string) (list []map[string]string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			if cells[i] != "" {
				row[name] = cells[i]
			}
		}
		list = append(list, row)
	}
	return list
}

// TestEnrichedShapesAreTheAPIs compares every value of shapes that the API takes with its answers, as text.
func TestEnrichedShapesAreTheAPIs(t *testing.T) {
	const n = 200
	root := publishedTowns(t)
	in, out := filepath.Join(t.TempDir(), "in.csv"), filepath.Join(t.TempDir(), "out.csv")
	shapes := shapesFile(t, filepath.Join(root, "places"), in, n)
	mustRun(t, "enrich", "--release", root, "--in", in, "--out", out, "--polygons", "shape", "--add", "demographics,pois", "--nearest",
		"groceries:2,cafes:1")
	s := startServer(t, root)
	_, token := s.account(t)
	compared := 0
	for i, got := range csvRows(t, out) {
		if got["shape"] != shapes[i] {
			t.Fatalf("row %d is %v", i, got)
		}
		delete(got, "shape")
		delete(got, "id")
		want := s.askShape(t, token, "polygon="+url.QueryEscape(shapes[i]))
		for name := range got {
			if got[name] != want[name] {
				t.Errorf("row %d, %s: %s is %q, the API answers %q", i, shapes[i], name, got[name], want[name])
			}
			compared++
			delete(want, name)
		}
		if len(want) > 0 {
			t.Fatalf("row %d, %s: the API answers %v, which the row has not", i, shapes[i], want)
		}
	}
	if compared < 50*n {
		t.Errorf("only %d values", compared)
	}
	t.Logf("%d values", compared)
}

// askShape asks the API for all that a row with a shape has, and returns it by column.
func (s *server) askShape(t *testing.T, token, place string) map[string]string {
	t.Helper()
	columns := map[string]string{"quartier_status": "ok"}
	status, people := s.answer(t, token, "/v3/demographics?"+place)
	switch status {
	case http.StatusOK:
		put(columns, "demographics_coverage", "1.0")
		put(columns, "demographics_coverage", at(people, "data", "meta", "coverage"))
	case http.StatusNoContent:
		columns["quartier_status"] = "nothing_here"
	case http.StatusNotFound:
		return map[string]string{"quartier_status": "outside"}
	default:
		t.Fatalf("%s: status %d", place, status)
	}
	categories, _ := at(people, "data", "attributes").(map[string]any)
	for _, category := range categories {
		for _, v := range at(category, "variables").([]any) {
			put(columns, at(v, "variable").(string), at(v, "value"))
		}
	}
	_, found := s.answer(t, token, "/v3/enhanced-pois?limit=1&"+place)
	put(columns, "pois_total", at(found, "meta", "counts", "total_count"))
	counts, _ := at(found, "meta", "counts", "total_by_category").(map[string]any)
	for category, count := range counts {
		put(columns, "pois_"+category, count)
	}
	for category, limit := range map[string]int{"groceries": 2, "cafes": 1} {
		_, found := s.answer(t, token, fmt.Sprintf("/v3/enhanced-pois?%s&categories=%s&limit=%d", place, category, limit))
		list, _ := at(found, "data", "results").([]any)
		for i, poi := range list {
			name := fmt.Sprintf("nearest_%s_%d", category, i+1)
			put(columns, name+"_name", at(poi, "name"))
			put(columns, name+"_m", at(poi, "proximity", "linear_distance_m"))
		}
	}
	return columns
}

// TestMediansOfOutlinesAreThoseOfTheRelease enriches the outlines of all geographies with scores, of the release and of a customer:
// the medians are what the release answers for them.
func TestMediansOfOutlinesAreThoseOfTheRelease(t *testing.T) {
	w := newCustomTowns(t)
	w.build("first")
	places := filepath.Join(w.dir, "first")
	dir := t.TempDir()
	dsn := stateWith(t, "acme")
	compared := 0
	for name, of := range map[string]string{"first": places, "private": w.last} {
		mustRun(t, "export", "--release", places, "--private", w.last, "--customer", "acme", "--state", dsn, "--tables",
			"geographies,geography_scores", "--out", filepath.Join(dir, name))
		out := filepath.Join(dir, name+".csv")
		mustRun(t, "enrich", "--release", places, "--in", filepath.Join(dir, name, "geographies.parquet"), "--out", out, "--polygons", "geometry",
			"--add", "medians")
		want := map[string]map[string]string{}
		for _, row := range rows(t, filepath.Join(of, schemas.AccessFile), "SELECT geog_id, score, value, basis FROM geography_score") {
			if want[row[0]] == nil {
				want[row[0]] = map[string]string{"median_basis": row[3]}
			}
			var value int
			if _, err := fmt.Sscan(row[2], &value); err != nil {
				t.Fatal(err)
			}
			text := strings.TrimRight(fmt.Sprintf("%d.%04d", value/10000, value%10000), "0")
			if strings.HasSuffix(text, ".") {
				text += "0"
			}
			want[row[0]]["median_"+row[1]] = text
		}
		for _, got := range csvRows(t, out) {
			id := got["geog_id"]
			expected := want[id]
			if expected == nil {
				continue // of the other component, or a state or country, which have no scores
			}
			for _, score := range schemas.ScoreIDs() {
				if got["median_"+score] != expected["median_"+score] {
					t.Errorf("%s: %s is %q, in the release %q", id, score, got["median_"+score], expected["median_"+score])
				}
				compared++
			}
			if got["median_basis"] != expected["median_basis"] || got["median_homes"] == "" {
				t.Errorf("%s: basis %q over %s homes, in the release %q", id, got["median_basis"], got["median_homes"], expected["median_basis"])
			}
			delete(want, id)
		}
		if len(want) > 0 && name == "first" {
			t.Errorf("%d geographies with scores have no outline in the export", len(want))
		}
	}
	if compared < 500 {
		t.Errorf("only %d values", compared)
	}
	t.Logf("%d values", compared)
}
