package transform

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	selected = regexp.MustCompile(`(?s)\bSELECT\s+('[^']*'|CASE\b.*?\bEND)\s*,`)  // a first column that is made of literals
	literal  = regexp.MustCompile(`(?:^|\bTHEN\s+|\bELSE\s+)'([^']*)'`)           // a value of that column
	unnamed  = regexp.MustCompile(`(?m)^\s*_\s*=\s*\w+\.(?:\w+)\("([a-z_0-9]+)"`) // a reason that no Go code raises
)

// codesOf returns the codes that an issues.sql writes as literals: the first column of its queries.
func codesOf(query string) (codes []string) {
	for _, column := range selected.FindAllStringSubmatch(query, -1) {
		for _, code := range literal.FindAllStringSubmatch(column[1], -1) {
			codes = append(codes, code[1])
		}
	}
	return codes
}

func TestCodesOf(t *testing.T) {
	query := `, unused(code, detail, example) AS (
		SELECT CASE WHEN kind = 'x' THEN 'one' ELSE 'two' END, CASE WHEN a THEN 'detail' END, key FROM block WHERE key IN (SELECT key FROM other)
		UNION ALL SELECT 'three', 'zone', key FROM zone)
		SELECT code, detail, count(*) FROM unused`
	if got := codesOf(query); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("codes %q", got)
	}
}

// TestCodesInSQLAreDeclared compares the codes of each issues.sql with the reasons of its step. A code of a typing error
// would be a panic at run time, and only where there is such a row; a declared one that is not raised would be in DATA.md.
func TestCodesInSQLAreDeclared(t *testing.T) {
	declared := map[string]map[string]bool{} // by step
	for _, step := range Reasons() {
		declared[step.Name] = map[string]bool{}
		for _, r := range step.Reasons {
			declared[step.Name][r.Code] = true
		}
	}
	inSQL := map[string]bool{}
	var inGo []string // declared for SQL
	files := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, "_test.go") {
			return err
		}
		data, err := os.ReadFile(filepath.FromSlash(p))
		switch {
		case err != nil:
			return err
		case path.Ext(p) == ".go":
			for _, m := range unnamed.FindAllStringSubmatch(string(data), -1) {
				inGo = append(inGo, m[1])
			}
		case strings.HasPrefix(path.Base(p), "issues") && path.Ext(p) == ".sql":
			files++
			codes := codesOf(string(data))
			if len(codes) == 0 {
				t.Errorf("%s has no codes", p)
			}
			for _, code := range codes {
				inSQL[code] = true
				if step := path.Base(path.Dir(p)); !declared[step][code] {
					t.Errorf("%s: %q is not a reason that step %s declares", p, code, step)
				}
			}
		}
		return nil
	})
	if err != nil || files == 0 || len(inGo) == 0 {
		t.Fatalf("%d files, %d declarations: %v", files, len(inGo), err)
	}
	for _, code := range inGo {
		if !inSQL[code] {
			t.Errorf("reason %s is declared without a name, but no issues.sql has it", code)
		}
	}
}
