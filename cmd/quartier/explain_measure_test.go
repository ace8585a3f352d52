package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quartier/cmd/quartier/journeys"
	"quartier/internal/travel"
	"quartier/schemas"
)

// TestExplainedMeasures compares what explains travel measures with the release: at cells, and of every geography with medians.
func TestExplainedMeasures(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	file := filepath.Join(release, schemas.TravelFile)
	ask := func(args ...string) *journeys.Measure {
		t.Helper()
		out, _ := mustRun(t, append([]string{"explain", "--json", "--release", release}, args...)...)
		var list []*journeys.Measure
		if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != 1 {
			t.Fatalf("%v: %v in\n%.300s", args, err, out)
		}
		return list[0]
	}
	ways := map[string]int{}
	for _, m := range schemas.TravelMeasures {
		for _, cell := range rows(t, file, "SELECT c.fid, hex(c.geometry), m.value FROM travel_cell AS c JOIN travel_measure AS m "+
			"ON m.cell = c.fid WHERE m.measure = ? ORDER BY m.value DESC, c.fid LIMIT 2", m.ID) {
			lng, lat := pointOf(t, cell[1])
			got := ask("--lat", fmt.Sprint(lat), "--lng", fmt.Sprint(lng), "--score", m.ID)
			if fmt.Sprint(*got.Value) != cell[2] || fmt.Sprintf("%.0f", got.Recomputed) != cell[2] {
				t.Errorf("%s at cell %s: %d, recomputed %v, want %s", m.ID, cell[0], *got.Value, got.Recomputed, cell[2])
			}
			for _, w := range got.Ways {
				ways[m.Mode]++
				if w.Number == nil || w.Minutes == nil || *w.Minutes > m.Minutes || len(w.Legs) == 0 {
					t.Errorf("%s at cell %s: the %s is reached by %+v", m.ID, cell[0], w.Which, w.Number)
				}
			}
		}
		for _, g := range rows(t, file, "SELECT geog_id, value, homes, basis FROM geography_travel WHERE measure = ? "+
			"ORDER BY value DESC, geog_id LIMIT 6", m.ID) {
			got := ask("--geography", g[0], "--score", m.ID).Median
			if fmt.Sprint(*got.Value) != g[1] || *got.Recomputed != *got.Value || got.Basis != g[3] || got.Quantiles[2].Value != *got.Value {
				t.Errorf("%s of %s: %+v, want %v", m.ID, g[0], got, g)
			}
		}
	}
	if t.Logf("ways: %v", ways); ways[travel.Transit.String()] == 0 || ways[travel.Car.String()] == 0 {
		t.Error("no way is shown")
	}
}

// TestExplainedMeasureInWords reads the text, and what is refused.
func TestExplainedMeasureInWords(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	best := rows(t, filepath.Join(release, schemas.TravelFile), "SELECT geog_id FROM geography_travel "+
		"WHERE measure = 'people_within_30_min_transit' ORDER BY value DESC, geog_id LIMIT 1")
	out, _ := mustRun(t, "explain", "--release", release, "--geography", best[0][0], "--score", "people_within_30_min_transit")
	for _, part := range []string{"measure    people_within_30_min_transit, People within 30 minutes by transit: ", "median     over ",
		"at most    10 % ", "leaving in one of 15 minutes, 4 apart, from 08:00 on", " nodes of streets that are reached within 30 minutes",
		"20 to 30", "The nearest, node ", " walk "} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing from\n%s", part, out)
		}
	}
	at := []string{"--lat", "45.0341", "--lng", "-72.6168"}
	for says, args := range map[string][]string{
		"--score with --geography is a travel measure": {"--geography", best[0][0], "--score", "cafes"},
		"is no travel measure":                         append(at, "--score", "jobs_within_45_min_transit", "--score", "cafes"),
		"jobs_within_45_min_transit":                   append(at, "--score", "jobs_within_45"),
		"--score and --to need":                        {"--name", "x", "--score", "cafes"},
		"out of range":                                 {"--lat", "95", "--lng", "0", "--score", "jobs_within_45_min_transit"},
	} {
		code, _, errs := quartier(append([]string{"explain", "--release", release}, args...)...)
		if code != exitUsage || !strings.Contains(errs, says) {
			t.Errorf("%v: exit code %d, %s", args, code, errs)
		}
	}
}
