package main

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quartier/schemas/staged"
)

func TestFilesAreThoseOfTheDDL(t *testing.T) {
	files, err := generate("..")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the DDL gives (%v); run go generate ./schemas", path, err)
		}
	}
}

// Types written by hand have the columns of their tables, in their order.
func TestWrittenPartsMatchDDL(t *testing.T) {
	written := map[string]reflect.Type{"Listing": reflect.TypeFor[staged.Listing](), "ListingChange": reflect.TypeFor[staged.ListingChange]()}
	ddl, err := os.ReadFile("../listings.sql")
	if err != nil {
		t.Fatal(err)
	}
	tables := parse(string(ddl))
	for _, p := range parts {
		if !p.written {
			continue
		}
		at := slices.IndexFunc(tables, func(of table) bool { return "staged."+of.name == p.table })
		columns, err := tables[at].ranges(p.columns)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, c := range columns {
			kind, null, err := c.goType(false)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, fmt.Sprint(c.name, map[bool]string{true: ",null"}[null], " ", kind))
		}
		for _, f := range reflect.VisibleFields(written[p.name]) {
			got = append(got, f.Tag.Get("col")+" "+f.Type.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, table %s has %v", p.name, got, p.table, want)
		}
	}
}

// Every name is that of a table, so that none outlives its table.
func TestNamesAreOfTables(t *testing.T) {
	tables, columns := map[string]bool{}, map[string]bool{}
	for _, p := range packages {
		for _, name := range p.files {
			ddl, err := os.ReadFile("../" + name)
			if err != nil {
				t.Fatal(err)
			}
			for _, of := range parse(string(ddl)) {
				tables[p.name+"."+of.name] = true
				for _, c := range of.columns {
					columns[c.name] = true
				}
			}
		}
	}
	for name := range typeNames {
		if !tables[name] {
			t.Errorf("no table %s has the type %s", name, typeNames[name])
		}
	}
	for name := range embedded {
		if !tables[name] {
			t.Errorf("no table %s embeds %s", name, embedded[name])
		}
	}
	for _, p := range parts {
		if !tables[p.table] {
			t.Errorf("no table %s has the part %s", p.table, p.name)
		}
	}
	for _, name := range slices.Concat(zeroIsNull, flags) {
		if !columns[name] {
			t.Errorf("no column is named %s", name)
		}
	}
}

const ddl = `
-- A table with every type of column,
-- described in two lines.
CREATE TABLE thing (
    thing_key TEXT PRIMARY KEY,    -- a comment, with a comma
    name_fr   TEXT,
    text      TEXT NOT NULL,
    size      REAL,
    aadt      REAL,
    rapid     INTEGER NOT NULL,    -- 0
                                   -- or 1
    count     INTEGER,
    geom      POINT NOT NULL,
    more      ATTRIBUTES,          -- not described
    UNIQUE (name_fr, text)
);
CREATE TABLE other (
    name_fr   TEXT,
    size      REAL
);
`

func TestTypes(t *testing.T) {
	g := &generator{pkg: "release", sqlite: true, columns: map[string][]column{}}
	tables := parse(ddl)
	for i := range tables {
		if err := g.table(&tables[i]); err != nil {
			t.Fatal(err)
		}
	}
	want := "\n// Thing is a row of thing.\n// A table with every type of column,\n// described in two lines.\ntype Thing struct {\n" +
		"Key string `col:\"thing_key\"` // a comment, with a comma\nNameFR string `col:\"name_fr,null\"`\nText string `col:\"text\"`\n" +
		"Size *float64 `col:\"size\"`\nAADT float64 `col:\"aadt,null\"`\nRapid bool `col:\"rapid\"` // 0 or 1\nCount *int64 `col:\"count\"`\n" +
		"Geom []byte `col:\"geom\"`\nplace.Attributes\n}\n" +
		"\n// Other is a row of other.\ntype Other struct {\nNameFR string `col:\"name_fr,null\"`\nSize *float64 `col:\"size\"`\n}\n"
	if got := g.types.String(); got != want || !slices.Equal(g.imports, []string{"quartier/schemas/place"}) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got, want := tables[1].columns, []column{{"name_fr", "TEXT", "", true}, {"size", "REAL", "", true}}; !reflect.DeepEqual(got, want) {
		t.Errorf("other has %v, want %v", got, want)
	}
}

// What does not fit is an error: an unknown type, and an embedded struct of which a column is missing, can be NULL or has
// another type.
func TestFaults(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"size      REAL\n", "size      REAL\n", ""},
		{"rapid     INTEGER", "rapid     DECIMAL", "no Go type for DECIMAL"},
		{"name_fr   TEXT,\n    text", "name_en   TEXT,\n    text", "type Thing does not have all columns of release.Other"},
		{"name_fr   TEXT,\n    text", "name_fr   TEXT NOT NULL,\n    text", "type Thing does not have all columns of release.Other"},
		{"size      REAL,\n", "size      BIGINT,\n", "type Thing does not have all columns of release.Other"},
	} {
		g := &generator{pkg: "release", sqlite: true, columns: map[string][]column{}}
		changed := strings.Replace(ddl, test.old, test.new, 1)
		thing := parse(changed)[0]
		g.columns["release.Other"] = parse(changed)[1].columns
		err := g.write(thing.name, "Thing", "", "release.Other", thing.columns)
		if test.want == "" && err == nil || test.want != "" && err != nil && strings.Contains(err.Error(), test.want) {
			continue
		}
		t.Errorf("%q for %q: %v, want %q", test.new, test.old, err, test.want)
	}
}

// Tables of one type have the same columns.
func TestTablesOfOneType(t *testing.T) {
	const pair = "CREATE TABLE category (\n    id TEXT NOT NULL\n);\nCREATE TABLE base_category (\n    id TEXT%s\n);\n"
	for null, fits := range map[string]bool{" NOT NULL": true, "": false} {
		g := &generator{pkg: "release", sqlite: true, columns: map[string][]column{}}
		tables := parse(strings.Replace(pair, "%s", null, 1))
		err := g.table(&tables[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := g.table(&tables[1]); (err == nil) != fits {
			t.Errorf("a column%q: %v", null, err)
		}
	}
}
