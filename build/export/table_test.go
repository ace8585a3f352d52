package export

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas/column"
	"quartier/schemas/demographics"
	"quartier/schemas/market"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/export.md")

// docs/export.md has the tables as they are declared.
func TestDocument(t *testing.T) {
	const begin, end = "<!-- quartier export --columns -->\n\n", "<!-- end of the tables -->\n"
	path := filepath.Join(testenv.ModuleRoot(), "docs", "export.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), begin)
	tables, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("docs/export.md lacks %q or %q", begin, end)
	}
	if tables == Document() {
		return
	}
	if !*update {
		t.Fatal("docs/export.md has other tables; go test ./build/export -run TestDocument -update")
	}
	if err := os.WriteFile(path, []byte(before+begin+Document()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestGroupsAreExpanded(t *testing.T) {
	want := map[string]int{"street_nodes": 2 + 63, "geography_scores_wide": 4 + 18,
		"demographics_wide": 5 + 3*len(column.Members("{geography}")), "small_areas": 4 + 2*demographics.CellCount,
		"market": 5 + int(market.MetricCount)}
	for _, table := range Tables {
		if n := want[table.Name]; n > 0 && len(table.Columns) != n {
			t.Errorf("%s has %d columns, want %d", table.Name, len(table.Columns), n)
		}
	}
}

func TestDeclarationsAreChecked(t *testing.T) {
	good := Table{Name: "t", Title: "T", Text: "A row.", Component: "places", File: "f.sqlite", From: "t", Order: "a",
		Columns: []Column{{Name: "a", Type: "int64?", SQL: "a", Text: "A."}}}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Table){
		"no order":          func(t *Table) { t.Order = "" },
		"unknown component": func(t *Table) { t.Component = "other" },
		"unknown type":      func(t *Table) { t.Columns[0].Type = "uint9" },
		"no text":           func(t *Table) { t.Columns[0].Text = "" },
		"geometry":          func(t *Table) { t.Columns[0].Name = GeometryColumn },
		"twice":             func(t *Table) { t.Columns = append(t.Columns, t.Columns[0]) },
	} {
		bad := good
		bad.Columns = append([]Column(nil), good.Columns...)
		change(&bad)
		if bad.check() == nil {
			t.Errorf("%s: the declaration is accepted", name)
		}
	}
}
