package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// listed is a package as the go command lists it.
type listed struct {
	Dir, ImportPath   string
	Standard          bool
	GoFiles, CgoFiles []string
	ImportMap         map[string]string
	Module            *struct{ Main bool }
}

// TestPortable checks the types of both programs, with all that they import, for each system that they are for, so that
// nothing is used that one of them does not have. No C compiler is needed: the checker takes names of C for granted.
func TestPortable(t *testing.T) {
	for _, target := range []string{"linux/arm64", "darwin/amd64", "darwin/arm64"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			system, machine, _ := strings.Cut(target, "/")
			if own := checkTypes(t, system, machine, "./cmd/..."); own < 150 {
				t.Errorf("only %d packages of this module", own)
			}
		})
	}
}

// checkTypes checks the types of the packages of a pattern, of those of other modules by their declarations alone. It
// returns how many are of this module.
func checkTypes(t *testing.T, system, machine, pattern string) (own int) {
	command := exec.Command("go", "list", "-deps", "-json=Dir,ImportPath,Standard,GoFiles,CgoFiles,ImportMap,Module", pattern)
	command.Dir = ".."
	command.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=1")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	known := importer{"unsafe": types.Unsafe}
	for packages := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return own
		} else if err != nil {
			t.Fatal(err)
		}
		ours := p.Module != nil && p.Module.Main
		if ours {
			own++
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		for vendored, path := range p.ImportMap {
			known[vendored] = known[path]
		}
		files := token.NewFileSet()
		config := types.Config{FakeImportC: true, IgnoreFuncBodies: !ours, Sizes: types.SizesFor("gc", machine), Importer: known}
		config.Error = func(err error) {
			if !strings.Contains(err.Error(), "invalid type") { // what follows from a name of C, or from an error reported before
				t.Errorf("%s: %v", p.ImportPath, err)
			}
		}
		known[p.ImportPath], _ = config.Check(p.ImportPath, files, parse(t, files, p), nil)
	}
}

func parse(t *testing.T, files *token.FileSet, p listed) (parsed []*ast.File) {
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	return parsed
}

// importer has the packages that were checked, by path.
type importer map[string]*types.Package

func (i importer) Import(path string) (*types.Package, error) {
	if found := i[path]; found != nil {
		return found, nil
	}
	return nil, fmt.Errorf("%s was not checked before", path)
}
