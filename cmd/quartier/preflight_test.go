package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quartier/internal/spatialite/spatialitetest"
)

// replaceIn replaces a text in a file of the sources, which must have it.
func replaceIn(t *testing.T, file, old, with string) {
	t.Helper()
	edit(t, file, func(text string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %q", file, old)
		}
		return strings.Replace(text, old, with, 1)
	})
}

// lineOf is the number of the first line of a file with a text.
func lineOf(t *testing.T, file, text string) string {
	t.Helper()
	before, _, found := strings.Cut(readText(t, file), text)
	if !found {
		t.Fatalf("%s has no %q", file, text)
	}
	return strconv.Itoa(1 + strings.Count(before, "\n"))
}

// TestAllFaultsAtOnce damages region files in many ways. One run finds all of it, with lines, before any row is read.
func TestAllFaultsAtOnce(t *testing.T) {
	spatialitetest.Need(t)
	sources := worldCopy(t)
	us, ca := filepath.Join(sources, "regions", "us-port-hollis.yaml"), filepath.Join(sources, "regions", "ca-saint-aubin.yaml")
	replaceIn(t, us, "min_confidence: 0.2", "min_confidence: high\n      countrys: [US]")
	replaceIn(t, us, "kind: osm\n", "kind: osmium\n")
	replaceIn(t, us, "path: ../gtfs/hat.zip", "path: ../gtfs/hut.zip")
	replaceIn(t, us, "licence: Public-Domain", "license: Public-Domain")
	replaceIn(t, us, "key: RegionID", "key: RegionIDs")
	replaceIn(t, ca, "Parc: parks", "Parc: parc\n        École: ecoles")
	replaceIn(t, ca, "lat: LATITUDE", "lat: HAUTEUR")
	edit(t, filepath.Join(sources, "statcan", "lrnf000r21a_e.zip"), func(s string) string { return s + "x" })
	out := filepath.Join(sources, "release.yaml", "r") // in a file
	args := []string{"build", "--release", filepath.Join(sources, "release.yaml"), "--out", out, "--previous", sources}
	want := []string{
		"--out: " + filepath.Dir(out) + " cannot be written to",
		"--work: " + out + ".work cannot be written to",
		"--previous " + sources + ": no release",
		ca + ":" + lineOf(t, ca, "lat: HAUTEUR") + ": source lieux of region ca-saint-aubin: ", "no column HAUTEUR",
		ca + ":" + lineOf(t, ca, "Parc: parc\n") +
			": source lieux of region ca-saint-aubin: categories: \"parc\", of \"Parc\", is not the id of a category; the nearest are parks, ",
		ca + ":" + lineOf(t, ca, "École: ") + ": source lieux of region ca-saint-aubin: categories: \"ecoles\", of \"École\",",
		"source roads of region ca-saint-aubin: input changed: ",
		us + ":" + lineOf(t, us, "kind: osmium") + ": source osm of region us-port-hollis: unknown kind \"osmium\"; there are: acs, ",
		us + ":" + lineOf(t, us, "license: ") + ": unknown field license; there are: id, ",
		"it has no licence",
		"source values-neighborhood of region us-port-hollis: ", "no column RegionIDs",
		us + ":" + lineOf(t, us, "path: ../gtfs/hut.zip") + ": source hat of region us-port-hollis: missing file: ",
		us + ":" + lineOf(t, us, "min_confidence: high") + ": source overture of region us-port-hollis: min_confidence: `high` is not a number",
		us + ":" + lineOf(t, us, "countrys:") + ": source overture of region us-port-hollis: unknown option countrys; there are: ",
	}
	for _, dry := range [][]string{nil, {"--dry-run"}} {
		code, _, errs := quartier(append(args, dry...)...)
		if code != exitBadInput || strings.Contains(errs, "reading") || !strings.Contains(errs, "15 faults were found before any row was read:") {
			t.Errorf("exit code %d, want %d\n%s", code, exitBadInput, errs)
		}
		for _, text := range want {
			if !strings.Contains(errs, text) {
				t.Errorf("no %q in\n%s", text, errs)
			}
		}
	}
}

var completeClasses = regexp.MustCompile(`(?m)^    complete:(?: \[.*\])?\n(?: +- [a-z_]+\n)*`)

// TestFaultsOfFields has one mistake or two in each field of a region file that is not an option of a kind. Each is named
// with its line.
func TestFaultsOfFields(t *testing.T) {
	spatialitetest.Need(t)
	sources := worldCopy(t)
	us := withoutExtents(t, sources)
	replaceIn(t, us, "  vibrant: no town centre of the size of the reference place\n", "  vibrance: no town centre\n  vibrant: ' '\n"+
		"accept_disagreement:\n  wellness ~ park: alike\n  wellness ~ parks:\n")
	edit(t, us, func(text string) string { return completeClasses.ReplaceAllString(text, "") })
	replaceIn(t, us, "path: ../osm/port-hollis.osm\n", "path: ../osm/port-hollis.osm\n    complete:\n      - library\n"+
		"      - librarium\n    lacks: [stop]\n    max_rejected: 2\n    max_unknown_categories: 1.5\n"+
		"    limits: {tag_byte: 1}\n    extent:\n      box: [-52, 24, -141, 72]\n")
	replaceIn(t, us, "path: ../osm/landing.osm.pbf\n", "path: ../osm/landing.osm.pbf\n    lacks:\n      - park\n"+
		"    complete: [park]\n    extent: {boundary: [], box: [-141, 24, -52, 72]}\n")
	replaceIn(t, us, "path: ../gtfs/hat.zip\n",
		"path: ../gtfs/hat.zip\n    extent: {polygon: [[-72, 44], [-73, 45]]}\n    options:\n      partial: perhaps\n")
	at := func(text string) string { return us + ":" + lineOf(t, us, text) + ": " }
	code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--out", filepath.Join(t.TempDir(), "r"))
	if code != exitBadInput || strings.Contains(errs, "reading") {
		t.Errorf("exit code %d, want %d\n%s", code, exitBadInput, errs)
	}
	for _, text := range []string{
		at("  vibrance:") + "region us-port-hollis: accept_collapsed: unknown score \"vibrance\"; there are: ",
		at("  vibrant:") + "region us-port-hollis: accept_collapsed: vibrant has no reason",
		at("wellness ~ park:") + "region us-port-hollis: accept_disagreement: unknown pair \"wellness ~ park\"; there are: ",
		at("wellness ~ parks:") + "region us-port-hollis: accept_disagreement: wellness ~ parks has no reason",
		at("- librarium") + "source osm of region us-port-hollis: complete: unknown class \"librarium\"; there are: ",
		at("lacks: [stop]") + "source osm of region us-port-hollis: lacks: unknown class \"stop\"; there are: ",
		at("max_rejected: 2") + "source osm of region us-port-hollis: max_rejected is not a share of 0–1",
		at("max_unknown_categories: 1.5") + "source osm of region us-port-hollis: max_unknown_categories is not a share of 0–1",
		at("limits: {tag_byte") + "unknown field tag_byte; there are: ",
		at("box: [-52") + "source osm of region us-port-hollis: extent.box [-52 24 -141 72] is not [west, south, east, north] in degrees",
		at("- park\n") + "source osm-ny of region us-port-hollis: class park is both in complete and in lacks",
		at("extent: {boundary: []") + "source osm-ny of region us-port-hollis: extent has 2 of box, polygon and boundary, not one",
		at("extent: {polygon") + "source hat of region us-port-hollis: extent.polygon of 2 corners has no area",
		at("partial: perhaps") + "source hat of region us-port-hollis: partial: `perhaps` is not true or false",
	} {
		if strings.Count(errs, text) != 1 {
			t.Errorf("%d times %q in\n%s", strings.Count(errs, text), text, errs)
		}
	}
}

// withoutExtents removes the extents of all sources from a region file, and returns its path.
func withoutExtents(t *testing.T, sources string) string {
	t.Helper()
	us := filepath.Join(sources, "regions", "us-port-hollis.yaml")
	edit(t, us, func(text string) string {
		return regexp.MustCompile(`(?m)^    extent:\n(      .*\n)+`).ReplaceAllString(text, "")
	})
	return us
}

// TestExtentOfAnUnknownOutline names an outline that no source of the region has, which is known when all are staged.
func TestExtentOfAnUnknownOutline(t *testing.T) {
	spatialitetest.Need(t)
	sources := worldCopy(t)
	replaceIn(t, withoutExtents(t, sources), "path: ../osm/port-hollis.osm\n",
		"path: ../osm/port-hollis.osm\n    extent: {boundary: census:place:99}\n")
	code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--out", filepath.Join(t.TempDir(), "r"))
	if code != exitBadInput || !strings.Contains(lastError(errs), `source osm: extent.boundary "census:place:99"`) ||
		!strings.Contains(lastError(errs), "scheme and key") {
		t.Errorf("exit code %d, want %d\n%s", code, exitBadInput, lastError(errs))
	}
}

// TestCollapsedScalesFailABuild removes what the region files accept.
func TestCollapsedScalesFailABuild(t *testing.T) {
	t.Parallel()
	spatialitetest.Need(t)
	sources := worldCopy(t)
	edit(t, filepath.Join(sources, "regions"), func(text string) string {
		return regexp.MustCompile(`(?m)^accept_collapsed:\n(  .*\n)+`).ReplaceAllString(text, "")
	})
	out := filepath.Join(t.TempDir(), "r")
	code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--out", out)
	if code != exitBadInput {
		t.Errorf("exit code %d, want %d", code, exitBadInput)
	}
	for _, text := range []string{"collapsed scale: ", "region us-port-hollis: transit_friendly: the highest of its homes has ",
		"region ca-saint-aubin: vibrant: ", "accept_collapsed: {"} {
		if !strings.Contains(lastError(errs), text) {
			t.Errorf("no %q in\n%s", text, lastError(errs))
		}
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a release was published: %v", err)
	}
}

// TestSingleFaults has one mistake in each run, also with --dry-run.
func TestSingleFaults(t *testing.T) {
	t.Parallel()
	spatialitetest.Need(t)
	tests := map[string]struct {
		file, old, with string
		code            int
		says            []string
	}{
		"value of where": {"regions/ca-saint-aubin.yaml", "ISO_A2: CA", "ISO_A2: KA", exitBadInput,
			[]string{"source country", "where: no feature has ISO_A2 \"KA\"; there are: CA, US"}},
		"layout": {"regions/us-port-hollis.yaml", "layout: tiger-place", "layout: tiger-plaice", exitBadInput,
			[]string{"place-vt", "layout: \"tiger-plaice\" is none of ", "tiger-place"}},
		"week": {"regions/us-port-hollis.yaml", "    kind: gtfs\n", "    kind: gtfs\n    options: {week: 1999-01-04}\n",
			exitBadInput, []string{"source hat", "no service in the seven days from 1999-01-04"}},
		"sha256 alone": {"tiger/tl_2023_50_place.zip", "PK", "PKPK", exitInputChanged, []string{"place-vt", "is declared"}},
		"state of another country": {"regions/us-port-hollis.yaml", "country: US\n", "country: US\nstate: QC\n", exitBadInput,
			[]string{"state \"QC\" is not the code of a state or province of US"}},
		"region file is not a map": {"regions/us-port-hollis.yaml", "region: us-port-hollis", "- region", exitBadInput,
			[]string{"us-port-hollis.yaml:"}},
		"category before other rows": {"regions/ca-saint-aubin.yaml", "Bibliothèque: libraries", "Bibliothèque: librarium", exitBadInput,
			[]string{"source lieux", "\"librarium\""}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			sources := worldCopy(t)
			file := filepath.Join(sources, filepath.FromSlash(tt.file))
			replaceIn(t, file, tt.old, tt.with)
			out := filepath.Join(t.TempDir(), "r")
			code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--out", out, "--dry-run")
			if code != tt.code {
				t.Errorf("exit code %d, want %d\n%s", code, tt.code, errs)
			}
			for _, text := range tt.says {
				if !strings.Contains(lastError(errs), text) {
					t.Errorf("the error does not contain %q:\n%s", text, lastError(errs))
				}
			}
			if _, err := os.Stat(out + ".work"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the work folder was made: %v", err)
			}
		})
	}
}

// TestSourcesThatNeedOthers has small areas without census tables of them, and jobs of areas without their outlines.
func TestSourcesThatNeedOthers(t *testing.T) {
	spatialitetest.Need(t)
	for source, want := range map[string]string{
		"kind: zones, path: ../tiger/tl_2023_us_county.zip, options: {scheme: statcan:da, key: GEOID}": "no source of the region has tables " +
			"of statcan:da",
		"kind: jobs, path: ../lodes/vt_wac_S000_JT00_2021.csv.gz, options: {layout: lodes8-wac}": "its rows are of census areas, whose " +
			"outlines no source of the region has: add one of kind blocks or zones",
	} {
		region := filepath.Join(worldCopy(t), "regions", "alone.yaml")
		text := "region: alone\ncountry: US\nsources:\n  - {id: one, as_of: 2023-01-01, licence: CC0-1.0, attribution: x, " + source + "}\n"
		if err := os.WriteFile(region, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errs := quartier("build", "--region", region, "--out", filepath.Join(t.TempDir(), "r"), "--dry-run")
		if code != exitBadInput || !strings.Contains(errs, "source one of region alone: "+want) {
			t.Errorf("exit code %d\n%s", code, errs)
		}
	}
}

// TestSourceThatLeavesNothing has sources of which nothing is in the release.
func TestSourceThatLeavesNothing(t *testing.T) {
	t.Parallel()
	spatialitetest.Need(t)
	swap := func(t *testing.T, sources string) {
		region := filepath.Join(sources, "regions", "ca-saint-aubin.yaml")
		replaceIn(t, region, "lat: LATITUDE", "lat: TEMPORARY")
		replaceIn(t, region, "lng: LONGITUDE", "lng: LATITUDE")
		replaceIn(t, region, "lat: TEMPORARY", "lat: LONGITUDE")
	}
	tests := map[string]struct {
		region string
		damage func(t *testing.T, sources string)
		says   []string
	}{
		"swapped coordinates": {"ca-saint-aubin", swap,
			[]string{"source lieux", "outside Canada and the United States", "with longitude and latitude swapped, 8 of 8 would be"}},
		"timetable without calendar": {"us-port-hollis", func(t *testing.T, sources string) {
			editZip(t, filepath.Join(sources, "gtfs", "hat.zip"), func(name, text string) string {
				if strings.HasPrefix(name, "calendar") {
					text, _, _ = strings.Cut(text, "\n")
					text += "\n"
				}
				return text
			})
		}, []string{"nothing is left of the source: ", "hat.zip: none of its ", "trips runs on any day: ",
			"× unknown_service (The service of the trip is in no calendar file.)"}},
		"box elsewhere": {"us-port-hollis", func(t *testing.T, sources string) {
			replaceIn(t, filepath.Join(sources, "regions", "us-port-hollis.yaml"), "min_confidence: 0.2", "bbox: [-90, 30, -89, 31]")
		}, []string{"nothing is left of the source overture, file places-us.parquet: none of its ", "× outside_bbox"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			sources := worldCopy(t)
			undeclare(t, sources)
			tt.damage(t, sources)
			code, _, errs := quartier("build", "--region", filepath.Join(sources, "regions", tt.region+".yaml"), "--out",
				filepath.Join(t.TempDir(), "r"))
			if code != exitBadInput {
				t.Errorf("exit code %d, want %d\n%s", code, exitBadInput, errs)
			}
			for _, text := range tt.says {
				if !strings.Contains(lastError(errs), text) {
					t.Errorf("the error does not contain %q:\n%s", text, lastError(errs))
				}
			}
		})
	}
}

// editZip rewrites the text files of an archive.
func editZip(t *testing.T, path string, change func(name, text string) string) {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, member := range archive.File {
		r, err := member.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		to, err := w.Create(member.Name)
		if err == nil {
			_, err = io.WriteString(to, change(member.Name, string(data)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}
