package osmxml_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/paulmach/orb"

	"quartier/ingest/formats/element"
	"quartier/ingest/formats/osmxml"
	"quartier/ingest/formats/pbf"
	"quartier/ingest/source"
	"quartier/internal/testenv"
)

// plain is an element with nothing in it that lives in a batch.
type plain struct {
	ID      int64
	Point   orb.Point
	Refs    []int64
	Points  []orb.Point
	Members []element.Member
	Tags    [][2]string
	Info    element.Info
	User    string
}

var everything = element.Want{Kinds: element.All, Tags: true, Info: true}

// list copies the elements out of a batch.
func list(b *element.Batch) []plain {
	var all []plain
	pairs := func(tags element.Tags) (list [][2]string) {
		for k, v := range tags.All() {
			list = append(list, [2]string{k, v})
		}
		return list
	}
	info := func(infos []element.Info, i int) (info element.Info) {
		if len(infos) > 0 {
			info = infos[i]
			info.UID, info.User = max(info.UID, 0), 0
		}
		return info
	}
	user := func(infos []element.Info, i int) string {
		if len(infos) == 0 {
			return ""
		}
		return b.User(infos[i])
	}
	for i, n := range b.Nodes {
		all = append(all, plain{ID: n.ID, Point: n.Point, Tags: pairs(n.Tags), Info: info(b.NodeInfo, i), User: user(b.NodeInfo, i)})
	}
	for i, w := range b.Ways {
		all = append(all, plain{ID: w.ID, Refs: slices.Clone(w.Refs), Points: slices.Clone(w.Points), Tags: pairs(w.Tags),
			Info: info(b.WayInfo, i), User: user(b.WayInfo, i)})
	}
	for i, r := range b.Relations {
		all = append(all, plain{ID: r.ID, Members: slices.Clone(r.Members), Tags: pairs(r.Tags), Info: info(b.RelationInfo, i),
			User: user(b.RelationInfo, i)})
	}
	return all
}

func read(t *testing.T, file element.File) (all []plain) {
	t.Helper()
	defer file.Close()
	err := file.Read(context.Background(), everything, func(b *element.Batch) error {
		all = append(all, list(b)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSameAsPBF compares the elements of real XML files with those of osmium's conversion to PBF.
func TestSameAsPBF(t *testing.T) {
	testenv.NeedProgram(t, "osmium")
	for _, path := range realFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			copied := filepath.Join(t.TempDir(), "again.osm.pbf")
			if out, err := exec.Command("osmium", "cat", "--no-progress", "-o", copied, path).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			packed, err := pbf.Open(copied)
			if err != nil {
				t.Fatal(err)
			}
			file, err := osmxml.Open(path, source.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			want, got := read(t, packed), read(t, file)
			if len(got) == 0 || len(got) != len(want) {
				t.Fatalf("%d elements, want %d", len(got), len(want))
			}
			for i := range want {
				for k, degrees := range got[i].Point { // JOSM writes more digits than the PBF keeps
					got[i].Point[k] = math.Round(degrees*1e7) / 1e7
				}
				if diff := cmp.Diff(want[i], got[i]); diff != "" {
					t.Fatalf("element %d (-pbf +xml):\n%s", i, diff)
				}
			}
		})
	}
}

// realFiles are the XML extracts of the real data and, compressed with bzip2, Andorra.
func realFiles(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, folder := range []string{"ca-ottawa/osm", "formats"} {
		found, _ := filepath.Glob(filepath.Join(testenv.Data(folder), "*.osm"))
		paths = append(paths, found...)
	}
	if out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output(); err == nil {
		paths = append(paths, filepath.Join(strings.TrimSpace(string(out)), "testdata", "andorra-latest.osm.bz2"))
	}
	if len(paths) == 0 {
		testenv.NeedData(t, "")
	}
	return paths
}

const document = `<?xml version='1.0' encoding='UTF-8'?>
<osm version="0.6" upload="true">
  <note>kept by <b>Overpass</b></note>
  <bounds minlat="45.5" minlon="-75.8" maxlat="45.6" maxlon="-75.7" origin="x"/>
  <node id="-1" action="modify" visible="true" lat="45.51" lon="-75.71"><tag k="name" v="Caf&#233; &quot;L'Est&quot; &amp; fils"/><tag k="amenity" v="cafe"/></node>
  <node id="2" lat="45.52" lon="-75.72" version="3" timestamp="2020-01-02T03:04:05Z" changeset="9" uid="8" user="moi"/>
  <node id="3" visible="false" version="2"/>
  <way id="4"><nd ref="-1" lat="45.51" lon="-75.71"/><nd ref="2" lat="45.52" lon="-75.72"/></way>
  <way id="5"><center lat="1" lon="2"/><nd ref="-1"/><nd ref="2"/><tag k="highway" v="path"/></way>
  <way id="6" action="delete"><nd ref="2"/></way>
  <relation id="7"><bounds minlat="1" minlon="1" maxlat="2" maxlon="2"/><member type="way" ref="5" role="outer"><nd lat="1" lon="2"/></member><member type="node" ref="-1" role=""/></relation>
</osm>`

var elements = []plain{
	{ID: -1, Point: orb.Point{-75.71, 45.51}, Tags: [][2]string{{"name", `Café "L'Est" & fils`}, {"amenity", "cafe"}}},
	{ID: 2, Point: orb.Point{-75.72, 45.52}, Info: element.Info{Version: 3, Time: 1577934245000, Changeset: 9, UID: 8}, User: "moi"},
	{ID: 4, Refs: []int64{-1, 2}, Points: []orb.Point{{-75.71, 45.51}, {-75.72, 45.52}}},
	{ID: 5, Refs: []int64{-1, 2}, Tags: [][2]string{{"highway", "path"}}},
	{ID: 7, Members: []element.Member{{Kind: element.Ways, Ref: 5, Role: "outer"}, {Kind: element.Nodes, Ref: -1}}},
}

func TestDocument(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(document))
	w.Close()
	for name, data := range map[string][]byte{"a.osm": []byte(document), "a.osm.gz": packed.Bytes(), "bom.osm": []byte("\ufeff" + document)} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := osmxml.Open(path, source.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		bound, ok := file.Bound()
		if want := (orb.Bound{Min: orb.Point{-75.8, 45.5}, Max: orb.Point{-75.7, 45.6}}); !ok || bound != want {
			t.Errorf("%s: bound %v, want %v", name, bound, want)
		}
		if diff := cmp.Diff(elements, read(t, file)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func parse(data string, want element.Want) (all []plain, err error) {
	err = osmxml.Parse(context.Background(), strings.NewReader(data), want, source.Limits{}, func(b *element.Batch) error {
		all = append(all, list(b)...)
		return nil
	})
	return all, err
}

func TestWantDecides(t *testing.T) {
	got, err := parse(document, element.Want{Kinds: element.Ways})
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(elements[2:4])
	want[1].Tags = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBadDocuments(t *testing.T) {
	for _, c := range []struct{ name, says, data string }{
		{"empty", "no <osm> element", ""},
		{"truncated", "unexpected EOF", document[:700]},
		{"another document", "not OSM XML: it starts with <gpx>", "<gpx></gpx>"},
		{"changes", "not OSM XML: it starts with <osmChange>", "<osmChange><create/></osmChange>"},
		{"an id that is no number", `<node> with id "x"`, `<osm><node id="x" lat="1" lon="2"/></osm>`},
		{"no place", `node 5: <node> at lat "", lon ""`, `<osm><node id="5"/></osm>`},
		{"a ref that is no number", `way 5: <nd> with ref "x"`, `<osm><way id="5"><nd ref="x"/></way></osm>`},
		{"a member of an unknown type", `relation 5: <member> with type "area"`,
			`<osm><relation id="5"><member type="area" ref="1"/></relation></osm>`},
		{"a timestamp that is none", `node 5: timestamp "now"`, `<osm><node id="5" lat="1" lon="2" timestamp="now"/></osm>`},
		{"bounds that are none", `<bounds> with minlon ""`, `<osm><bounds minlat="1"/></osm>`},
		{"not UTF-8", "invalid UTF-8", "<osm><node id='5' lat='1' lon='2'><tag k='name' v='\xe9'/></node></osm>"},
		{"another encoding", "encoding", `<?xml version="1.0" encoding="ISO-8859-1"?><osm></osm>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(c.data, everything)
			if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "line ") {
				t.Errorf("error %v, want one of the file with %q and the line", err, c.says)
			}
		})
	}
}

func TestBadFiles(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(strings.Repeat(document, 50)))
	w.Close()
	for name, data := range map[string][]byte{
		"empty": nil, "cut gzip": packed.Bytes()[:packed.Len()-9], "no gzip": {0x1f, 0x8b, 9}, "no bzip2": []byte("BZh9 and so on"),
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := osmxml.Open(path, source.Limits{})
		if err == nil {
			err = file.Read(context.Background(), everything, func(*element.Batch) error { return nil })
		}
		if !errors.Is(err, source.ErrBadFile) {
			t.Errorf("%s: error %v is not one of the file", name, err)
		}
	}
}

func TestStops(t *testing.T) {
	many := "<osm>" + strings.Repeat(`<node id="1" lat="1" lon="2"/>`, 20000) + "</osm>"
	ctx, cancel := context.WithCancel(context.Background())
	batches := 0
	err := osmxml.Parse(ctx, strings.NewReader(many), everything, source.Limits{}, func(*element.Batch) error {
		batches++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || batches != 1 {
		t.Errorf("cancelled: error %v after %d batches", err, batches)
	}
	full := errors.New("full")
	err = osmxml.Parse(context.Background(), strings.NewReader(many), everything, source.Limits{}, func(*element.Batch) error { return full })
	if err != full {
		t.Errorf("error %v, want that of visit as it is", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(document)
	f.Add(`<osm><way id="5"><nd ref="1"/></way></osm>`)
	f.Fuzz(func(t *testing.T, data string) {
		if _, err := parse(data, everything); err != nil && !errors.Is(err, source.ErrBadFile) {
			t.Fatalf("error %v is not one of the file", err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var doc strings.Builder
	doc.WriteString("<osm>")
	for range 10000 {
		doc.WriteString(`<node id="-1" visible="true" version="3" timestamp="2020-01-02T03:04:05Z" lat="45.51" lon="-75.71"><tag k="amenity" ` +
			`v="cafe"/></node>`)
	}
	doc.WriteString("</osm>")
	b.SetBytes(int64(doc.Len()))
	for b.Loop() {
		if _, err := parse(doc.String(), element.Want{Kinds: element.All, Tags: true}); err != nil {
			b.Fatal(err)
		}
	}
}
