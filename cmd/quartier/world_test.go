package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"quartier/fixtures"
	"quartier/fixtures/fixturetest"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/internal/testenv/inmemory"
	"quartier/schemas"
)

// quartier runs the program and returns its exit code and output.
func quartier(args ...string) (code int, out, errs string) {
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), append([]string{"quartier"}, args...), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func mustRun(t testing.TB, args ...string) (out, errs string) {
	t.Helper()
	spatialitetest.Need(t)
	code, out, errs := quartier(args...)
	if code != exitOK {
		t.Fatalf("quartier %s: exit code %d\n%s", strings.Join(args, " "), code, errs)
	}
	return out, errs
}

// towns has the synthetic sources and their two releases, built once for all tests of this package.
var towns = sync.OnceValues(func() (dir string, err error) {
	dir = filepath.Join(scratch, "towns")
	if _, err := fixtures.Write(context.Background(), filepath.Join(dir, "sources"), fixtures.Options{Scale: 1, Seed: 1}); err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"build", "--release", filepath.Join(dir, "sources", "release.yaml"), "--out", filepath.Join(dir, "first"), "--work",
			filepath.Join(dir, "work")},
		{"build", "--release", filepath.Join(dir, "sources", "next", "release.yaml"), "--previous", filepath.Join(dir, "first"), "--out",
			filepath.Join(dir, "next"), "--work", filepath.Join(dir, "work-next"),
			"--accept", "retired_ids.10=the city dissolved Les Îlets", "--accept", "replaced_ids.10=the city drew new neighbourhoods"},
	} {
		if code, _, errs := quartier(args...); code != exitOK {
			return "", fmt.Errorf("quartier %v: exit code %d\n%s", args, code, errs)
		}
	}
	return dir, nil
})

// scratch is a folder for the whole package; TestMain removes it.
var scratch string

// asProgram is the environment variable with which the tests run as the program itself, in a process that can be killed.
const asProgram = "QUARTIER_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	remove := inmemory.Use()
	var err error
	if scratch, err = os.MkdirTemp("", "quartier-test-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	postgres.Stop()
	os.RemoveAll(scratch)
	remove()
	os.Exit(code)
}

func townsDir(t testing.TB) string {
	t.Helper()
	spatialitetest.Need(t)
	dir, err := towns()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// rows runs a query on a file of a release and returns the rows as text; NULL is "NULL".
func rows(t testing.TB, file, query string, args ...any) [][]string {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+file+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for found.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(sql.NullString)
		}
		if err := found.Scan(values...); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(columns))
		for i, v := range values {
			row[i] = "NULL"
			if text := v.(*sql.NullString); text.Valid {
				row[i] = text.String
			}
		}
		all = append(all, row)
	}
	return all
}

func TestWorldHasItsGeographies(t *testing.T) {
	file := filepath.Join(townsDir(t), "first", schemas.GeographiesFile)
	byName := map[string][][]string{}
	for _, row := range rows(t, file, `SELECT g.level, g.name_en, g.name_fr, g.country_code, g.state_codes, coalesce(c.name_en, ''), coalesce(m.name_en, ''), g.area_m2
		FROM geography g LEFT JOIN geography c ON c.geog_id = g.city_id LEFT JOIN geography m ON m.geog_id = g.metro_id`) {
		key := row[0] + " " + row[1]
		byName[key] = append(byName[key], row)
	}
	for _, fact := range fixturetest.World().Geographies {
		key := fmt.Sprintf("%d %s", fact.Level, fact.NameEN)
		var states []string
		for _, s := range fact.States {
			states = append(states, fact.Country+"_"+s)
		}
		want := []string{fmt.Sprint(fact.Level), fact.NameEN, fact.NameFR, fact.Country, strings.Join(states, ","), fact.City, fact.Metro}
		if !slices.ContainsFunc(byName[key], func(row []string) bool {
			var area float64
			fmt.Sscan(row[7], &area)
			return slices.Equal(row[:7], want) && math.Abs(area/fact.AreaM2-1) < 0.006
		}) {
			t.Errorf("%s: the release has %q, want %q with an area of %.0f m²", fact.Key, byName[key], want, fact.AreaM2)
		}
	}
}

func TestWorldHasItsPlaces(t *testing.T) {
	file := filepath.Join(townsDir(t), "first", schemas.POIsFile)
	have := map[string][]string{}
	for _, row := range rows(t, file, `SELECT p.poi_key, p.name, p.country_code, coalesce(p.state_code, ''),
		(SELECT group_concat(category_id) FROM poi_category c WHERE c.fid = p.fid),
		coalesce((SELECT group_concat(tag_id) FROM poi_tag c WHERE c.fid = p.fid), ''),
		coalesce((SELECT group_concat(brand_id) FROM poi_brand c WHERE c.fid = p.fid), '') FROM poi p`) {
		have[row[0]] = row
	}
	for _, fact := range fixturetest.World().Places {
		row, found := have[fact.Record]
		if found != fact.Listed {
			t.Errorf("%s (%s): in the release %v, want %v", fact.Key, fact.Record, found, fact.Listed)
		}
		if !found || !fact.Listed {
			continue
		}
		if row[2] != fact.Country || row[3] != fact.State {
			t.Errorf("%s is in %s %s, want %s %s", fact.Key, row[2], row[3], fact.Country, fact.State)
		}
		if fact.Name != "" && row[1] != fact.Name {
			t.Errorf("%s has the name %q, want %q", fact.Key, row[1], fact.Name)
		}
		for _, category := range fact.Categories {
			if !slices.Contains(strings.Split(row[4], ","), category) {
				t.Errorf("%s is in %s, not in %s", fact.Key, row[4], category)
			}
		}
		for _, tag := range fact.Tags {
			if !slices.Contains(strings.Split(row[5], ","), tag) {
				t.Errorf("%s has the tags %s, not %s", fact.Key, row[5], tag)
			}
		}
		if row[6] != fact.Brand {
			t.Errorf("%s has the brand %q, want %q", fact.Key, row[6], fact.Brand)
		}
	}
}

// TestWorldMergesDuplicatesOnly leaves out the list of licensed child care, of which every centre is in OpenStreetMap too, and
// stops, of which no place of the same name is asked.
func TestWorldMergesDuplicatesOnly(t *testing.T) {
	file := filepath.Join(townsDir(t), "first", schemas.POIsFile)
	merged := map[string]string{}
	for _, row := range rows(t, file,
		`SELECT merged_key, kept_key FROM poi_merge WHERE concat(merged_key, kept_key) NOT LIKE '%child-care:%' AND reason NOT LIKE 'stop %'`) {
		merged[row[0]] = row[1]
	}
	facts := fixturetest.World()
	for _, pair := range facts.Merges {
		if merged[pair.A] != pair.B && merged[pair.B] != pair.A {
			t.Errorf("%s and %s are duplicates, but were not merged", pair.A, pair.B)
		}
	}
	if len(merged) != len(facts.Merges) {
		t.Errorf("%d records were merged, want %d: %v", len(merged), len(facts.Merges), merged)
	}
	for _, pair := range facts.Apart {
		if _, gone := merged[pair.A]; gone {
			t.Errorf("%s was merged although it is not a duplicate of %s", pair.A, pair.B)
		}
		if _, gone := merged[pair.B]; gone {
			t.Errorf("%s was merged although it is not a duplicate of %s", pair.B, pair.A)
		}
	}
}

func TestWorldHasItsSchools(t *testing.T) {
	found := map[string][]string{}
	for _, row := range rows(t, filepath.Join(townsDir(t), "first", schemas.SchoolsFile), `SELECT authority_id, name, levels, types, coalesce(languages, ''), hex(substr(geometry, 7, 16)),
		(SELECT count(*) FROM school_catchment c WHERE c.school_fid = s.fid), (SELECT count(*) FROM school_source r WHERE r.school_key = s.school_key AND r.region = s.region AND r.reason <> 'rating') FROM school s`) {
		box, err := hex.DecodeString(row[5]) // the box of a geometry begins with its west and south
		if err != nil {
			t.Fatal(err)
		}
		row[5] = degrees4(math.Float64frombits(binary.LittleEndian.Uint64(box))) + " " +
			degrees4(math.Float64frombits(binary.LittleEndian.Uint64(box[8:])))
		found[row[0]] = row[1:]
	}
	listed := 0
	for _, f := range fixturetest.World().Schools {
		got, there := found[f.AuthorityID]
		if there != f.Listed {
			t.Errorf("%s %s: is in the release: %v", f.AuthorityID, f.Name, there)
		}
		if !f.Listed || !there {
			continue
		}
		listed++
		language := got[3]
		if f.Language == "" {
			language = ""
		}
		want := []string{f.Name, strings.Join(f.Levels, ","), f.Type, f.Language, degrees4(f.Lng) + " " + degrees4(f.Lat),
			fmt.Sprint(f.Catchments), fmt.Sprint(f.Records)}
		if got = append(append(append([]string{}, got[:3]...), language), got[4:]...); !slices.Equal(got, want) {
			t.Errorf("%s is %q, want %q", f.AuthorityID, got, want)
		}
	}
	if listed != len(found) {
		t.Errorf("%d schools, want %d", len(found), listed)
	}
}

func degrees4(v float64) string { return fmt.Sprintf("%.4f", v) }

func TestWorldReportsItsDefects(t *testing.T) {
	manifest, err := schemas.ReadManifest(filepath.Join(townsDir(t), "first"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]int64{}
	for _, s := range manifest.Sources {
		for _, issue := range s.Issues {
			have[strings.Join([]string{s.Region, s.ID, string(issue.Severity), issue.Code}, "|")] = issue.Rows
			for _, d := range issue.Details {
				have[strings.Join([]string{s.Region, s.ID, string(issue.Severity), d.Detail}, "|")] = d.Rows
			}
		}
	}
	for _, d := range fixturetest.World().Defects {
		key := strings.Join([]string{d.Region, d.Source, d.Severity, d.Code}, "|")
		if have[key] != int64(d.Rows) {
			t.Errorf("%s: %d rows reported, want %d", key, have[key], d.Rows)
		}
	}
}

func TestNextReleaseKeepsAndReplacesIDs(t *testing.T) {
	dir := townsDir(t)
	ids := func(release string) map[string]string {
		out := map[string]string{}
		for _, row := range rows(t, filepath.Join(dir, release, schemas.GeographiesFile), `SELECT source_key, geog_id FROM geography`) {
			out[row[0]] = row[1]
		}
		return out
	}
	before, after := ids("first"), ids("next")
	replaced := map[string]string{}
	for _, row := range rows(t, filepath.Join(dir, "next", schemas.GeographiesFile), `SELECT geog_id, replaced_by FROM geography_superseded`) {
		replaced[row[0]] = strings.TrimPrefix(row[1], "NULL")
	}
	key := map[string]string{}
	for _, facts := range []fixturetest.Facts{fixturetest.World(), fixturetest.NextWorld()} {
		for _, g := range facts.Geographies {
			for source := range before {
				if strings.HasSuffix(source, ":"+g.ID) {
					key[g.Key] = source
				}
			}
			for source := range after {
				if strings.HasSuffix(source, ":"+g.ID) {
					key[g.Key] = source
				}
			}
		}
	}
	touched := map[string]bool{}
	for _, change := range fixturetest.World().Changes {
		for _, from := range change.From {
			to, successor := "none", ""
			if len(change.To) > 0 {
				to = change.To[0]
				successor = after[key[to]]
			}
			if key[from] == "" || len(change.To) > 0 && successor == "" {
				t.Fatalf("%s: the releases lack %s or %s", change.Kind, from, to)
			}
			old := before[key[from]]
			touched[old] = true
			if change.Kind == "renamed" {
				if after[key[from]] != old {
					t.Errorf("%s was only renamed, but its id changed from %s to %s", from, old, after[key[from]])
				}
				continue
			}
			if by, superseded := replaced[old]; old == "" || !superseded || by != successor {
				t.Errorf("%s: %s (%s) is replaced by %q, want %s (%s)", change.Kind, from, old, by, to, successor)
			}
		}
	}
	for source, id := range before {
		if !touched[id] && after[source] != id {
			t.Errorf("%s is unchanged, but its id changed from %s to %q", source, id, after[source])
		}
	}
}
