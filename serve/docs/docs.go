// Package docs has the pages for people: the API reference at /docs and what is at /.
//
// The reference is Swagger UI over /openapi.json. Its files come from npm at build (make docs) and are not part of the
// project's sources: a program that is compiled without them shows a list of the operations, and how to get the rest.
package docs

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
)

// files are the page's own, and in page/swagger those of Swagger UI if they were there when the program was compiled.
//
//go:embed page
var files embed.FS

// Policy is the Content-Security-Policy of the pages: nothing from elsewhere, no inline scripts or styles, no eval.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// File is what is at a path.
type File struct {
	Path string // of its URL
	Type string // Content-Type
	Body []byte
}

// Group has operations about one thing.
type Group struct {
	Tag        string
	Operations []Operation
}

// Operation is one of the API, as listed where Swagger UI is not there or scripts do not run.
type Operation struct{ ID, Method, Path, Summary string }

// Files returns the reference at /docs and the files that it loads.
func Files(groups []Group) ([]File, error) {
	viewer, err := viewerFiles()
	if err != nil {
		return nil, err
	}
	index, err := index(groups, len(viewer) > 0)
	if err != nil {
		return nil, err
	}
	all := []File{{"/docs", "text/html; charset=utf-8", index}}
	for _, name := range []string{"docs.css", "docs.js"} {
		file, err := read("page/" + name)
		if err != nil {
			return nil, err
		}
		all = append(all, file)
	}
	return append(all, viewer...), nil
}

// index is the page of the reference: for the viewer to fill, or by itself.
func index(groups []Group, viewer bool) ([]byte, error) {
	return render("docs.html", struct {
		Groups []Group
		Viewer bool
	}{groups, viewer})
}

// Root returns the page at /.
func Root() ([]byte, error) { return render("root.html", nil) }

// viewerFiles returns the files of Swagger UI; none if the program was compiled without them.
func viewerFiles() ([]File, error) {
	entries, err := files.ReadDir("page/swagger")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []File
	for _, entry := range entries {
		file, err := read("page/swagger/" + entry.Name())
		if err != nil {
			return nil, err
		}
		all = append(all, file)
	}
	return all, nil
}

var types = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".txt": "text/plain; charset=utf-8",
}

// read reads an embedded file, to be served below /docs.
func read(name string) (File, error) {
	body, err := files.ReadFile(name)
	kind := types[path.Ext(name)]
	if err == nil && kind == "" {
		err = fmt.Errorf("%s is of no type that a page loads", name)
	}
	return File{"/docs" + strings.TrimPrefix(name, "page"), kind, body}, err
}

func render(name string, data any) ([]byte, error) {
	page, err := template.ParseFS(files, "page/"+name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, data)
	return out.Bytes(), err
}
