package place_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/schemas/bundle"
	"quartier/schemas/place"
)

// A field of Attributes is a text with a column and a member of one name, absent where it is empty, and is described.
func TestFields(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[place.Attributes]()) {
		name, null, _ := strings.Cut(f.Tag.Get("col"), ",")
		if f.Type.Kind() != reflect.String || null != "null" || f.Tag.Get("json") != name+",omitempty" {
			t.Errorf("%s is a %s of column %q and member %q", f.Name, f.Type, f.Tag.Get("col"), f.Tag.Get("json"))
		}
		if doc := f.Tag.Get("doc"); !strings.HasSuffix(doc, ".") || strings.ContainsAny(doc, "\n'\"") {
			t.Errorf("%s is described by %q", f.Name, doc)
		}
		if enum := f.Tag.Get("enum"); enum != "" && len(place.Vocabularies[enum].Words) == 0 {
			t.Errorf("%s has a value of %s, which has none", f.Name, enum)
		}
	}
}

// Each table of places has a column for each attribute, once.
func TestTablesHaveAttributes(t *testing.T) {
	want := ""
	for _, a := range place.All {
		want += fmt.Sprintf("    %s TEXT, -- %s\n", a.Name, a.Doc)
	}
	for name, ddl := range map[string]string{"staged": schemas.Staged, "derived": schemas.Derived, "pois.sqlite": bundle.POIs} {
		if strings.Count(ddl, want) != 1 || strings.Contains(ddl, "ATTRIBUTES") {
			t.Errorf("%s does not have once\n%s", name, want)
		}
	}
}
