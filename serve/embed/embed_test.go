package embed

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/explore/page"
)

// filesByName are the files by the names that sources have.
func filesByName(t *testing.T) map[string]File {
	t.Helper()
	all, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]File{}
	for _, f := range all {
		name := regexp.MustCompile(`-[0-9a-f]{16}\.`).ReplaceAllString(f.Name, ".")
		if f.Immutable != (name != f.Name) {
			t.Errorf("%s is immutable: %v", f.Name, f.Immutable)
		}
		if f.Immutable || f.Name == "" {
			byName[name] = f
		} else if !bytes.Equal(f.Body, byName[name].Body) {
			t.Errorf("%s is not the newest", f.Name)
		}
	}
	return byName
}

// TestFiles compares the files with what is compiled in and with what they load.
func TestFiles(t *testing.T) {
	files := filesByName(t)
	err := fs.WalkDir(embedded, "files", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && len(read(entry.Name())) == 0 && !entry.IsDir() {
			t.Errorf("%s is empty", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for name, f := range files {
		if f.Type == "" || len(f.Body) == 0 {
			t.Errorf("%s: %q, %d bytes", name, f.Type, len(f.Body))
		}
		if strings.HasPrefix(name, "maplibre") || name == "licence.txt" {
			continue
		}
		body := strings.NewReplacer("http://www.w3.org/2000/svg", "", "https://portal.example", "").Replace(string(f.Body))
		if unsafe := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://[^ ]*|` +
			`<script>|<style| style=|\son\w+=`).FindString(body); unsafe != "" {
			t.Errorf("%s has %s", name, unsafe)
		}
		for _, loaded := range regexp.MustCompile(`'\./([\w.-]+)'|(?:src|href)="/embed/v1/([^"]*)"`).FindAllStringSubmatch(string(f.Body), -1) {
			other := loaded[1] + loaded[2]
			known := slices.ContainsFunc([]string{"map.js", "quartier.js", "page.js", "page.css", "quartier.d.ts", "maplibre-gl.mjs",
				"maplibre-gl-worker.mjs"}, func(name string) bool { return files[name].Name == other })
			if !known && (page.HasMap() || !strings.HasPrefix(other, "maplibre")) {
				t.Errorf("%s loads %s, which is not there", name, other)
			}
		}
	}
	script := string(files["quartier.js"].Body)
	for _, s := range schemas.Scores {
		for _, text := range []string{s.ID, s.Label.EN, s.Label.FR} {
			if !strings.Contains(script, `"`+text+`"`) {
				t.Errorf("the components do not know %s", text)
			}
		}
	}
}

// TestSizes holds the components to 15 kB, by a program that compresses fast and not well.
func TestSizes(t *testing.T) {
	files := filesByName(t)
	for name, most := range map[string]int{"quartier.js": 15_000, "map.js": 5_000, "page.js": 7_000} {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
		w.Write(files[name].Body)
		w.Close()
		if out.Len() > most {
			t.Errorf("%s has %d bytes compressed, of %d", name, out.Len(), most)
		}
		t.Log(name, out.Len(), "bytes compressed")
	}
}

// TestNames changes one file: its name, and those of the files that load it, are others, and no other.
func TestNames(t *testing.T) {
	names := func(worker string) map[string]string {
		b := builder{names: map[string]string{}}
		b.add("worker.mjs", []byte(worker))
		b.add("map.js", []byte("new Worker('./worker.mjs'); './unknown.js'"))
		b.add("page.js", []byte("import('./map.js')"))
		b.add("page.css", []byte("body {}"))
		if last := string(b.files[2].Body); last != "import('./"+b.names["map.js"]+"')" {
			t.Error(last)
		}
		return b.names
	}
	a, b := names("1"), names("2")
	for name := range a {
		if same := a[name] == b[name]; same != (name == "page.css") {
			t.Errorf("%s: %s, then %s", name, a[name], b[name])
		}
	}
}

func TestJoin(t *testing.T) {
	got := string(join([]byte("// Words.\n\nexport const words = 'export ';\n"),
		[]byte("import {words} from './words.js';\n  // More.\nexport async function show() {\n  return words; // all\n}\nexport {show};\n")))
	if want := "const words = 'export ';\nasync function show() {\nreturn words; // all\n}\nexport {show};\n"; got != want {
		t.Errorf("%s", got)
	}
}

// TestModules lets Node.js read all scripts, and TypeScript the types and a use of them.
func TestModules(t *testing.T) {
	testenv.NeedProgram(t, "node")
	dir := t.TempDir()
	for _, f := range filesByName(t) {
		if name := filepath.Join(dir, strings.Replace(f.Name, ".js", ".mjs", 1)); filepath.Ext(name) == ".mjs" {
			if err := os.WriteFile(name, f.Body, 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("node", "--check", name).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		}
	}
	compiler := filepath.Join(testenv.ModuleRoot(), "client", "node_modules", "typescript", "bin", "tsc")
	if _, err := os.Stat(compiler); err != nil {
		testenv.NotInstalled(t, "typescript of client/package-lock.json (npm ci)")
	}
	const use = `import './quartier.js';
const scores = document.createElement('quartier-scores');
Object.assign(scores, { lat: '45.4', lng: '-75.7', scores: 'quiet' });
scores.data = { data: { location: { quiet: { value: '3', text: 'calm' } } } };
scores.addEventListener('quartier-load', event => console.log(event.detail.scores?.quiet.toFixed(1)));
// @ts-expect-error: there is no such attribute
scores.latitude = '45';
`
	for name, body := range map[string]string{"use.ts": use, "quartier.d.ts": string(read("quartier.d.ts"))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("node", compiler, "--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution",
		"bundler", "use.ts")
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestReleaseOf names the sources of scores apart from those of the map, each line once, in both languages.
func TestReleaseOf(t *testing.T) {
	got, err := json.Marshal(ReleaseOf(&schemas.Manifest{AsOf: "2026-01-01", Sources: []schemas.ReleaseSource{
		{Kind: "osm", Attribution: "© OpenStreetMap contributors", Licence: "ODbL-1.0"},
		{Kind: "osm", Attribution: "© OpenStreetMap contributors"}, {Kind: "boundaries", Attribution: "City of Ottawa"},
		{Kind: "gtfs", Attribution: "TriMet"}, {Kind: "roads"}, {Kind: "ground", Attribution: "<b>"},
	}}, &[2]int{4, 14}))
	const osm = `{"en":"© OpenStreetMap contributors","fr":"© les contributeurs d’OpenStreetMap"}`
	const ground = `{"en":"\u003cb\u003e","fr":"\u003cb\u003e"}`
	const want = `{"as_of":"2026-01-01","scores":[` + osm + `,{"en":"TriMet","fr":"TriMet"}`
	if err != nil || !strings.HasPrefix(string(got), want) || !strings.HasSuffix(string(got), `"map":[`+osm+`,`+ground+`],"ground":[4,14]}`) {
		t.Errorf("%s %v", got, err)
	}
	if got, _ := json.Marshal(ReleaseOf(&schemas.Manifest{}, nil)); string(got) != `{"as_of":"","scores":[],"map":[],"ground":null}` {
		t.Errorf("%s", got)
	}
}
