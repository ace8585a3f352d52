package arrowfile

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"quartier/internal/testenv"
)

// checkGeo checks a value of the key geo by the schema of the format.
func checkGeo(t *testing.T, text string) error {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(testenv.ModuleRoot(), "schemas", "geoparquet-1.1.json"))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

// The metadata fit the schema of GeoParquet 1.1, without geometries too; others do not.
func TestGeoMetadataFitTheirSchema(t *testing.T) {
	var none, some extent
	some.add(box{-75, 45, -74, 46})
	some.addType("Point")
	some.addType("MultiPolygon Z")
	for _, e := range []extent{none, some} {
		text, err := e.describe("geometry")
		if err != nil {
			t.Fatal(err)
		}
		if err := checkGeo(t, text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		back, err := extentOf(text)
		if again, err2 := back.describe("geometry"); err != nil || err2 != nil || again != text {
			t.Errorf("%s was read as %s, %v, %v", text, again, err, err2)
		}
	}
	valid, _ := some.describe("geometry")
	for old, wrong := range map[string]string{`"1.1.0"`: `"1.0.0"`, `"WKB"`: `"WKT"`, `"Point"`: `"Dot"`, `[-75,45,`: `[45,`,
		`["bbox","xmax"]`: `["bbox","right"]`, `"primary_column"`: `"column"`} {
		if broken := strings.Replace(valid, old, wrong, 1); broken == valid || checkGeo(t, broken) == nil {
			t.Errorf("%s fits the schema", broken)
		}
	}
}
