// Package page has the files of the explorer: a page with a map that shows what the API answers about a place. Files
// returns them as they are served; nothing goes in.
//
// The page is ES modules without a bundler. MapLibre GL comes from npm at build (make docs) and is not part of the project's
// sources: a program that is compiled without it serves a page that says so, and whose panels work from the search.
package page

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// embedded are the page's own files, and in files/maplibre those of MapLibre GL if they were there when the program was
// compiled.
//
//go:embed files
var embedded embed.FS

// Policy is the Content-Security-Policy of the page: nothing from elsewhere, no inline scripts or styles, no eval.
const Policy = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Index is the name of the page itself among Files.
const Index = "index.html"

// File is one that the page consists of.
type File struct {
	Name string // below files/, such as main.js or maplibre/maplibre-gl.mjs
	Type string // Content-Type
	Body []byte
	Gzip []byte // Body compressed

	// Brotli is Body in the coding br, a sixth smaller: of MapLibre GL as fetch.sh made it, where a better one takes seconds.
	Brotli []byte
}

// Files returns all files. They are made once; callers do not change them.
var Files = sync.OnceValues(files)

// HasMap says whether the program was compiled with MapLibre GL.
func HasMap() bool {
	_, err := fs.Stat(embedded, "files/maplibre/maplibre-gl.mjs")
	return err == nil
}

var types = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".txt":  "text/plain; charset=utf-8",
}

func files() ([]File, error) {
	var all []File
	err := fs.WalkDir(embedded, "files", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		if path.Ext(name) == made {
			return nil // with the file that it is made of
		}
		smallest, _ := embedded.ReadFile(name + made)
		return add(&all, strings.TrimPrefix(name, "files/"), body, smallest)
	})
	if err != nil {
		return nil, err
	}
	body, err := vocabulary()
	if err != nil {
		return nil, err
	}
	return all, add(&all, "vocabulary.js", body, nil)
}

// made ends the name of a file that fetch.sh has compressed by brotli.
const made = ".br"

// add adds a file, and compresses it; smallest is its body in the coding br, if there is one.
func add(all *[]File, name string, body, smallest []byte) error {
	kind := types[path.Ext(name)]
	if kind == "" {
		return fmt.Errorf("%s is of no type that a page loads", name)
	}
	zipped, err := compressed(body, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) })
	if smallest == nil && err == nil {
		smallest, err = compressed(body, func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, 9), nil })
	}
	*all = append(*all, File{name, kind, body, zipped, smallest})
	return err
}

func compressed(body []byte, to func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var b bytes.Buffer
	w, err := to(&b)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
