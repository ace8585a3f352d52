package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/paulmach/orb"

	"quartier/cmd/quartier/summary"
	"quartier/fixtures/overturefile"
	"quartier/internal/lockfile"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas"
)

// worldCopy copies the synthetic sources, for a test to damage.
func worldCopy(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sources")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(townsDir(t), "sources"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// undeclare removes the sha256 lines from the region files, so that readers find the damage, not the digest. Where a region file
// names the damaged file, it alone is changed.
func undeclare(t *testing.T, dir string, damaged ...string) {
	t.Helper()
	names := func(text string) bool {
		return slices.ContainsFunc(damaged, func(file string) bool { return strings.Contains(text, "/"+path.Base(file)+"\n") })
	}
	named := false
	edit(t, filepath.Join(dir, "regions"), func(text string) string {
		named = named || names(text)
		return text
	})
	edit(t, filepath.Join(dir, "regions"), func(text string) string {
		if named && !names(text) {
			return text
		}
		var kept []string
		for _, line := range strings.Split(text, "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "sha256:") {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "\n")
	})
}

// edit rewrites every file in a folder.
func edit(t *testing.T, path string, change func(string) string) {
	t.Helper()
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(p, []byte(change(string(data))), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func half(text string) string { return text[:len(text)/2] }

func TestDamagedSourcesAreNamedAndTheReleaseIsKept(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file   string // relative to the sources; may be a folder
		change func(string) string
		code   int
		says   []string
	}{
		"shapefile zip cut": {"tiger/tl_2023_50_place.zip", half, exitBadInput, []string{"place-vt", "tl_2023_50_place.zip"}},
		"shapefile zip empty": {"statcan/lcsd_000b21a_e.zip", func(string) string { return "" }, exitBadInput,
			[]string{"csd", "lcsd_000b21a_e.zip"}},
		"GeoJSON cut": {"opendata/saint-aubin_quartiers.geojson", half, exitBadInput,
			[]string{"quartiers", "saint-aubin_quartiers.geojson"}},
		"GeoPackage cut": {"opendata/saint-aubin_arrondissements.gpkg", half, exitBadInput,
			[]string{"arrondissements", "saint-aubin_arrondissements.gpkg"}},
		"PBF cut":   {"osm/saint-aubin.osm.pbf", half, exitBadInput, []string{"osm", "saint-aubin.osm.pbf"}},
		"PBF empty": {"osm/saint-aubin.osm.pbf", func(string) string { return "" }, exitBadInput, []string{"osm", "empty"}},
		"XML cut":   {"osm/port-hollis.osm", half, exitBadInput, []string{"osm", "port-hollis.osm"}},
		"XML without end of a text": {"osm/port-hollis.osm", func(string) string { return `<osm><node id="` + strings.Repeat("1", 2<<20) },
			exitBadInput, []string{"osm", "line 1 (byte 10485", "a tag, text or comment has more than 1048576 bytes", "DATA.md lists the limits"}},
		"feature without end": {"opendata/saint-aubin_quartiers.geojson", func(string) string {
			return `{"type":"FeatureCollection","features":[{"id":"` + strings.Repeat("x", 65<<20)
		}, exitBadInput, []string{"quartiers", "feature 1 has more than 67108864 bytes", "feature_bytes", "DATA.md lists the limits"}},
		"Parquet cut":  {"overture/places-ca.parquet", half, exitBadInput, []string{"overture", "places-ca.parquet"}},
		"Overpass cut": {"overpass/landing.json", half, exitBadInput, []string{"overpass", "landing.json"}},
		"column missing": {"opendata/saint-aubin_lieux-municipaux.csv",
			func(s string) string { return strings.Replace(s, "LATITUDE", "HAUTEUR", 1) }, exitBadInput, []string{"lieux", "LATITUDE"}},
		"brand file cut": {"brands/amenity/cafe.json", half, exitBadInput, []string{"brands", "cafe.json"}},
		"GeoJSON in other CRS": {"opendata/saint-aubin_quartiers.geojson",
			func(s string) string { return strings.ReplaceAll(s, "-72.", "-7200.") }, exitBadInput, []string{"quartiers"}},
		"unknown kind": {"regions/us-port-hollis.yaml",
			func(s string) string { return strings.Replace(s, "kind: osm", "kind: osmium", 1) }, exitBadInput, []string{"osmium", "there are"}},
		"unknown option": {"regions/us-port-hollis.yaml", func(s string) string { return strings.Replace(s, "layout:", "lay_out:", 1) },
			exitBadInput, []string{"lay_out"}},
		"no licence": {"regions/us-port-hollis.yaml",
			func(s string) string { return strings.Replace(s, "licence:", "license:", 1) }, exitBadInput, []string{"license"}},
		"release file is not YAML": {"release.yaml", func(string) string { return "release: [" }, exitBadInput, []string{"release.yaml"}},
	}
	dir := townsDir(t)
	release := filepath.Join(t.TempDir(), "release")
	if err := os.CopyFS(release, os.DirFS(filepath.Join(dir, "first"))); err != nil {
		t.Fatal(err)
	}
	before, err := schemas.ReadManifest(release)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			sources := worldCopy(t)
			undeclare(t, sources, tt.file)
			edit(t, filepath.Join(sources, filepath.FromSlash(tt.file)), tt.change)
			code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--out", release, "--force", "--work",
				begin(t, t.TempDir()))
			if code != tt.code {
				t.Errorf("exit code %d, want %d\n%s", code, tt.code, errs)
			}
			message := lastError(errs)
			for _, text := range tt.says {
				if !strings.Contains(message, text) {
					t.Errorf("the error does not contain %q: %s", text, message)
				}
			}
			after, err := schemas.ReadManifest(release)
			if err != nil || after.Digest != before.Digest {
				t.Errorf("the existing release was touched: %v", err)
			}
		})
	}
}

// TestUnknownCategoriesEndTheBuild builds a region from a file of Overture places of which a third have categories of a list
// that is newer than the program.
func TestUnknownCategoriesEndTheBuild(t *testing.T) {
	sources := worldCopy(t)
	undeclare(t, sources, "places-ca.parquet")
	path := filepath.Join(sources, "overture", "places-ca.parquet")
	err := overturefile.Write(t.Context(), path, overturefile.Taxonomy, func(yield func(overturefile.Place) error) error {
		for i := range 90 {
			id := []string{"cafe", "parking", "moon_cafe"}[i%3]
			if i == 89 {
				id = "moon_bar"
			}
			p := overturefile.Place{ID: overturefile.ID(fmt.Sprint(i)), Point: orb.Point{-72.6, 45.04}, Name: "Lune",
				Hierarchy: []string{"food_and_drink", id}, Confidence: 1}
			if err := yield(p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	release, out := filepath.Join(sources, "release.yaml"), filepath.Join(t.TempDir(), "r")
	code, _, errs := quartier("build", "--release", release, "--out", out, "--work", begin(t, t.TempDir()))
	if code != exitBadInput {
		t.Errorf("exit code %d, want %d", code, exitBadInput)
	}
	for _, text := range []string{"source overture", "places-ca.parquet",
		"30 of 90, more than the 2 % allowed: 29× moon_cafe, 1× moon_bar", "max_unknown_categories"} {
		if !strings.Contains(lastError(errs), text) {
			t.Errorf("the error does not contain %q: %s", text, lastError(errs))
		}
	}
}

func lastError(errs string) string {
	_, message, _ := strings.Cut(errs, "quartier: error: ")
	return message
}

func TestChangedInputIsRefusedByDigest(t *testing.T) {
	sources := worldCopy(t)
	edit(t, filepath.Join(sources, "tiger", "tl_2023_50_place.zip"), func(s string) string { return s + "x" })
	code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--out", filepath.Join(t.TempDir(), "r"))
	if code != exitInputChanged || !strings.Contains(errs, "is declared") {
		t.Errorf("exit code %d, want %d\n%s", code, exitInputChanged, errs)
	}
}

func TestMissingFile(t *testing.T) {
	sources := worldCopy(t)
	if err := os.Remove(filepath.Join(sources, "tiger", "tl_2023_50_place.zip")); err != nil {
		t.Fatal(err)
	}
	code, _, errs := quartier("build", "--release", filepath.Join(sources, "release.yaml"), "--out", filepath.Join(t.TempDir(), "r"))
	if code != exitBadInput || !strings.Contains(errs, "source place-vt") || !strings.Contains(errs, "tl_2023_50_place.zip") ||
		!strings.Contains(errs, "correct the path") {
		t.Errorf("exit code %d, want %d\n%s", code, exitBadInput, errs)
	}
}

func TestPrintedFileContent(t *testing.T) {
	var message strings.Builder
	if code := report(&message, errors.New("a: bad file: \x1b[31m\nb")); code != exitFailure ||
		message.String() != "quartier: error: a: bad file: \uFFFD[31m\nb\n" {
		t.Errorf("%d, %q", code, message.String())
	}
	where := "acsdt5y2023-b25003.dat line 31: 1500000US500299650001" // shown in full
	if text := summary.Issue(schemas.ReleaseIssue{Rows: 1, Code: "bad",
		Example: where + " " + strings.Repeat("x", 80)}); !strings.Contains(text, where) || !strings.HasSuffix(text, "x…)") {
		t.Error(text)
	}
}

// flipped has another bit in the middle.
func flipped(s string) string {
	data := []byte(s)
	data[len(data)/2] ^= 1
	return string(data)
}

func TestVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	damages := map[string]func(t *testing.T, dir string){
		"flipped byte":   func(t *testing.T, dir string) { edit(t, filepath.Join(dir, schemas.POIsPack), flipped) },
		"truncated file": func(t *testing.T, dir string) { edit(t, filepath.Join(dir, schemas.POIsFile), half) },
		"extra file": func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"missing file": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, schemas.GeographiesFile)); err != nil {
				t.Fatal(err)
			}
		},
		"edited manifest": func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, schemas.ManifestFile), func(s string) string { return strings.Replace(s, "2025", "2024", 1) })
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "release")
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(townsDir(t), "first"))); err != nil {
				t.Fatal(err)
			}
			if code, _, errs := quartier("verify", dir); code != exitOK {
				t.Fatalf("a valid release fails verification\n%s", errs)
			}
			damage(t, dir)
			if code, _, errs := quartier("verify", dir); code != exitNotVerified {
				t.Errorf("exit code %d, want %d\n%s", code, exitNotVerified, errs)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	tests := map[string]struct {
		args []string
		code int
		says string
	}{
		"help":             {[]string{"--help"}, exitOK, ""},
		"no such command":  {[]string{"bild"}, exitUsage, "bild"},
		"no such flag":     {[]string{"build", "--ouT", "x"}, exitUsage, "ouT"},
		"no out":           {[]string{"build", "--release", "x"}, exitUsage, "out"},
		"nothing to build": {[]string{"build", "--out", "x"}, exitUsage, "--release"},
		"pbf and region":   {[]string{"build", "--out", "x", "--pbf", "x", "--region", "y"}, exitUsage, "--pbf"},
		"bad variable":     {[]string{"build", "--out", "x", "--region", "y", "--var", "DATA"}, exitUsage, "NAME=VALUE"},
		"bad date":         {[]string{"build", "--out", "x", "--pbf", "x", "--as-of", "yesterday"}, exitUsage, "as-of"},
		"no region file":   {[]string{"build", "--out", "x", "--region", "nowhere.yaml"}, exitBadInput, "nowhere.yaml"},
		"verify nothing":   {[]string{"verify"}, exitUsage, "DIR"},
		"verify nowhere":   {[]string{"verify", "nowhere"}, exitNotVerified, "nowhere"},
		"account no state": {[]string{"account", "create", "--customer", "x"}, exitUsage, "state"},
		"account bad region": {[]string{"account", "create", "--customer", "x", "--state", "sqlite:" + os.DevNull + "/x", "--regions", "FR"},
			exitFailure, ""},
		"account no regions": {[]string{"account", "create", "--customer", "x", "--state", "STATE", "--regions", ""}, exitUsage,
			"--regions is empty"},
		"revoke nobody":     {[]string{"account", "revoke", "--state", "STATE", "qc_nobody"}, exitFailure, "unknown client"},
		"state of a server": {[]string{"account", "list", "--state", "mysql://u:hunter2@h/d"}, exitUsage, "sqlite:PATH or postgres://"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for i, arg := range tt.args {
				if arg == "STATE" {
					tt.args[i] = "sqlite:" + filepath.Join(t.TempDir(), "state.db")
				}
			}
			code, _, errs := quartier(tt.args...)
			if code != tt.code || !strings.Contains(errs, tt.says) || strings.Contains(errs, "hunter2") {
				t.Errorf("exit code %d, want %d, and %q in\n%s", code, tt.code, tt.says, errs)
			}
		})
	}
}

func TestExistingReleaseNeedsForce(t *testing.T) {
	dir := townsDir(t)
	code, _, errs := quartier("build", "--release", filepath.Join(dir, "sources", "release.yaml"), "--out", filepath.Join(dir, "first"))
	if code != exitFailure || !strings.Contains(errs, "--force") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

func TestInterruptedBuildPublishesNothing(t *testing.T) {
	dir := townsDir(t)
	out := filepath.Join(t.TempDir(), "release")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"quartier", "build", "--release", filepath.Join(dir, "sources", "release.yaml"), "--out", out}, &stdout, &stderr)
	if code != exitInterrupted {
		t.Errorf("exit code %d, want %d\n%s", code, exitInterrupted, stderr.String())
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was published: %v", err)
	}
}

// TestFullDisk builds on file systems that are too small, of several sizes, so that the disk is full in several stages.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	sources := filepath.Join(townsDir(t), "sources", "release.yaml")
	for _, size := range []string{"200k", "2m", "6m", "9m"} {
		t.Run(size, func(t *testing.T) {
			mount := t.TempDir()
			if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", mount).CombinedOutput(); err != nil {
				t.Skipf("a small file system cannot be mounted here: %v %s", err, out)
			}
			t.Cleanup(func() {
				// A database that cannot be flushed stays open until the program ends.
				if err := syscall.Unmount(mount, syscall.MNT_DETACH); err != nil {
					t.Error(err)
				}
			})
			out := filepath.Join(mount, "release")
			code, _, errs := quartier("build", "--release", sources, "--out", out)
			if code != exitBadInput || !strings.Contains(lastError(errs), "too little free disk space") {
				t.Errorf("exit code %d, want %d and a message about the estimate:\n%s", code, exitBadInput, lastError(errs))
			}
			code, _, errs = quartier("build", "--release", sources, "--out", out, "--ignore-disk")
			if code != exitFailure || !strings.Contains(lastError(errs), "disk is full") {
				t.Errorf("exit code %d, want %d and a message about the full disk:\n%s", code, exitFailure, lastError(errs))
			}
			if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("something was published: %v", err)
			}
		})
	}
}

// An extract without the outline of its state is located by those of the program.
func TestExtractWithoutBoundaryIsBuilt(t *testing.T) {
	spatialitetest.Need(t)
	file, out := filepath.Join(t.TempDir(), "nothing.osm"), filepath.Join(t.TempDir(), "r")
	if err := os.WriteFile(file,
		[]byte(`<?xml version="1.0"?><osm version="0.6"><node id="1" lat="45.1" lon="-72"><tag k="amenity" v="cafe"/><tag k="name" `+
			`v="Nowhere"/></node></osm>`), 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "build", "--pbf", file, "--as-of", "2015-01-01", "--out", out)
	m, err := schemas.ReadManifest(out)
	if err != nil {
		t.Fatal(err)
	}
	if m.Counts.POIs != 1 || m.AsOf != "2015-01-01" || len(m.Sources) != 2 || m.Sources[1].Kind != schemas.OutlinesKind {
		t.Errorf("%d POIs as of %s from %+v", m.Counts.POIs, m.AsOf, m.Sources)
	}
}

func TestExtractOfAnotherCountryIsRefused(t *testing.T) {
	spatialitetest.Need(t)
	for name, c := range map[string]struct{ text, want string }{
		"in the header": {`<bounds minlat="47.5" minlon="7.5" maxlat="49.8" maxlon="10.5"/>`,
			"all of it lies at 47.50–49.80° N, 7.50–10.50° E, outside Canada and the United States"},
		"by its nodes": {`<node id="1" lat="48" lon="9"><tag k="place" v="state"/><tag k="name" v="Baden-Württemberg"/></node>`,
			"all of it lies in Baden-Württemberg, at 48.00° N, 9.00° E, outside Canada and the United States"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "abroad.osm")
			if err := os.WriteFile(file, []byte(`<?xml version="1.0"?><osm version="0.6">`+c.text+`</osm>`), 0o644); err != nil {
				t.Fatal(err)
			}
			code, _, errs := quartier("build", "--pbf", file, "--as-of", "2024-01-01", "--out", filepath.Join(t.TempDir(), "r"))
			if code != exitBadInput || strings.Count(errs, c.want) != 1 {
				t.Errorf("exit code %d, want %d and once %q:\n%s", code, exitBadInput, c.want, errs)
			}
		})
	}
}

func TestTwoBuildsDoNotShareAWorkFolder(t *testing.T) {
	t.Parallel()
	work := begin(t, t.TempDir())
	lock, err := lockfile.Acquire(work, "build")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "--release", filepath.Join(townsDir(t), "sources", "release.yaml"), "--out", filepath.Join(t.TempDir(), "r"),
		"--work", work}
	if code, _, errs := quartier(args...); code != exitHeld || !strings.Contains(errs, "--work") ||
		!strings.Contains(errs, "build, process ") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	mustRun(t, args...)
}

func TestDuplicateRegionIsRefusedBeforeWork(t *testing.T) {
	region := filepath.Join(townsDir(t), "sources", "regions", "us-port-hollis.yaml")
	code, _, errs := quartier("build", "--region", region, "--region", region, "--out", filepath.Join(t.TempDir(), "r"), "--dry-run")
	if code != exitBadInput || !strings.Contains(errs, "already defined in") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}
