// Package cmd_test holds the rules between the folders.
package cmd_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed is who may import whom among our folders; ARCHITECTURE.md gives the reasons.
var allowed = map[string][]string{
	"schemas":             {},
	"internal/geo":        {},
	"internal/sqlrow":     {},
	"internal/duck":       {"internal/sqlrow"},
	"internal/spatialite": {"internal/geo"},
	"internal/coord":      {"internal/geo"},
	"internal/pointindex": {"internal/coord", "internal/geo"},
	"internal/pack":       {"schemas", "internal/coord", "internal/geo", "internal/network", "internal/areal", "internal/margin"}, // pack/access keeps the tables of a network, pack/smallareas adds up areas
	"internal/network":    {"internal/coord", "internal/geo"},
	"internal/areal":      {"internal/coord", "internal/geo"},
	"internal/margin":     {"schemas"},
	"internal/testenv":    {},
	"internal/demography": {"schemas", "internal/margin"},
	"internal/rating":     {"schemas"},
	"ingest":              {"schemas", "internal/geo", "internal/duck", "internal/sqlrow", "internal/spatialite", "internal/margin", "internal/testenv"},
	"transform":           {"schemas", "internal/geo", "internal/duck", "internal/sqlrow", "internal/spatialite", "internal/network", "internal/rating", "internal/coord", "internal/pack", "internal/pointindex", "internal/margin"},
	"build":               {"schemas", "internal/geo", "internal/duck", "internal/sqlrow", "internal/spatialite", "internal/coord", "internal/pointindex", "internal/pack", "internal/network", "internal/rating", "internal/areal", "internal/margin", "internal/demography"},
	"serve":               {"schemas", "internal/coord", "internal/geo", "internal/pack", "internal/areal", "internal/demography", "internal/margin"}, // serve/servetest packs figures with margins
	"fixtures":            {},
}

// folderOf is the rule's folder that a package of ours lies in, "" for another one.
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

func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range list(t, "-f", "{{.ImportPath}}:{{join .Imports \" \"}}", "./...") {
		pkg, imports, _ := strings.Cut(line, ":")
		folder := folderOf(pkg)
		if folder == "cmd" || folder == "bench" || pkg == "quartier" {
			continue
		}
		may, ruled := allowed[folder]
		if !ruled {
			t.Errorf("%s lies in a folder that has no rule", pkg)
			continue
		}
		seen[folder] = true
		for _, imported := range strings.Fields(imports) {
			other := folderOf(imported)
			if other != "" && other != folder && !slices.Contains(may, other) {
				t.Errorf("%s imports %s; %s may import of ours: %v", pkg, imported, folder, may)
			}
		}
	}
	for folder := range allowed {
		if !seen[folder] {
			t.Errorf("the rule for %s holds for no package", folder)
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

func TestOnlyTheFetcherOpensTheNetwork(t *testing.T) {
	for _, stage := range []string{"./ingest/...", "./transform/...", "./build/..."} {
		for _, line := range list(t, "-f", "{{.ImportPath}}:{{join .Imports \" \"}}", stage) {
			pkg, imports, _ := strings.Cut(line, ":")
			if pkg != "quartier/ingest/fetch" && slices.ContainsFunc(strings.Fields(imports), func(i string) bool { return i == "net" || i == "net/http" }) {
				t.Errorf("%s opens the network", pkg)
			}
		}
	}
}
