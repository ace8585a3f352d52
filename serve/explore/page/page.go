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
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"quartier/schemas"
	"quartier/schemas/demographics"
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
		return add(&all, strings.TrimPrefix(name, "files/"), body)
	})
	if err != nil {
		return nil, err
	}
	body, err := vocabulary()
	if err != nil {
		return nil, err
	}
	return all, add(&all, "vocabulary.js", body)
}

func add(all *[]File, name string, body []byte) error {
	kind := types[path.Ext(name)]
	if kind == "" {
		return fmt.Errorf("%s is of no type that a page loads", name)
	}
	var compressed bytes.Buffer
	w, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	*all = append(*all, File{name, kind, body, compressed.Bytes()})
	return nil
}

// vocabulary is a module with the names of the scores and their texts from 0 to 5, and of the categories of demographics, in both
// languages, so that the page repeats none of them.
func vocabulary() ([]byte, error) {
	type score struct {
		ID       string         `json:"id"`
		Category string         `json:"category"`
		Name     schemas.Text   `json:"name"`
		Texts    []schemas.Text `json:"texts"` // by band
	}
	var scores []score
	for i, s := range schemas.Scores {
		one := score{ID: s.ID, Category: s.Category, Name: s.Label}
		for band := range schemas.Bands {
			one.Texts = append(one.Texts, schemas.ScoreText(i, uint16(band)*schemas.UnitValue))
		}
		scores = append(scores, one)
	}
	body, err := json.MarshalIndent(scores, "", " ")
	if err != nil {
		return nil, err
	}
	people, err := json.MarshalIndent(map[string][]category{"around": categories(demographics.Around), "geography": categories(demographics.ByGeography)}, "", " ")
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "// The scores of the API, in its order; texts by band, from 0 to 5.\nexport const scores = %s;\n\n"+
		"// The categories of demographics around a point and of a geography; country is that which alone has it.\nexport const demographics = %s;\n", body, people), nil
}

// category is one of demographics; Country is "" where both countries have it.
type category struct {
	ID      string       `json:"id"`
	Country string       `json:"country"`
	Name    schemas.Text `json:"name"`
}

func categories(list []demographics.Category) []category {
	all := make([]category, len(list))
	for i, c := range list {
		all[i] = category{c.ID, c.Country, schemas.Text{EN: c.Label("en"), FR: c.Label("fr")}}
	}
	return all
}
