package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quartier/internal/pack"
	"quartier/schemas"
)

// TestLayoutHasItsVersion compares the layout of a release with the one that is written down for its version: tables and columns of
// the SQLite files, sections of the packs, members of the manifest. Programs refuse releases by this version alone, so that a
// layout that changes needs another one.
func TestLayoutHasItsVersion(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	files, err := filepath.Glob(filepath.Join(release, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var layout strings.Builder
	for _, file := range files {
		fmt.Fprintln(&layout, filepath.Base(file))
		switch filepath.Ext(file) {
		case ".sqlite":
			for _, row := range rows(t, file, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'trigger' ORDER BY name") {
				if !spatialMetadata.MatchString(row[0]) {
					fmt.Fprintln(&layout, " ", statement(row[1]))
				}
			}
		case ".pack":
			for _, section := range sectionsOf(t, file) {
				fmt.Fprintln(&layout, " ", section)
			}
		case ".json":
			fmt.Fprintln(&layout, " ", members(reflect.TypeFor[schemas.Manifest]()))
		}
	}
	file := filepath.Join("testdata", "layout", fmt.Sprintf("%d.txt", schemas.ManifestSchema))
	if *update {
		if err := os.WriteFile(file, []byte(layout.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: -update writes down the layout of a new version", err)
	}
	if got := layout.String(); got != string(want) {
		for i, line := range strings.Split(got, "\n") {
			if !slices.Contains(strings.Split(string(want), "\n"), line) {
				t.Logf("line %d: %s", i+1, line)
			}
		}
		t.Errorf("the layout is not that of version %d (%s): once it was released, raise schemas.ManifestSchema, and write it down with -update",
			schemas.ManifestSchema, file)
	}
	if page, err := os.ReadFile("../../docs/releases.md"); err != nil ||
		!strings.Contains(string(page), fmt.Sprintf("layout, %d at present", schemas.ManifestSchema)) {
		t.Errorf("docs/releases.md does not say that the layout is %d at present, %v", schemas.ManifestSchema, err)
	}
}

// spatialMetadata are the tables and views of SpatiaLite, which differ by its version.
var spatialMetadata = regexp.MustCompile(
	`(?i)^(idx_|sqlite_|spatial|geometry_columns|geom_cols|views_|virts_|vector_layers|data_licenses|ElementaryGeometries|KNN|ISO_|` +
		`sql_statements)`)

// statement is a statement of DDL without comments and spaces that do not matter.
func statement(sql string) string {
	sql = regexp.MustCompile(`--[^\n]*`).ReplaceAllString(sql, "")
	return regexp.MustCompile(` ?([(),]) ?`).ReplaceAllString(strings.Join(strings.Fields(sql), " "), "$1")
}

// sectionsOf are the names and kinds of the sections of a pack.
func sectionsOf(t *testing.T, file string) (list []string) {
	f, err := pack.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Sections(func(name string, kind pack.Kind) { list = append(list, fmt.Sprintf("%s %d", name, kind)) })
	slices.Sort(list)
	return list
}

// members are the names of the members of a type in JSON, and of those in it.
func members(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Slice, reflect.Pointer:
		return "[" + members(of.Elem()) + "]"
	case reflect.Map:
		return of.Key().Kind().String() + ":" + members(of.Elem())
	case reflect.Struct:
		var list []string
		for i := range of.NumField() {
			name := of.Field(i).Tag.Get("json")
			list = append(list, strings.TrimPrefix(name+" ", " ")+members(of.Field(i).Type))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	return of.Kind().String()
}
