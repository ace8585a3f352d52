package drill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"quartier/build/released"
	"quartier/internal/geo"
	"quartier/internal/pack/names"
	"quartier/internal/pack/packtest"
	"quartier/internal/testenv"
	"quartier/internal/wkt"
	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/serve/release"
	"quartier/serve/servetest"
	"quartier/serve/token"
)

// Parser is what reads a text of a stranger. Parse returns an error where it accepts what it should not, or refuses it in another
// way than by its own errors. Whatever the text, it must not panic, and take little time and memory.
type Parser struct {
	Name  string
	Seeds [][]byte
	Parse func(data []byte) error
}

// Limits of one call of a parser.
const (
	parseTime   = time.Second
	parseMemory = 64 << 20 // bytes
)

// parsers are those of releases, geometry and requests.
func (r *Run) parsers() []Parser {
	s := r.StartWorld(nil)
	all := append(r.documents(), texts()...)
	blob := func(seeds ...[]byte) [][]byte { return seeds }
	triangle := orb.Polygon{{{0, 0}, {1, 0}, {0, 1}, {0, 0}}}
	all = append(all,
		Parser{"geometry", blob(released.PointBlob(orb.Point{1, 2}), released.MultiPolygonBlob(orb.MultiPolygon{triangle, triangle}),
			released.LineBlob(orb.LineString{{1, 2}, {3, 4}})), readBlob},
		Parser{"token", blob([]byte(s.Tokens["full"]), []byte(s.Tokens["acme"])), func(data []byte) error {
			_, err := s.Authority.Authenticate(context.Background(), "Bearer "+string(data))
			return unless(err, token.ErrForbidden)
		}},
		Parser{"query", queries(s), func(data []byte) error {
			return s.refusesOnly(http.MethodGet, "/v3/", string(data), "")
		}},
		Parser{"body",
			blob([]byte(`{"name_en":"Glebe","name_fr":null,"type":"NEIGHBOURHOOD","boundaries":"POLYGON((-72.81 45.19,-72.79 45.19,-72.79 ` +
				`45.21,-72.81 45.19))"}`)), func(data []byte) error {
				return s.refusesOnly(http.MethodPost, "/v3/geographies/custom", "", string(data))
			}},
		r.bundle())
	return all
}

// documents are the parsers of files of JSON in a release.
func (r *Run) documents() []Parser {
	root := r.TempDir()
	r.Must(WriteWorld(root, servetest.Release{}, privatePlaces()))
	file := func(name string) [][]byte {
		data, err := os.ReadFile(filepath.Join(root, name))
		r.Must(err)
		return [][]byte{data}
	}
	return []Parser{
		{"manifest", file("places/manifest.json"),
			func(data []byte) error { _, err := schemas.DecodeManifest(data); return canonical(data, err) }},
		{"market manifest", file("market/manifest.json"),
			func(data []byte) error { _, err := schemas.DecodeMarketManifest(data); return canonical(data, err) }},
		{"pointer", file("current.json"), func(data []byte) error {
			p, err := schemas.DecodePointer(data)
			if err != nil {
				return nil
			}
			back, err := p.Encode()
			if err == nil && !bytes.Equal(back, data) {
				err = errors.New("another text than that of the pointer is accepted")
			}
			return err
		}},
	}
}

// canonical accepts errors; a text that is accepted ends with the line break of its only form.
func canonical(data []byte, err error) error {
	if err == nil && !bytes.HasSuffix(data, []byte("}\n")) {
		return errors.New("another text than that of the manifest is accepted")
	}
	return nil
}

// texts are the parsers of single values.
func texts() []Parser {
	day, _ := market.ParseDay("2024-01-15")
	intervals := market.Intervals(day)
	seeds := func(texts ...string) (all [][]byte) {
		for _, text := range texts {
			all = append(all, []byte(text))
		}
		return all
	}
	return []Parser{
		{"WKT", seeds("POLYGON ((0 0, 1 0, 0 1, 0 0))", "POLYGON((-73.5 45.25,-73.4 45.25,-73.4 45.3,-73.5 45.25))",
			polygonText(convex(rand.New(rand.NewPCG(1, 1)), -72, 45, 1))), func(data []byte) error {
			ring, err := wkt.Parse(string(data), 5000)
			if err == nil && (len(ring) < 4 || ring[0] != ring[len(ring)-1] || wkt.SelfContact(ring) != "") {
				return fmt.Errorf("accepted: %v", ring)
			}
			return unless(err, wkt.ErrMalformed, wkt.ErrRange)
		}},
		{"geohash", seeds("f244mdx", "F244MDX", "s000000"), func(data []byte) error {
			cell, err := geo.GeohashCell(string(data))
			if err == nil && geo.Geohash(cell.Center(), len(data)) != strings.ToLower(string(data)) {
				return fmt.Errorf("the cell is %v", cell)
			}
			return unless(err, geo.ErrGeohash)
		}},
		{"interval", seeds("30d", "31-60d", "13-24m", "2023-12", "2023Q4"), func(data []byte) error {
			i, err := market.Parse(string(data), day, intervals)
			if err == nil && (i < 0 || i >= len(intervals)) {
				return fmt.Errorf("interval %d", i)
			}
			return nil
		}},
		{"name", seeds("Old North, Quebec", "St Johns, Portland, OR", "ville de Québec", "L'Île-d'Orléans"), func(data []byte) error {
			folded := names.Fold(string(data))
			if again := names.Fold(folded); again != folded && len(folded) < 100 { // longer ones are cut
				return fmt.Errorf("%q is folded to %q and then to %q", data, folded, again)
			}
			return nil
		}},
	}
}

func readBlob(blob []byte) error {
	if m, err := released.ReadMultiPolygon(blob); err == nil && len(released.MultiPolygonBlob(m)) != len(blob) {
		return fmt.Errorf("%d bytes of an outline are accepted", len(blob))
	}
	if line, err := released.ReadLine(blob); err == nil && len(released.LineBlob(line)) != len(blob) {
		return fmt.Errorf("%d bytes of a line are accepted", len(blob))
	}
	if _, err := released.ReadPoint(blob); err == nil && len(blob) != 60 {
		return fmt.Errorf("%d bytes of a point are accepted", len(blob))
	}
	return nil
}

// unless is the error if it is none of some.
func unless(err error, known ...error) error {
	if err == nil || slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }) {
		return nil
	}
	return err
}

// queries are the examples of the document.
func queries(*Server) (seeds [][]byte) {
	for _, target := range append(swapURLs, "/v3/geographies?name=Old+North%2C+Quebec&levels=10,30&limit=5",
		"/v3/pois?include[]=cafes&include[]=parks&radius=1e3&"+north,
		"/v3/enhanced-pois?limit=5&brands=maple_cup&tags=coffee&polygon="+
			url.QueryEscape("POLYGON((-72.9 45.1,-72.7 45.1,-72.7 45.3,-72.9 45.1))")) {
		seeds = append(seeds, []byte(strings.TrimPrefix(target, "/v3/")))
	}
	return seeds
}

// refusesOnly sends a request as it is: path and query after a prefix, or a body. The answer is no 5xx.
func (s *Server) refusesOnly(method, prefix, target, body string) error {
	r, err := http.NewRequest(method, "http://localhost/", strings.NewReader(body))
	if err != nil {
		return err
	}
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery, r.RequestURI, r.RemoteAddr = prefix+path, query, prefix+target, "192.0.2.1:1"
	if decoded, err := url.PathUnescape(prefix + path); err == nil {
		r.URL.Path, r.URL.RawPath = decoded, prefix+path
	}
	r.Header.Set("Authorization", "Bearer "+s.Tokens["full"])
	r.Header.Set("Content-Type", "application/json")
	if got := s.Send(r); got.Status >= 500 {
		return fmt.Errorf("%d %.200s", got.Status, got.Body)
	}
	return nil
}

// bundle reads packs with damage that is not looked for: what opens is searched.
func (r *Run) bundle() Parser {
	dir := r.TempDir()
	_, err := servetest.Write(dir, servetest.Release{})
	r.Must(err)
	var files []string
	for _, name := range []string{schemas.GeographiesPack, schemas.POIsPack, schemas.AccessPack, schemas.SmallAreasPack,
		schemas.DemographicsPack, schemas.SchoolsPack, schemas.ProfilesPack, schemas.ManifestFile} {
		files = append(files, filepath.Join(dir, name))
	}
	return Parser{"bundle", [][]byte{[]byte("12345678")}, func(data []byte) error {
		var seed uint64
		for _, b := range data {
			seed = seed*257 + uint64(b)
		}
		_, restore := packtest.Harm(r, rand.New(rand.NewPCG(seed, 2)), files)
		defer restore()
		opened, err := release.Open(dir)
		if err != nil {
			return unless(err, release.ErrRejected)
		}
		defer opened.Done()
		lookUps(opened)
		return nil
	}}
}

// mutateBytes changes bytes of a seed: bits, runs, numbers, words of the format, or a splice with another seed.
func mutateBytes(random *rand.Rand, seeds [][]byte) []byte {
	data := bytes.Clone(Pick(random, seeds))
	for range 1 + random.IntN(4) {
		if len(data) == 0 {
			return data
		}
		at := random.IntN(len(data))
		end := min(len(data), at+1+random.IntN(16))
		switch random.IntN(8) {
		case 0, 1:
			data[at] ^= 1 << random.IntN(8)
		case 2:
			data[at] = byte(random.Uint32())
		case 3:
			data = slices.Delete(data, at, end)
		case 4:
			data = slices.Insert(data, at, bytes.Clone(data[at:end])...)
		case 5:
			data = slices.Insert(data, at, []byte(Pick(random, []string{"\x00", "%", "%00", "é", "\xff", "-", "1e400", "99999999999999999999", ",",
				"(", ")", `"`, "[", "{", "null", " "}))...)
		case 6:
			data = slices.Insert(data, at, bytes.Repeat(data[at:end], 1+random.IntN(200))...)
		case 7:
			other := Pick(random, seeds)
			data = append(data[:at:at], other[min(at, len(other)):]...)
		}
	}
	return data
}

// Parsers gives mutated texts to every parser in turn. planted are parsers with a fault, in place of ours. It returns how many
// parsers and texts there were.
func Parsers(r *Run, planted ...Parser) (parsers, texts int) {
	all := planted
	if len(all) == 0 {
		all = r.parsers()
	}
	for ; texts < len(all) || r.More(texts); texts++ {
		p := all[texts%len(all)]
		data := mutateBytes(r.Random, p.Seeds)
		if texts < len(all) {
			data = p.Seeds[0]
		}
		if err := p.call(data, texts/len(all)%16 == 0); err != nil {
			r.Fatalf("%s: %v: %.400q", p.Name, err, data)
		}
	}
	return len(all), texts
}

// call parses a text within the limits. Memory is measured only if measured is set, because it stops the program for a moment.
func (p Parser) call(data []byte, measured bool) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	begun := time.Now()
	do := func() { err = p.Parse(data) }
	if !measured {
		do()
	} else if took := testenv.Allocated(do); took > parseMemory && err == nil {
		err = fmt.Errorf("%d MB were allocated for %d bytes", took>>20, len(data))
	}
	if took := time.Since(begun); took > parseTime && err == nil {
		again := time.Now()
		if p.Parse(data); time.Since(again) > parseTime { // not a machine that did something else
			err = fmt.Errorf("it took %v", took)
		}
	}
	return err
}

// PercentAtEnd is a planted fault: a parser of escapes that reads two characters after each % without looking whether they are
// there.
var PercentAtEnd = Parser{"escapes with a fault", [][]byte{[]byte("name=Qu%C3%A9bec&limit=5")}, func(data []byte) error {
	for i, c := range data {
		if c == '%' && data[i+1] == data[i+2] {
			continue
		}
	}
	return nil
}}

// Trusting is a planted fault: a parser that allocates what a number in the text says.
var Trusting = Parser{"lengths with a fault", [][]byte{[]byte("length=12000000;")}, func(data []byte) error {
	var n int
	if fmt.Sscanf(string(data), "length=%d;", &n); n > 0 && n < 1<<40 {
		runtime.KeepAlive(make([]byte, min(n, 256<<20)))
	}
	return nil
}}
