// Package code identifies the code of a part of a program: the packages that it consists of, the libraries of the program
// and the compiler. Output can be used again while the code of the part that made it is the same, whatever else changed in
// the program.
//
// The program carries the sources of its packages, so that what is identified is what was compiled, and nothing has to be
// kept up to date. A package has its Go files without tests, also those for other systems, and everything that lies in its
// folder and in folders below that are no packages: SQL, tables, C. For example, a change of transform/network/street/streets.sql
// is one of the package transform/network/street, and of every part that imports it, directly or not.
package code

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"quartier/internal/stamp"
)

// Code is the code of a program.
type Code struct {
	packages map[string]*folder // by path below the module
	all      stamp.Inputs       // what every part depends on: libraries and compiler
}

// folder is a package.
type folder struct {
	imports []string // packages of the module
	files   []string // name and content of each file
}

// Read reads the packages below the root of a module from its sources. The libraries are those of info.
func Read(sources fs.FS, module string, info *debug.BuildInfo) (*Code, error) {
	c := &Code{packages: map[string]*folder{}, all: libraries(info)}
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case isGo(name) && !entry.IsDir() && c.packages[path.Dir(name)] == nil:
			c.packages[path.Dir(name)] = &folder{}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find the packages of the program: %w", err)
	}
	err = fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "testdata" {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		return c.add(sources, module, name)
	})
	if err != nil {
		return nil, fmt.Errorf("read the sources of the program: %w", err)
	}
	return c, nil
}

func isGo(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// add adds a file to the innermost package around it.
func (c *Code) add(sources fs.FS, module, name string) error {
	dir := path.Dir(name)
	for ; c.packages[dir] == nil; dir = path.Dir(dir) {
		if dir == "." {
			return nil
		}
	}
	data, err := fs.ReadFile(sources, name)
	if err != nil {
		return err
	}
	p := c.packages[dir]
	p.files = append(p.files, name, string(data))
	if !isGo(name) {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, imported := range file.Imports {
		if other, ours := strings.CutPrefix(strings.Trim(imported.Path.Value, "`\""), module+"/"); ours {
			p.imports = append(p.imports, other)
		}
	}
	return nil
}

// Packages returns a package and all packages of the module that it imports, directly or not, sorted.
func (c *Code) Packages(name string) ([]string, error) {
	found := map[string]bool{}
	for todo := []string{name}; len(todo) > 0; {
		next := todo[0]
		todo = todo[1:]
		if found[next] {
			continue
		}
		p, known := c.packages[next]
		if !known {
			return nil, fmt.Errorf("the program does not carry the sources of package %s", next)
		}
		found[next] = true
		todo = append(todo, p.imports...)
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// Of returns the code of a package with all that it imports.
func (c *Code) Of(name string) (stamp.Inputs, error) {
	packages, err := c.Packages(name)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(c.all)
	for _, p := range packages {
		list = append(list, stamp.Of("code of "+p, c.packages[p].files...))
	}
	return list, nil
}

// Files returns the paths of the files of a package.
func (c *Code) Files(name string) (list []string) {
	for i := 0; i < len(c.packages[name].files); i += 2 {
		list = append(list, c.packages[name].files[i])
	}
	return list
}

// libraries are the versions of compiler and modules. All modules count for all parts: which ones import each other is not
// known.
func libraries(info *debug.BuildInfo) stamp.Inputs {
	list := stamp.Inputs{stamp.Of("Go", info.GoVersion)}
	var settings []string
	for _, s := range info.Settings {
		if !strings.HasPrefix(s.Key, "vcs") { // the revision says nothing about the code of a part
			settings = append(settings, s.Key, s.Value)
		}
	}
	list = append(list, stamp.Of("settings of the compiler", settings...))
	for _, m := range info.Deps {
		used := cmp.Or(m.Replace, m)
		list = append(list, stamp.Of("module "+m.Path, used.Path, used.Version, used.Sum))
	}
	return list
}

// Local reports whether the program was compiled with a module from a folder, whose content is not known.
func Local(info *debug.BuildInfo) bool {
	return slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return m.Replace != nil && m.Replace.Version == "" })
}
