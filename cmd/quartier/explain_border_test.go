package main

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"quartier/build"
	"quartier/build/assembly"
	"quartier/build/explain"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas"
	"quartier/schemas/calibration"
	"quartier/transform"
	"quartier/transform/lend"
)

// TestExplainAtABorder cuts a region in two and builds a release of both: near the cut what explain lists, with what the
// neighbour lends, adds up to what is served.
func TestExplainAtABorder(t *testing.T) {
	t.Parallel()
	spatialitetest.Need(t)
	const cut = -72.58
	release := releaseOfHalves(t, cut)
	var near [][]string
	for _, node := range rows(t, filepath.Join(release, schemas.AccessFile),
		"SELECT fid, hex(geometry) FROM street_node ORDER BY fid % 97, fid") {
		if lng, _ := pointOf(t, node[1]); math.Abs(lng-cut) < 0.01 && len(near) < 120 {
			near = append(near, node)
		}
	}
	lent := map[string]int{} // rows of places, lines and sources of the neighbour
	checkExplainedAt(t, release, near, func(report *explain.Report) {
		other := map[string]string{"west": "east", "east": "west"}[report.Street.Region]
		for _, x := range report.Values {
			for _, p := range x.Places {
				if strings.HasPrefix(p.SourceID, other+"/") {
					lent["places"]++
				}
			}
			for _, line := range x.Lines {
				if strings.HasPrefix(line.SourceID, other+"/") {
					lent["lines"]++
				}
			}
		}
		for _, s := range report.Sources {
			if s.Region == other {
				lent["sources"]++
			}
		}
	})
	t.Log(len(near), "nodes;", lent)
	if lent["places"] < len(near) || lent["lines"] < 10 || lent["sources"] < 10 {
		t.Errorf("%d nodes, and of the neighbour %v", len(near), lent)
	}
}

// releaseOfHalves builds a release of Port Hollis in two regions, west and east of a longitude.
func releaseOfHalves(t *testing.T, cut float64) string {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name+".duckdb") }
	stageRegion(t, filepath.Join(townsDir(t), "sources", "regions", "us-port-hollis.yaml"), path("staged"))
	west, east := orb.Bound{Min: orb.Point{-141, 24}, Max: orb.Point{cut, 72}}, orb.Bound{Min: orb.Point{cut, 24}, Max: orb.Point{-52, 72}}
	cutRegion(t, path("staged"), path("west"), west, nil)
	cutRegion(t, path("staged"), path("east"), east, nil)
	accepted, disagreeing := map[string]string{}, map[string]string{}
	for _, score := range schemas.Scores {
		accepted[score.ID] = "half of a town"
	}
	for _, pair := range calibration.Standard().Spread.Pairs() {
		disagreeing[pair] = "half of a town"
	}
	var regions []assembly.Region
	for _, half := range []struct{ name, other string }{{"west", "east"}, {"east", "west"}} {
		lent, derived := path(half.name+"-lent"), path(half.name+"-derived")
		if err := lend.Region(ctx, path(half.name), []lend.Neighbour{{Name: half.other, Staged: path(half.other)}}, lent); err != nil {
			t.Fatal(err)
		}
		if _, err := transform.Region(ctx, path(half.name), lent, derived, nil); err != nil {
			t.Fatal(err)
		}
		regions = append(regions, assembly.Region{Name: half.name, Staged: path(half.name), Derived: derived,
			AcceptCollapsed: accepted, AcceptDisagreement: disagreeing})
	}
	out := filepath.Join(dir, "release")
	if _, err := build.Release(ctx, build.Options{Name: "halves", Regions: regions, Out: out, ToolVersion: "test"}); err != nil {
		t.Fatal(err)
	}
	return out
}
