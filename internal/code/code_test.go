package code_test

import (
	"encoding/json"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"quartier"
	"quartier/internal/code"
	"quartier/internal/stamp"
)

var program = fstest.MapFS{
	"a/a.go":            {Data: []byte("package a\n\nimport (\n\t\"fmt\"\n\n\t\"m/b\"\n)\n")},
	"a/a_test.go":       {Data: []byte("package a\n\nimport \"m/d\"\n")},
	"a/sql/query.sql":   {Data: []byte("SELECT 1")},
	"a/testdata/in.txt": {Data: []byte("x")},
	"b/b.go":            {Data: []byte("package b\n")},
	"b/b_linux.go":      {Data: []byte("package b\n\nimport \"m/b/c\"\n")},
	"b/b.c":             {Data: []byte("int b;")},
	"b/c/c.go":          {Data: []byte("package c\n")},
	"d/d.go":            {Data: []byte("package d\n\nimport \"m/b/c\"\n")},
}

var compiled = &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "example.org/duck", Version: "v1.8.2", Sum: "h1:1"}},
	Settings: []debug.BuildSetting{{Key: "GOARCH", Value: "amd64"}, {Key: "vcs.revision", Value: "1"}}}

func of(t *testing.T, files fstest.MapFS, info *debug.BuildInfo, name string) stamp.Inputs {
	t.Helper()
	c, err := code.Read(files, "m", info)
	if err != nil {
		t.Fatal(err)
	}
	in, err := c.Of(name)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestWhatChangesAPart changes one thing of a program at a time. a imports b, which imports b/c on Linux; d imports b/c.
func TestWhatChangesAPart(t *testing.T) {
	for _, tt := range []struct{ file, a, b, d string }{
		{"a/a.go", "code of a changed", "", ""},
		{"a/a_test.go", "", "", ""},
		{"a/testdata/in.txt", "", "", ""},
		{"a/sql/query.sql", "code of a changed", "", ""},
		{"b/b.go", "code of b changed", "code of b changed", ""},
		{"b/b.c", "code of b changed", "code of b changed", ""},
		{"b/c/c.go", "code of b/c changed", "code of b/c changed", "code of b/c changed"},
		{"d/d.go", "", "", "code of d changed"},
		{"e/e.go", "", "", ""},
	} {
		changed := maps.Clone(program)
		text := "\n// changed\n"
		if old := program[tt.file]; old != nil {
			text = string(old.Data) + text
		}
		changed[tt.file] = &fstest.MapFile{Data: []byte(text)}
		if program[tt.file] == nil {
			changed[tt.file].Data = []byte("package e\n")
		}
		for part, want := range map[string]string{"a": tt.a, "b": tt.b, "d": tt.d} {
			before, after := of(t, program, compiled, part), of(t, changed, compiled, part)
			if got := strings.Join(after.Changes(before), ", "); got != want {
				t.Errorf("%s: of %s %q, want %q", tt.file, part, got, want)
			}
			if (before.Digest() != after.Digest()) != (want != "") {
				t.Errorf("%s: digest of %s: %s and %s", tt.file, part, before.Digest(), after.Digest())
			}
		}
	}
}

func TestLibrariesAndCompilerChangeAllParts(t *testing.T) {
	for want, change := range map[string]func(*debug.BuildInfo){
		"Go changed":                       func(i *debug.BuildInfo) { i.GoVersion = "go1.26.9" },
		"settings of the compiler changed": func(i *debug.BuildInfo) { i.Settings[0].Value = "arm64" },
		"module example.org/duck changed": func(i *debug.BuildInfo) {
			i.Deps[0] = &debug.Module{Path: "example.org/duck", Version: "v1.8.3", Sum: "h1:2"}
		},
		"module example.org/sqlite added": func(i *debug.BuildInfo) { i.Deps = append(i.Deps, &debug.Module{Path: "example.org/sqlite"}) },
		"":                                func(i *debug.BuildInfo) { i.Settings[1].Value = "2" },
	} {
		info := *compiled
		info.Settings, info.Deps = slices.Clone(info.Settings), slices.Clone(info.Deps)
		change(&info)
		if got := strings.Join(of(t, program, &info, "d").Changes(of(t, program, compiled, "d")), ", "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	folder := *compiled
	folder.Deps = []*debug.Module{{Path: "example.org/duck", Version: "v1.8.2", Replace: &debug.Module{Path: "../duck"}}}
	if code.Local(compiled) || !code.Local(&folder) {
		t.Error("which modules are from a folder")
	}
}

// TestEveryFileOfAStageCounts compares the sources that this program carries with those that the go command compiles into
// the stages: their packages, Go files, C files and embedded files.
func TestEveryFileOfAStageCounts(t *testing.T) {
	carried, err := code.Read(quartier.Sources, quartier.Path, compiled)
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{"ingest", "transform/lend", "transform", "build"} {
		packages, err := carried.Packages(stage)
		if err != nil {
			t.Fatal(err)
		}
		list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,CFiles,CXXFiles,HFiles,SFiles,EmbedFiles",
			"./"+stage)
		list.Dir = filepath.Join("..", "..")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		compiled := 0
		for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
			var p struct {
				ImportPath, Dir                                                 string
				GoFiles, CgoFiles, CFiles, CXXFiles, HFiles, SFiles, EmbedFiles []string
			}
			if err := dec.Decode(&p); err != nil {
				t.Fatal(err)
			}
			name, ours := strings.CutPrefix(p.ImportPath, quartier.Path+"/")
			if !ours {
				continue
			}
			compiled++
			if !slices.Contains(packages, name) {
				t.Errorf("%s is compiled with %s and not part of its code", stage, name)
				continue
			}
			files := carried.Files(name)
			for _, file := range slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.HFiles, p.SFiles, p.EmbedFiles) {
				if !slices.Contains(files, path.Join(name, file)) {
					t.Errorf("%s/%s is compiled with %s and not part of its code", name, file, stage)
				}
			}
		}
		if compiled < 20 || len(packages) > compiled+2 {
			t.Errorf("%s has %d packages, and the go command compiles %d", stage, len(packages), compiled)
		}
	}
}
