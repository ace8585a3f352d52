package batch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quartier/build/export"
	"quartier/internal/testenv"
	"quartier/schemas/column"
	"quartier/serve/enrich"
)

var columnTag = regexp.MustCompile("`json:\"[^`]* column:\"([^\"]+)\"`")

// TestCatalogueOfColumns checks that what is exported, added to files and answered is in the catalogue, and that all columns of
// the catalogue are. Numbers in answers that are not in the catalogue have no place in the OpenAPI document.
func TestCatalogueOfColumns(t *testing.T) {
	used := map[string]int{column.All + "." + export.GeometryColumn: 1}
	for _, table := range export.Tables {
		for _, c := range table.Columns {
			used[c.Of.Key()]++
		}
	}
	for _, choice := range []enrich.Choice{everything, everyShapeGroup, {AddressLevel: "exact"}, {Reach: []string{"walk:15"}}} {
		for _, c := range world(t, choice).Columns() {
			used[c.Of]++
		}
	}
	for _, folder := range []string{"schemas", "serve"} {
		must(t, filepath.WalkDir(filepath.Join(testenv.ModuleRoot(), folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.Name() == "node_modules" {
				return errorOrSkip(err)
			}
			if !strings.HasSuffix(path, ".go") {
				return nil
			}
			text, err := os.ReadFile(path)
			for _, found := range columnTag.FindAllSubmatch(text, -1) {
				used[string(found[1])]++
			}
			return err
		}))
	}
	for _, key := range column.Keys() {
		if used[key] == 0 {
			t.Errorf("%s is nowhere", key)
		}
		delete(used, key)
	}
	for key := range used {
		t.Errorf("%s is not in the catalogue", key)
	}
}

func errorOrSkip(err error) error {
	if err == nil {
		return fs.SkipDir
	}
	return err
}
