package places

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/xlsx/xlsxtest"
)

// A sheet of a workbook is a table as a CSV file is.
func TestSheets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "parks.xlsx")
	book := xlsxtest.Book(t, "notes|of May", "id|name|lng|lat\n#7|Elm, \"B\"|#-75.695400000000006|#45.421\n#8|No place")
	if err := os.WriteFile(path, book, 0o600); err != nil {
		t.Fatal(err)
	}
	options := "{name: name, key: id, lng: lng, lat: lat, category: parks, sheet: %s}"
	var r sourcetest.Record
	in := source.Input{Source: "s", Path: path, Options: sourcetest.Options(t, fmt.Sprintf(options, "Sheet2"))}
	if err := Kind.Stage(t.Context(), in, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.POIs) != 1 || r.POIs[0].Name != `Elm, "B"` || r.POIs[0].Key != "s:7" || len(r.Issues) != 1 ||
		!strings.HasPrefix(r.Issues[0], "missing_geometry @ parks.xlsx line 3") {
		t.Errorf("%+v, %v", r.POIs, r.Issues)
	}
	in.Options = sourcetest.Options(t, fmt.Sprintf(options, "May"))
	if err := Kind.Check(t.Context(), in); err == nil || !strings.Contains(err.Error(), `no such sheet "May"; there are: Sheet1, Sheet2`) {
		t.Error(err)
	}
	in.Options = sourcetest.Options(t, fmt.Sprintf(options, "Sheet1"))
	if err := Kind.Check(t.Context(), in); err == nil || !strings.Contains(err.Error(), "no column") {
		t.Error(err)
	}
}
