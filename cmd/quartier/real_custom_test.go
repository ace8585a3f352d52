package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb/encoding/wkt"

	"quartier/build/assembly"
	"quartier/build/private"
	"quartier/build/released"
	"quartier/schemas"
)

// checkCustom draws the neighbourhoods, boroughs and municipalities of a release again as custom geographies. All have the
// scores of those with the same outline, and neighbourhoods, for which nothing is published by key, their demographics and
// facts. work is the work folder of the release.
func checkCustom(t *testing.T, release, work string) {
	m, err := schemas.ReadManifest(release)
	if err != nil {
		t.Fatal(err)
	}
	o := private.Options{
		Places: release, Requests: &schemas.Requests{Schema: schemas.RequestsSchema, Update: 1, AsOf: m.AsOf}, SHA256: strings.Repeat("0", 64),
		ToolVersion: "v0-test", Log: slog.New(slog.DiscardHandler),
	}
	for _, name := range m.Regions {
		o.Regions = append(o.Regions, assembly.Region{
			Name: name, Staged: filepath.Join(work, name+".staged.duckdb"), Derived: filepath.Join(work, name+".derived.duckdb"),
		})
	}
	twins := map[string]string{}
	kinds := map[string]string{"10": "SECTOR", "20": "BOROUGH", "30": "CITY"}
	for i, row := range rows(t, filepath.Join(release, schemas.GeographiesFile),
		"SELECT geog_id, level, geometry FROM geography WHERE level <= 30 ORDER BY geog_id") {
		outline, err := released.ReadMultiPolygon([]byte(row[2]))
		if err != nil {
			t.Fatal(row[0], err)
		}
		if len(outline) > 1 || len(outline[0]) > 1 {
			continue // a request has one ring
		}
		id := fmt.Sprintf("r-%d", i)
		twins[id] = row[0]
		o.Requests.Requests = append(o.Requests.Requests, schemas.Request{
			ID: id, Customer: fmt.Sprintf("c%d", i%50), Version: 1, Action: schemas.PublishRequest, NameEN: "Name", Type: kinds[row[1]],
			Boundaries: wkt.MarshalString(outline[0]),
		})
	}
	folder, _, outcomes, err := writePrivate(t, o)
	if err != nil {
		t.Fatal(err)
	}
	w := &customTowns{t: t}
	same := map[string]int{}
	for _, out := range outcomes.Outcomes {
		for _, p := range products[:4] {
			condition := ""
			switch {
			case out.Problem != "" || p.table != "geography_score" && !strings.HasPrefix(out.GeogID, "g10_"):
				continue
			case p.table == "geography_variable":
				condition = "AND category <> 'housing_affordability'"
			}
			if want, got := w.figures(release, p.file, p.table, twins[out.ID], condition),
				w.figures(folder, p.file, p.table, out.GeogID, condition); !slices.Equal(want, got) {
				t.Errorf("%s of %s, as %s: %d rows, want %d", p.table, out.GeogID, twins[out.ID], len(got), len(want))
				continue
			}
			same[p.table]++
		}
	}
	t.Logf("custom geographies with the figures of those with their outline: %v", same)
	if same["geography_score"] < 300 || same["profile_fact"] < 200 {
		t.Errorf("%d requests, compared %v", len(twins), same)
	}
}
