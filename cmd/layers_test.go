// Package cmd_test checks the rules between packages.
package cmd_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowed lists the folders of this module that each folder may import; ARCHITECTURE.md gives the reasons.
var allowed = map[string][]string{
	"schemas":              {},
	"internal/address":     {"schemas"},
	"internal/geo":         {},
	"internal/parallel":    {},
	"internal/extent":      {"internal/coord", "internal/geo", "internal/parallel"},
	"internal/estimate":    {},
	"internal/stamp":       {},
	"internal/deflate64":   {},
	"internal/filekind":    {},
	"internal/xlsx":        {},
	"internal/lockfile":    {},
	"internal/signature":   {},
	"internal/code":        {"internal/stamp"},
	"internal/machine":     {},
	"internal/timezone":    {},
	"internal/wellknown":   {},
	"internal/wkt":         {"internal/wellknown"},
	"internal/shapes":      {"internal/geo", "internal/wellknown", "internal/wkt"},
	"internal/plan":        {},
	"internal/wholefile":   {},
	"internal/store":       {"schemas", "internal/lockfile", "internal/signature", "internal/wholefile"},
	"internal/sqlrow":      {},
	"internal/sqlitepages": {},
	"internal/duck":        {"internal/sqlrow"},
	"internal/arrowfile":   {"internal/geo", "internal/wellknown", "internal/filekind"},
	"internal/spatialite":  {"internal/geo", "internal/testenv"},
	"internal/coord":       {"internal/geo"},
	"internal/household":   {"schemas", "internal/coord", "internal/geo", "internal/pack", "internal/pointindex"},
	"internal/outline":     {"internal/coord", "internal/geo"},
	"internal/pointindex":  {"internal/coord", "internal/geo"},
	"internal/pmtiles":     {},
	"internal/sorter":      {},
	// pack/access stores the tables of a network, pack/smallareas sums areas
	"internal/pack": {"schemas", "internal/coord", "internal/geo", "internal/network", "internal/areal", "internal/margin",
		"internal/pointindex", "internal/sorter", "internal/timezone", "internal/address", "internal/travel"},
	// straight lines to the places around
	"internal/network":    {"internal/coord", "internal/geo", "internal/pointindex"},
	"internal/travel":     {"internal/coord", "internal/geo", "internal/network", "internal/parallel", "internal/pointindex"},
	"internal/areal":      {"internal/coord", "internal/geo"},
	"internal/margin":     {"schemas"},
	"internal/testenv":    {"internal/machine"}, // inmemory asks for room
	"internal/demography": {"schemas", "internal/margin"},
	"internal/rating":     {"schemas", "internal/wording"},
	"internal/wording":    {"schemas"},
	"internal/prose":      {"schemas"},
	"ingest": {"schemas", "internal/geo", "internal/duck", "internal/sqlrow", "internal/spatialite", "internal/margin",
		"internal/outline", "internal/testenv", "internal/wellknown", "internal/arrowfile", "internal/coord",
		"internal/deflate64", "internal/filekind", "internal/xlsx", "internal/wholefile", "internal/lockfile", "internal/address"},
	// market finds geographies by the pack of a release
	"transform": {"schemas", "internal/geo", "internal/duck", "internal/sqlrow", "internal/spatialite", "internal/parallel",
		"internal/network", "internal/rating", "internal/coord", "internal/outline", "internal/pointindex", "internal/margin", "internal/extent",
		"internal/pack", "internal/sorter", "internal/timezone", "internal/wording", "internal/address"},
	"build": {"schemas", "internal/geo", "internal/duck", "internal/sqlrow", "internal/spatialite", "internal/parallel",
		"internal/coord", "internal/pointindex", "internal/pack", "internal/network", "internal/rating", "internal/areal", "internal/margin",
		"internal/demography", "internal/household", "internal/prose", "internal/wording", "internal/stamp", "internal/lockfile",
		"internal/signature", "internal/wkt", "internal/sqlitepages", "internal/arrowfile", "internal/pmtiles", "internal/wellknown",
		"internal/timezone", "internal/travel", "internal/address"},
	// serve/servetest packs figures with margins
	"serve": {"schemas", "internal/address", "internal/coord", "internal/geo", "internal/pack", "internal/areal", "internal/demography",
		"internal/household", "internal/margin", "internal/outline", "internal/pointindex", "internal/signature", "internal/wkt",
		"internal/pmtiles", "internal/store", "internal/lockfile", "internal/wholefile", "internal/network",
		"internal/travel"},
	"internal/drill": {"schemas", "internal/geo", "internal/pack", "internal/wkt", "internal/testenv", "build", "serve"},
	"fixtures":       {},
	"client":         {},
}

// allowedInTests lists what the tests of each folder may import besides, and besides internal/testenv.
var allowedInTests = map[string][]string{
	"internal/arrowfile": {"internal/duck"},
	"internal/outline":   {"schemas"},
	"internal/travel":    {"ingest"}, // real streets
	"internal/timezone":  {"schemas"},
	"internal/wkt":       {"internal/geo"},
	"internal/wording":   {"internal/rating"},
	"ingest":             {"fixtures"},
	"transform":          {"fixtures", "ingest"},
	"build":              {"internal/drill", "serve"},
	"serve":              {"internal/drill"},
	"fixtures":           {"schemas", "internal/coord", "internal/network", "transform"},
	"client":             {"serve"},
}

// wings are the folders of transform and the others that each may import: arrows go from people and measures to network,
// and from people and network to places.
var wings = map[string][]string{
	"transform/issue":      {},
	"transform/feature":    {},
	"transform/places":     {"transform/issue"},
	"transform/network":    {"transform/issue", "transform/feature", "transform/places"},
	"transform/addresses":  {"transform/issue"},
	"transform/jobs":       {"transform/issue"},
	"transform/lend":       {"transform/jobs", "transform/network"},
	"transform/travel":     {"transform/issue", "transform/network"},
	"transform/measures":   {"transform/issue", "transform/feature", "transform/network"},
	"transform/people":     {"transform/issue", "transform/feature", "transform/network", "transform/places"},
	"transform/market":     {},
	"transform/regiontest": {"transform/network", "transform/measures"},
}

// wingOfTests is a wing that only tests may import, those of every wing.
const wingOfTests = "transform/regiontest"

// folderOf returns the folder whose rule applies to a package, "" for packages of other modules.
func folderOf(pkg string) string {
	path, ours := strings.CutPrefix(pkg, "quartier/")
	if !ours {
		return ""
	}
	parts := strings.Split(path, "/")
	if parts[0] == "internal" && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

func list(t *testing.T, args ...string) []string {
	t.Helper()
	command := exec.Command("go", append([]string{"list"}, args...)...)
	command.Dir = ".."
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// importing is a package and what it imports, or what its tests do.
type importing struct {
	pkg     string
	imports []string
	tests   bool
}

// importsOf lists the packages of a pattern, each for itself and for its tests.
func importsOf(t *testing.T, pattern string) (all []importing) {
	t.Helper()
	const format = `{{.ImportPath}}:{{join .Imports " "}}:{{join .TestImports " "}} {{join .XTestImports " "}}`
	for _, line := range list(t, "-f", format, pattern) {
		parts := strings.SplitN(line, ":", 3)
		all = append(all, importing{parts[0], strings.Fields(parts[1]), false}, importing{parts[0], strings.Fields(parts[2]), true})
	}
	return all
}

func TestLayers(t *testing.T) {
	seen, needed := map[string]bool{}, map[[2]string]bool{}
	for _, p := range importsOf(t, "./...") {
		pkg := p.pkg
		folder := folderOf(pkg)
		if folder == "cmd" || folder == "bench" || pkg == "quartier" {
			continue
		}
		may, ruled := allowed[folder]
		if !ruled {
			t.Errorf("%s is in a folder without a rule", pkg)
			continue
		}
		seen[folder] = true
		for _, imported := range p.imports {
			other := folderOf(imported)
			if other == "" || other == folder || slices.Contains(may, other) || p.tests && other == "internal/testenv" {
				continue
			}
			if needed[[2]string{folder, other}] = true; !p.tests || !slices.Contains(allowedInTests[folder], other) {
				t.Errorf("%s (tests: %v) imports %s; %s may import only %v, and its tests %v", pkg, p.tests, imported, folder, may,
					allowedInTests[folder])
			}
		}
	}
	for folder := range allowed {
		if !seen[folder] {
			t.Errorf("the rule for %s matches no package", folder)
		}
	}
	for folder, may := range allowedInTests {
		for _, other := range may {
			if !needed[[2]string{folder, other}] {
				t.Errorf("no test of %s imports %s", folder, other)
			}
		}
	}
}

func TestWingsOfTransform(t *testing.T) {
	wingOf := func(pkg string) string {
		parts := strings.Split(strings.TrimPrefix(pkg, "quartier/"), "/")
		return strings.Join(parts[:min(2, len(parts))], "/")
	}
	for _, p := range importsOf(t, "./transform/...") {
		pkg := p.pkg
		wing := wingOf(pkg)
		if wing == "transform" {
			continue
		}
		may, ruled := wings[wing]
		if !ruled {
			t.Errorf("%s is in a wing without a rule", pkg)
		}
		for _, imported := range p.imports {
			other := wingOf(imported)
			inTest := p.tests && other == wingOfTests
			if strings.HasPrefix(imported, "quartier/transform") && other != wing && !slices.Contains(may, other) && !inTest {
				t.Errorf("%s (tests: %v) imports %s; %s may import only %v", pkg, p.tests, imported, wing, may)
			}
		}
	}
}

// buildOrder lists the packages of build such that each one imports only packages before it.
var buildOrder = []string{
	"build/identity", "build/released", "build/containment", "build/assembly", "build/homes", "build/previous", "build/scores",
	"build/measures", "build/estimates", "build/ground", "build/facts", "build/neighbours", "build/texts", "build/files",
	"build/packs", "build/tiles", "build/travel", "build/addresses", "build/verify", "build/compare", "build/gates", "build/diff",
	"build/publish", "build/steps",
	"build/private", "build/market", "build/explain", "build/export", "build/scorestats", "build/prosestats", "build",
}

func TestBuildFlowsOneWay(t *testing.T) {
	for _, p := range importsOf(t, "./build/...") {
		at := slices.Index(buildOrder, strings.TrimPrefix(p.pkg, "quartier/"))
		if at < 0 {
			t.Errorf("%s has no place in the order of build's packages", p.pkg)
		}
		for _, imported := range p.imports { // an external test imports its own package
			if i := slices.Index(buildOrder, strings.TrimPrefix(imported, "quartier/")); i > at && at >= 0 || i == at && !p.tests {
				t.Errorf("%s (tests: %v) imports %s, which comes after it", p.pkg, p.tests, imported)
			}
		}
	}
}

// TestProductsAreIndependent checks that the packages of endpoints do not import each other, except for the snapshot, which
// combines others.
func TestProductsAreIndependent(t *testing.T) {
	const products = "quartier/serve/product/"
	for _, p := range importsOf(t, "./serve/product/...") {
		another := func(imported string) bool { return strings.HasPrefix(imported, products) && imported != p.pkg }
		if p.pkg != products+"snapshot" && slices.ContainsFunc(p.imports, another) {
			t.Errorf("%s (tests: %v) imports another product: %s", p.pkg, p.tests, p.imports)
		}
	}
}

func TestServerLinksNeitherDuckDBNorSpatialite(t *testing.T) {
	deps := list(t, "-deps", "./cmd/quartierd")
	for _, dep := range deps {
		if strings.Contains(dep, "duckdb") || strings.Contains(dep, "apache/arrow") || strings.HasPrefix(dep, "quartier/internal/spatialite") {
			t.Errorf("quartierd links %s", dep)
		}
	}
	if !slices.Contains(deps, "quartier/serve") {
		t.Error("quartierd does not link the server; the test looks at the wrong program")
	}
}

func TestOnlyTheFleetLinksTemporal(t *testing.T) {
	for _, program := range []string{"quartier", "quartierd"} {
		for _, dep := range list(t, "-deps", "./cmd/"+program) {
			if strings.HasPrefix(dep, "go.temporal.io/") {
				t.Errorf("%s links %s", program, dep)
			}
		}
	}
	if !slices.Contains(list(t, "-deps", "./cmd/quartier-fleet"), "go.temporal.io/sdk/worker") {
		t.Error("quartier-fleet does not link Temporal; the test looks at the wrong programs")
	}
}

func TestOnlyTheFetcherOpensTheNetwork(t *testing.T) {
	for _, stage := range []string{"./ingest/...", "./transform/...", "./build/..."} {
		for _, line := range list(t, "-f", "{{.ImportPath}}:{{join .Imports \" \"}}", stage) {
			pkg, imports, _ := strings.Cut(line, ":")
			if pkg != "quartier/ingest/fetch" && slices.ContainsFunc(strings.Fields(imports),
				func(i string) bool { return i == "net" || i == "net/http" }) {
				t.Errorf("%s opens the network", pkg)
			}
		}
	}
}

// helpers are packages of others, of Parquet and of Temporal, with helpers for tests beside what programs use.
var helpers = []string{"github.com/apache/thrift/lib/go/thrift", "go.temporal.io/sdk/internal"}

func TestProgramsLinkNoTestCode(t *testing.T) {
	for _, line := range list(t, "-deps", "-f", "{{.ImportPath}}:{{join .Imports \" \"}}", "./cmd/...") {
		dep, imports, _ := strings.Cut(line, ":")
		helps := slices.Contains(strings.Fields(imports), "testing") && !slices.Contains(helpers, dep)
		if helps || strings.HasPrefix(dep, "quartier/") && strings.HasSuffix(dep, "test") || strings.HasPrefix(dep, "quartier/internal/testenv") {
			t.Errorf("a program links %s, which is for tests only or imports testing", dep)
		}
	}
}

// A wing is a folder within a layer, such as ingest/kinds; packages of one wing may import another's, but not both ways. Tests may:
// those of a package use what is built upon it.
func TestWingsImportOneWay(t *testing.T) {
	wing := func(pkg string) string {
		parts := strings.Split(strings.TrimPrefix(pkg, "quartier/"), "/")
		return strings.Join(parts[:min(2, len(parts))], "/")
	}
	first := map[[2]string]string{} // an import from one wing to another
	for _, line := range list(t, "-f", "{{.ImportPath}}:{{join .Imports \" \"}}", "./...") {
		pkg, imports, _ := strings.Cut(line, ":")
		for _, imported := range strings.Fields(imports) {
			from, to := wing(pkg), wing(imported)
			if !strings.HasPrefix(imported, "quartier/") || from == to {
				continue
			}
			first[[2]string{from, to}] = pkg + " imports " + imported
			if back, ok := first[[2]string{to, from}]; ok {
				t.Errorf("%s and %s import each other: %s, %s", from, to, first[[2]string{from, to}], back)
			}
		}
	}
	for folder, may := range allowed {
		for _, other := range may {
			if slices.Contains(allowed[other], folder) {
				t.Errorf("%s and %s are allowed to import each other", folder, other)
			}
		}
	}
}

// Limits of a package, without its tests and generated files.
const (
	maxLines = 3500
	maxFiles = 30
)

func TestPackagesAreSmall(t *testing.T) {
	for _, line := range list(t, "-f", "{{.ImportPath}}:{{.Dir}}:{{join .GoFiles \" \"}} {{join .CgoFiles \" \"}}", "./...") {
		parts := strings.SplitN(line, ":", 3)
		lines, files := 0, 0
		for _, name := range strings.Fields(parts[2]) {
			body, err := os.ReadFile(filepath.Join(parts[1], name))
			if err != nil {
				t.Fatal(err)
			}
			if !generated.Match(body) {
				files++
				lines += bytes.Count(body, []byte("\n"))
			}
		}
		if lines > maxLines || files > maxFiles {
			t.Errorf("%s has %d lines in %d files; divide it: at most %d lines and %d files", parts[0], lines, files, maxLines, maxFiles)
		}
	}
}
