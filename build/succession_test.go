package build

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quartier/build/homes"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/duck"
	"quartier/schemas"
)

// inhabited gives a region streets around Dover, and homes of one household each: as many as given, evenly from west to
// east along a parallel.
func inhabited(r testRegion, spread ...[3]float64) testRegion {
	r.streets = &testStreets{
		nodes: []testNode{{lng: -75.7, lat: 39}, {lng: -75.3, lat: 39}, {lng: -75.3, lat: 39.3}, {lng: -75.7, lat: 39.3}},
		edges: []testEdge{{a: 0, b: 1, lengthM: 100}, {a: 1, b: 2, lengthM: 100}, {a: 2, b: 3, lengthM: 100}},
	}
	for _, s := range spread {
		for i := range int(s[0]) {
			lng := s[1] + (s[2]-s[1])*(float64(i)+0.5)/s[0]
			r.streets.homes = append(r.streets.homes, testHome{homes.Households, 1, lng, 39.15, 0, 50})
		}
	}
	return r
}

// divided is Delaware with the east of Dover cut at a meridian.
func divided(at float64) testRegion {
	r := delaware()
	small, large := r.places[5], r.places[5]
	small.key, small.name, small.east = "n:harbour", "Harbour", at
	large.key, large.name, large.west = "n:fields", "Fields", at
	r.places = append(r.places[:5], small, large)
	return r
}

const bridge = `SELECT s.name_en || ' ' || b.kind || ' ' || coalesce(n.name_en, '–') || ' ' || round(b.area_share, 2) || ' '
	|| coalesce(round(b.household_share, 2), '–') || ' ' || b.measure
	FROM geog_bridge AS b JOIN geography_superseded AS s ON s.geog_id = b.old_geog_id
	LEFT JOIN geography AS n ON n.geog_id = b.new_geog_id ORDER BY 1`

// The smaller part of a split has most of the homes; another home stands on the border.
func TestSuccessionByHouseholds(t *testing.T) {
	_, first := built(t, "", delaware())
	people := [][3]float64{{69, -75.5, -75.46}, {1, -75.46, -75.46}, {30, -75.46, -75.4}}
	m, second := built(t, first.Out, inhabited(divided(-75.46), people...))
	want := []string{"East Dover split Fields 0.6 0.31 households", "East Dover split Harbour 0.4 0.69 households"}
	if got := rows(t, second, schemas.GeographiesFile, bridge); !slices.Equal(got, want) {
		t.Errorf("bridge %q, want %q", got, want)
	}
	successor := `SELECT g.name_en FROM geography_superseded AS s JOIN geography AS g ON g.geog_id = s.replaced_by`
	if got := rows(t, second, schemas.GeographiesFile, successor); !slices.Equal(got, []string{"Harbour"}) {
		t.Errorf("replaced by %q", got)
	}
	if note := "geographies that are superseded in this release: 1 by shares of households, 0 by shares of area"; !strings.Contains(
		strings.Join(m.Notes, "\n"), note) {
		t.Errorf("notes %q", m.Notes)
	}
	_, byArea := built(t, first.Out, divided(-75.46))
	want = []string{"East Dover split Fields 0.6 – area", "East Dover split Harbour 0.4 – area"}
	if got := rows(t, byArea, schemas.GeographiesFile, bridge); !slices.Equal(got, want) {
		t.Errorf("without homes the bridge is %q, want %q", got, want)
	}
	// Undone and done again, while people move: every old id points to what has most of its homes now.
	_, third := built(t, second.Out, inhabited(delaware(), people...))
	_, fourth := built(t, third.Out, inhabited(divided(-75.46), [3]float64{40, -75.5, -75.46}, [3]float64{60, -75.46, -75.4}))
	got := rows(t, fourth, schemas.GeographiesFile, `SELECT s.name_en || ' ' || s.boundary_version || ' → ' || g.name_en || ' ' || g.boundary_version
		FROM geography_superseded AS s JOIN geography AS g ON g.geog_id = s.replaced_by ORDER BY 1`)
	want = []string{"East Dover 1 → Fields 2", "East Dover 2 → Fields 2", "Fields 1 → Fields 2", "Harbour 1 → Harbour 2"}
	if !slices.Equal(got, want) {
		t.Errorf("after four releases %q, want %q", got, want)
	}
	_, err := verify.Release(context.Background(), fourth.Out, "")
	must(t, err)
	sameBridge(t, fourth)
}

// sameBridge compares geog_bridge.parquet with the table, both as SQL sees them.
func sameBridge(t *testing.T, o Options) {
	t.Helper()
	memory, err := duck.Memory()
	must(t, err)
	defer memory.Close()
	sqlite, err := released.Open(filepath.Join(o.Out, schemas.GeographiesFile))
	must(t, err)
	defer sqlite.Close()
	read := func(db *sql.DB, table string) []string {
		list, err := released.Collect(t.Context(), db, `SELECT release, old_geog_id, new_geog_id, kind, measure, area_share,
			coalesce(household_share, -1) FROM `+table, func(rows *sql.Rows, row *string) error {
			var texts [5]string
			var shares [2]float64
			err := rows.Scan(&texts[0], &texts[1], &texts[2], &texts[3], &texts[4], &shares[0], &shares[1])
			*row = fmt.Sprint(texts, shares)
			return err
		})
		must(t, err)
		slices.Sort(list)
		return list
	}
	table := read(sqlite, "geog_bridge")
	parquet := read(memory.DB, fmt.Sprintf("read_parquet('%s')", filepath.Join(o.Out, schemas.BridgeFile)))
	if len(table) == 0 || !slices.Equal(parquet, table) {
		t.Errorf("the bridge as Parquet is\n%q, as a table\n%q", parquet, table)
	}
}

// An outline that two regions have is one geography with one id, whichever of them a release has.
func TestOutlineOfTwoRegions(t *testing.T) {
	region := func(name string, east float64) testRegion {
		r := delaware()
		r.name = name
		r.places[4].east, r.places[5].west = east, east
		return r
	}
	ids := `SELECT group_concat(geog_id) FROM (SELECT geog_id FROM geography WHERE level = 10 ORDER BY source_key)`
	_, one := built(t, "", region("a", -75.5))
	first := rows(t, one, schemas.GeographiesFile, ids)
	_, both := built(t, one.Out, region("a", -75.5), region("b", -75.5))
	if got := rows(t, both, schemas.GeographiesFile, ids); !slices.Equal(got, first) {
		t.Errorf("of two regions %q, want %q", got, first)
	}
	_, other := built(t, both.Out, region("b", -75.5))
	if got := rows(t, other, schemas.GeographiesFile, ids); !slices.Equal(got, first) {
		t.Errorf("of the other region %q, want %q", got, first)
	}
	m, moved := built(t, other.Out, region("a", -75.52), region("b", -75.52))
	got := rows(t, moved, schemas.GeographiesFile, `SELECT s.source_key || ' ' || g.source_key || ' ' || g.boundary_version
		FROM geography_superseded AS s JOIN geography AS g ON g.geog_id = s.replaced_by ORDER BY 1`)
	if want := []string{"n:east n:east 2", "n:west n:west 2"}; !slices.Equal(got, want) || m.Counts.Superseded != 2 {
		t.Errorf("with another border %q, want %q", got, want)
	}
}

// A neighbourhood becomes a borough: its id answers with the borough, and as one again with the newest.
func TestChangeOfLevel(t *testing.T) {
	borough := delaware()
	borough.places[5].level = schemas.Borough
	_, first := built(t, "", delaware())
	_, second := built(t, first.Out, borough)
	if got, want := rows(t, second, schemas.GeographiesFile, bridge), []string{"East Dover level East Dover 1.0 – area"}; !slices.Equal(got,
		want) {
		t.Errorf("bridge %q, want %q", got, want)
	}
	_, third := built(t, second.Out, delaware())
	got := rows(t, third, schemas.GeographiesFile, `SELECT s.level || ' ' || s.boundary_version || ' → ' || g.level || ' ' || g.boundary_version
		FROM geography_superseded AS s JOIN geography AS g ON g.geog_id = s.replaced_by ORDER BY 1`)
	if want := []string{"10 1 → 10 3", "20 2 → 10 3"}; !slices.Equal(got, want) {
		t.Errorf("after three releases %q, want %q", got, want)
	}
}
