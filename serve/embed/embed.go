// Package embed has what other sites show of the API: web components for listings, and the page that shows how, below Root.
//
// Nothing goes in but what is compiled in; out come files, as they are served, and what a release says of itself to everybody.
// A name has a digest of its file, and so of the names of files in it: it always means the same, and the alias quartier.js the newest.
package embed

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"crypto/sha512"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"quartier/schemas"
	"quartier/schemas/attributions"
	"quartier/schemas/feeds"
	"quartier/serve/explore/page"
)

// Root is the path of the page. The files are below it.
const Root = "/embed/v1/"

//go:embed files
var embedded embed.FS

// File is one that browsers load.
type File struct {
	Name      string // below Root; "" is the page
	Type      string // Content-Type
	Body      []byte
	Immutable bool // the name has a digest of the body
}

var types = map[string]string{".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript"}

// Files are all files, made once. Without MapLibre GL in the program the map says that there is none.
var Files = sync.OnceValues(files)

func files() ([]File, error) {
	explorer, err := page.Files()
	b := builder{names: map[string]string{}}
	var scores []byte // the module with their names and texts in both languages
	for _, f := range explorer {
		if name, ok := strings.CutPrefix(f.Name, "maplibre/"); ok && name != "maplibre-gl.css" {
			b.add(name, f.Body)
		}
		if f.Name == "vocabulary.js" {
			scores, _, _ = bytes.Cut(f.Body, []byte("\nexport const demographics"))
		}
	}
	b.add("map.js", join(read("style.js"), read("draw.js")))
	js := b.add("quartier.js", join(scores, styles(), read("words.js"), read("element.js"), read("scores.js"), read("place-map.js")))
	b.add("page.js", join(scores, read("page.js")))
	b.add("page.css", read("page.css"))
	b.add("quartier.d.ts", read("quartier.d.ts"))
	var index bytes.Buffer
	sum := sha512.Sum384(js.Body)
	values := map[string]any{"Named": b.names, "Integrity": "sha384-" + base64.StdEncoding.EncodeToString(sum[:])}
	err = errors.Join(err, template.Must(template.New("").Parse(string(read("index.html")))).Execute(&index, values))
	return append(b.files, File{"quartier.js", js.Type, js.Body, false}, File{"", "text/html; charset=utf-8", index.Bytes(), false}), err
}

// read reads a file that is compiled in; nil if there is none.
func read(name string) []byte {
	body, _ := embedded.ReadFile("files/" + name)
	return body
}

// builder collects files in an order in which none names a later one.
type builder struct {
	files []File
	names map[string]string // below Root, by those that sources have
}

// named finds the names of files in sources.
var named = regexp.MustCompile(`'\./[\w-]+\.m?js'`)

// add adds a file under an immutable name, after the names in it were replaced by those of their files.
func (b *builder) add(name string, body []byte) File {
	body = named.ReplaceAllFunc(body, func(found []byte) []byte {
		if as, known := b.names[string(found[3:len(found)-1])]; known {
			return []byte("'./" + as + "'")
		}
		return found
	})
	base, ext, _ := strings.Cut(name, ".")
	kind := cmp.Or(types[path.Ext(name)], "text/plain") + "; charset=utf-8"
	f := File{fmt.Sprintf("%s-%.8x.%s", base, sha256.Sum256(body), ext), kind, body, true}
	b.names[name], b.files = f.Name, append(b.files, f)
	return f
}

var linked = regexp.MustCompile(`(?m)^import .* from '\./[\w-]+\.js';\n|^export (const|class|async|function)\b|^(\s*(//.*)?\n)+|^ +`)

// join makes one module of several, of which none declares what another one does: what they import of each other is there then.
// Comments of whole lines and indentation are left out. What it exports a module says at its end, by export {…}.
func join(modules ...[]byte) []byte {
	return linked.ReplaceAll(bytes.Join(modules, []byte("\n")), []byte("$1"))
}

// styles is the module with the style sheet of the components, which is ASCII: the same literal in Go and JavaScript.
func styles() []byte {
	return fmt.Appendf(nil, "export const styles = %q;\n", regexp.MustCompile(`\n\s*`).ReplaceAll(read("quartier.css"), nil))
}

// Release is the answer of release.json: what everybody may know of the release that answers, and the lines that its licences ask for.
type Release struct {
	AsOf   string         `json:"as_of"`  // YYYY-MM-DD
	Scores []schemas.Text `json:"scores"` // of the sources of scores
	Map    []schemas.Text `json:"map"`    // of those of the ground of the map
	Ground *[2]int        `json:"ground"` // zooms of the tiles of the ground; null: there are none
}

// ReleaseOf describes a release of which the tiles of the ground have some zooms; nil: it has none.
func ReleaseOf(m *schemas.Manifest, ground *[2]int) Release {
	drawn := slices.DeleteFunc(slices.Clone(m.Sources), func(s schemas.ReleaseSource) bool {
		return !slices.Contains([]string{"osm", "ground", "overture", "outlines"}, s.Kind)
	})
	return Release{m.AsOf, attributions.Lines(feeds.Of(m.Sources, "scores")), attributions.Lines(drawn), ground}
}
