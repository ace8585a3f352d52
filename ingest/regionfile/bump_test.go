package regionfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest"
	"quartier/ingest/source"
)

// inputOf is a source of a region for its kind.
func inputOf(region *ingest.Region, s *ingest.Source) source.Input {
	return source.Input{Source: s.ID, Path: "/nowhere/" + s.ID, Country: region.Country, State: region.State, Options: s.Options}
}

const dated = `# keep me
region: us-or # and me
title: Oregon
country: US
state: 'OR'
sources:
  # a comment
  - id: municipalities
    kind: boundaries
    url: "https://www2.census.gov/geo/tiger/TIGER2023/PLACE/tl_2023_41_place.zip" # in quotes
    sha256: ` + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" + `
    as_of: 2023-01-01
    licence: public domain
    attribution: US Census Bureau
    options: {layout: tiger-place}
  - {id: block-groups, kind: zones, url: https://www2.census.gov/geo/tiger/TIGER2022/BG/tl_2022_41_bg.zip, sha256: ` +
	"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" + `, as_of: 2022-01-01, licence: é, attribution: US, options: {layout: tiger-bg}}
  - id: acs-b01003
    kind: acs
    url: https://www2.census.gov/programs-surveys/acs/summary_file/2022/table-based-SF/data/5YRData/acsdt5y2022-b01003.dat
    as_of: 2022-12-31
    licence: public domain
    attribution: US Census Bureau, American Community Survey, 5-year estimates to 2022
    options: {states: [OR]}
  - id: schools
    kind: nces
    url: https://nces.ed.gov/ccd/Data/zip/ccd_sch_029_2223_w_1a_083023.zip
    as_of: 2022-10-01
    licence: public domain
    attribution: NCES
  - id: mine
    kind: places
    url: https://example.org/parks.csv
    as_of: 2022-10-01
    licence: CC0-1.0
    attribution: me
`

// years is a Look of a publisher that has the files of some years.
func years(there ...string) Look {
	look := silent
	look.Has = func(_ context.Context, url string) (bool, int64, error) {
		for _, part := range there {
			if strings.Contains(url, part) {
				return true, 7, nil
			}
		}
		return false, 0, nil
	}
	return look
}

func bumped(t *testing.T, look Look) (changes []Change, notes, after string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "region.yaml")
	if err := os.WriteFile(file, []byte(dated), 0o600); err != nil {
		t.Fatal(err)
	}
	region := readRegion(t, file)
	changes, list, err := Bump(t.Context(), region, "", look)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Edit([]byte(dated), changes)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	readRegion(t, file)
	return changes, strings.Join(list, "\n"), string(text)
}

// TestBump finds the newest year of each source, of those that belong together the newest that all have, past a year that
// was left out, and changes nothing else.
func TestBump(t *testing.T) {
	changes, notes, after := bumped(t, years("tl_2025_41_place", "tl_2023_41_bg", "tl_2024_41_bg", "tl_2025_41_bg", "acsdt5y2023-",
		"acsdt5y2024-"))
	var got []string
	for _, c := range changes {
		got = append(got, c.Source+" "+c.From+" "+c.To)
	}
	want := "municipalities 2023 2025, block-groups 2022 2024, acs-b01003 2022 2024, schools 2022-23 2024-25"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	for _, part := range []string{"# keep me", "# and me", "  # a comment\n", "# in quotes", "tl_2025_41_place.zip # in quotes",
		"as_of: 2025-01-01", "tl_2024_41_bg.zip, as_of: 2024-01-01, licence: é", "acsdt5y2024-b01003.dat", "as_of: 2024-12-31",
		"estimates to 2024",
		"ccd_sch_029_2425_w_1a_073025.zip", "as_of: 2024-10-01", "https://example.org/parks.csv"} {
		if !strings.Contains(after, part) {
			t.Errorf("%q is not in\n%s", part, after)
		}
	}
	if strings.Contains(after, "sha256") || strings.Contains(after, ", }") || strings.Count(after, "\n") != strings.Count(dated, "\n")-1 {
		t.Errorf("a sha256 is left, or a line is missing:\n%s", after)
	}
	if !strings.Contains(notes, "mine: not known") || !strings.Contains(notes, "block-groups: 2025 is there, and others") {
		t.Error(notes)
	}
	if d := Diff([]byte(dated), []byte(after)); !strings.Contains(d, "-    sha256: aaaa") || strings.Contains(d, "# a comment") {
		t.Error(d)
	}
}

// TestBumpWithoutAnswer changes only what the catalogue knows.
func TestBumpWithoutAnswer(t *testing.T) {
	changes, notes, after := bumped(t, silent)
	if len(changes) != 1 || changes[0].Source != "schools" ||
		!strings.Contains(notes, "municipalities: whether there is a vintage after 2023 is not known") {
		t.Errorf("%+v\n%s\n%s", changes, notes, after)
	}
	if changes, _, after = bumped(t, years()); len(changes) != 1 || !strings.Contains(after, "sha256: aaaa") {
		t.Errorf("%+v\n%s", changes, after)
	}
}

// TestBumpOverture takes the newest release.
func TestBumpOverture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "region.yaml")
	const text = `region: us-dc
title: DC
sources:
  - id: overture-places
    kind: overture
    url: overture://2026-06-17.0/places/place/-77.12,38.79,-76.9,39.parquet
    as_of: 2026-06-17
    licence: CDLA-Permissive-2.0
    attribution: Overture
    options: {bbox: [-77.12, 38.79, -76.9, 39]}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	changes, notes, err := Bump(t.Context(), readRegion(t, file), "", mirrored("testdata/mirror"))
	if err != nil || len(changes) != 1 || changes[0].To != "2026-08-19.0" || changes[0].AsOf != "2026-08-19" ||
		changes[0].URL != "overture://2026-08-19.0/places/place/-77.12,38.79,-76.9,39.parquet" {
		t.Errorf("%+v %v %v", changes, notes, err)
	}
	if changes, notes, err = Bump(t.Context(), readRegion(t, file), "", silent); err != nil || len(changes) != 0 || len(notes) == 0 {
		t.Errorf("%+v %v %v", changes, notes, err)
	}
}

// TestBumpOfADay takes what changes every day as of a day, where one is given.
func TestBumpOfADay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "region.yaml")
	const text = `region: us-de
title: Delaware
sources:
  - id: osm
    kind: osm
    url: https://download.geofabrik.de/north-america/us/delaware-latest.osm.pbf
    as_of: 2026-10-03
    licence: ODbL-1.0
    attribution: © OpenStreetMap contributors
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string]int{"": 0, "2026-10-03": 0, "2026-11-03": 1} {
		changes, notes, err := Bump(t.Context(), readRegion(t, file), day, silent)
		if err != nil || len(changes) != want || (len(notes) == 0) != (day != "") {
			t.Errorf("%q: %+v %v %v", day, changes, notes, err)
		}
		after, err := Edit([]byte(text), changes)
		if err != nil || strings.Contains(string(after), "as_of: 2026-11-03") != (want == 1) {
			t.Errorf("%q: %v\n%s", day, err, after)
		}
	}
}

// TestEditsThatCannotBe are refused with what to do.
func TestEditsThatCannotBe(t *testing.T) {
	const folded = "region: x\nsources:\n  - id: a\n    url: >-\n      https://h/a\n    as_of: 2020-01-01\n"
	_, err := Edit([]byte(folded), []Change{{Source: "a", URL: "https://h/b"}})
	if err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Error(err)
	}
	if _, err = Edit([]byte(folded), []Change{{Source: "b"}}); err == nil {
		t.Error("a source that is not there is changed")
	}
	if _, err = Edit([]byte("["), nil); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
