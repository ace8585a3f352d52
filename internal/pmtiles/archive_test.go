package pmtiles

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quartier/internal/testenv"
)

var description = Description{
	MinZoom: 0, MaxZoom: 14, Min: Position{-731000000, 441000000}, Max: Position{-729000000, 443000000},
	CenterZoom: 9, Center: Position{-730000000, 442000000}, Metadata: []byte(`{"name":"Saint-Étienne"}`),
}

// write writes an archive of uncompressed tiles by number.
func write(t interface{ Fatal(...any) }, path string, tiles map[uint64]string) {
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	zip := NewCompressor()
	for _, id := range slices.Sorted(maps.Keys(tiles)) {
		if err := w.Add(id, 1, zip.Compress([]byte(tiles[id]))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(description); err != nil {
		t.Fatal(err)
	}
}

// someTiles are n tiles of zooms up to 14, of which many are equal, side by side or far from each other.
func someTiles(seed uint64, n int) map[uint64]string {
	r := rand.New(rand.NewPCG(seed, 1))
	tiles := map[uint64]string{}
	for id := uint64(0); len(tiles) < n; id += 1 + r.Uint64N(1+r.Uint64N(500)) {
		for run := r.IntN(5); run >= 0 && len(tiles) < n; run-- {
			tiles[id] = fmt.Sprintf("tile of kind %d", r.IntN(3))
			if r.IntN(3) == 0 {
				tiles[id] = fmt.Sprintf("tile %d", id)
			}
			id++
		}
	}
	return tiles
}

func open(t interface{ Fatal(...any) }, path string) *Archive {
	a, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestEveryTileIsFound(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []int{0, 1, 500, 60000} {
		path := filepath.Join(dir, fmt.Sprint(n))
		tiles := someTiles(uint64(n), n)
		write(t, path, tiles)
		a := open(t, path)
		h := a.Header()
		if h.Addressed != uint64(n) || h.Entries > h.Addressed || h.Contents > h.Entries || !h.Clustered || h.Type != MVT ||
			h.TileCompression != Gzip ||
			h.Min != description.Min || h.Max != description.Max || h.Center != description.Center || h.CenterZoom != 9 || h.MaxZoom != 14 {
			t.Errorf("header %+v", h)
		}
		if leaves := h.Leaves.Length > 0; leaves != (n == 60000) {
			t.Errorf("%d tiles have %d bytes of leaf directories", n, h.Leaves.Length)
		}
		if h.Root.Offset+h.Root.Length > rootEnd {
			t.Errorf("the root ends at %d", h.Root.Offset+h.Root.Length)
		}
		if m, err := a.Metadata(); err != nil || !bytes.Equal(m, description.Metadata) {
			t.Errorf("metadata %s, %v", m, err)
		}
		compareTiles(t, a, tiles)
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// compareTiles compares the tiles of an archive, those next to them, and the entries.
func compareTiles(t *testing.T, a *Archive, tiles map[uint64]string) {
	t.Helper()
	for stored := range tiles {
		for _, id := range []uint64{stored, stored + 1} {
			want, has := tiles[id]
			z, x, y, _ := Tile(id)
			data, found := a.Tile(z, x, y)
			if found != has {
				t.Fatalf("tile %d: found %v, want %v", id, found, has)
			}
			if found {
				if plain, err := Decompress(data, 100); err != nil || string(plain) != want {
					t.Fatalf("tile %d is %q, %v, want %q", id, plain, err, want)
				}
			}
		}
	}
	var entries, addressed uint64
	if err := a.Each(func(e Entry, tile []byte) error {
		entries, addressed = entries+1, addressed+uint64(e.Run)
		plain, err := Decompress(tile, 100)
		for i := range uint64(e.Run) {
			if tiles[e.ID+i] != string(plain) {
				return fmt.Errorf("tile %d is %q", e.ID+i, plain)
			}
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	if h := a.Header(); entries != h.Entries || addressed != h.Addressed {
		t.Errorf("%d entries of %d tiles, the header has %+v", entries, addressed, h)
	}
}

func TestEqualTilesAreStoredOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiles")
	write(t, path, map[uint64]string{5: "sea", 6: "sea", 7: "sea", 8: "land", 9: "sea", 11: "sea"})
	a := open(t, path)
	defer a.Close()
	var got []Entry
	if err := a.Each(func(e Entry, _ []byte) error { got = append(got, e); return nil }); err != nil {
		t.Fatal(err)
	}
	sea, land := got[0].Length, got[1].Length
	want := []Entry{{5, 0, sea, 3}, {8, uint64(sea), land, 1}, {9, 0, sea, 1}, {11, 0, sea, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if h := a.Header(); h.Addressed != 6 || h.Entries != 4 || h.Contents != 2 || h.Tiles.Length != uint64(sea+land) {
		t.Errorf("header %+v", h)
	}
}

func TestTilesOutOfOrderAreRefused(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "tiles"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, c := range []struct {
		id   uint64
		data string
		ok   bool
	}{{7, "a", true}, {7, "a", false}, {6, "b", false}, {8, "", false}, {8, "a", true}, {8, "a", false}, {1 << 63, "b", false}} {
		if err := w.Add(c.id, 1, []byte(c.data)); (err == nil) != c.ok {
			t.Errorf("tile %d: %v", c.id, err)
		}
	}
}

func TestSameTilesSameBytes(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i := range files {
		path := filepath.Join(dir, fmt.Sprint(i))
		write(t, path, someTiles(3, 20000))
		var err error
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two archives of the same tiles differ")
	}
}

func TestFindingATileAllocatesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiles")
	tiles := someTiles(1, 60000)
	write(t, path, tiles)
	a := open(t, path)
	defer a.Close()
	z, x, y, _ := Tile(slices.Max(slices.Collect(maps.Keys(tiles))))
	if n := testing.AllocsPerRun(100, func() {
		if _, found := a.Tile(z, x, y); !found {
			t.Fatal("not found")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Directories are read as they were written, whatever they have.
func TestDirectories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := Header{Tiles: Section{Length: 1 << 40}, Leaves: Section{Length: 1 << 40}}
		var entries []Entry
		id := uint64(0)
		for range rapid.IntRange(0, 40).Draw(t, "entries") {
			e := Entry{
				ID:     id + rapid.Uint64Range(0, 1000).Draw(t, "gap"),
				Length: rapid.Uint32Range(1, 1<<32-1).Draw(t, "length"),
				Run:    rapid.Uint32Range(0, 1000).Draw(t, "run"),
			}
			if n := len(entries); n > 0 && rapid.Bool().Draw(t, "follows") {
				e.Offset = min(entries[n-1].Offset+uint64(entries[n-1].Length), 1<<39)
			} else {
				e.Offset = rapid.Uint64Range(0, 1<<39).Draw(t, "offset")
			}
			entries = append(entries, e)
			id = e.ID + max(1, uint64(e.Run))
		}
		data := appendDirectory(nil, entries)
		got, err := parseDirectory(data, &h)
		if err != nil || !slices.Equal(got, entries) {
			t.Fatalf("%v, %v, want %v", got, err, entries)
		}
		for end := range data {
			if _, err := parseDirectory(data[:end], &h); !errors.Is(err, ErrDamaged) {
				t.Fatalf("cut to %d of %d bytes: %v", end, len(data), err)
			}
		}
	})
}

// An independent reader, pmtiles of npm, finds the same header, metadata and tiles, in the file and on a server of files that
// knows nothing of tiles, by ranges of bytes.
func TestOtherReader(t *testing.T) {
	testenv.NeedProgram(t, "node")
	if _, err := os.Stat(filepath.Join("npm", "node_modules", "pmtiles")); err != nil {
		testenv.NotInstalled(t, "a package of internal/pmtiles/npm/package-lock.json (npm ci)")
	}
	path := filepath.Join(t.TempDir(), "tiles")
	tiles := someTiles(2, 60000)
	write(t, path, tiles)
	var list strings.Builder
	ids := slices.Sorted(maps.Keys(tiles))
	for i := 0; i < len(ids); i += 97 {
		for _, id := range ids[i:min(i+2, len(ids))] {
			z, x, y, _ := Tile(id)
			fmt.Fprintln(&list, z, x, y)
			z, x, y, _ = Tile(id + 1)
			fmt.Fprintln(&list, z, x, y)
		}
	}
	t.Run("file", func(t *testing.T) { readByOther(t, path, path, list.String(), tiles) })
	t.Run("server", func(t *testing.T) {
		var ranges, others atomic.Int64
		files := http.FileServer(http.Dir(filepath.Dir(path)))
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				ranges.Add(1)
			} else {
				others.Add(1)
			}
			files.ServeHTTP(w, r)
		}))
		defer web.Close()
		readByOther(t, path, web.URL+"/"+filepath.Base(path), list.String(), tiles)
		if ranges.Load() == 0 || others.Load() > 0 {
			t.Errorf("%d requests for a range and %d for all", ranges.Load(), others.Load())
		}
	})
}

// readByOther compares the archive in a file with what the other reader finds in it, or at a URL that has it.
func readByOther(t *testing.T, path, at, list string, tiles map[uint64]string) {
	t.Helper()
	command := exec.Command("node", "--max-old-space-size=500", "read.js", at)
	command.Dir, command.Stdin = "npm", strings.NewReader(list)
	var failure bytes.Buffer
	command.Stderr = &failure
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, failure.Bytes())
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var head struct {
		Header struct {
			NumAddressedTiles, NumTileEntries, NumTileContents uint64
			Clustered                                          bool
			TileType, TileCompression, MinZoom, MaxZoom        int
			MinLon, MinLat, MaxLon, MaxLat                     float64
			CenterZoom                                         int
		}
		Metadata struct{ Name string }
	}
	if err := json.Unmarshal(lines[0], &head); err != nil {
		t.Fatal(err)
	}
	a := open(t, path)
	defer a.Close()
	own := a.Header()
	if h := head.Header; h.NumAddressedTiles != own.Addressed || h.NumTileEntries != own.Entries || h.NumTileContents != own.Contents ||
		!h.Clustered ||
		h.TileType != 1 || h.TileCompression != 2 || h.MinZoom != 0 || h.MaxZoom != 14 || h.MinLon != -73.1 || h.MaxLat != 44.3 ||
		h.CenterZoom != 9 {
		t.Errorf("header %+v", h)
	}
	if head.Metadata.Name != "Saint-Étienne" {
		t.Errorf("metadata %+v", head.Metadata)
	}
	absent := 0
	for _, line := range lines[1:] {
		var tile struct {
			Z       uint8
			X, Y    uint32
			Content *string
		}
		if err := json.Unmarshal(line, &tile); err != nil {
			t.Fatal(err)
		}
		id, _ := TileID(tile.Z, tile.X, tile.Y)
		want, has := tiles[id]
		if has != (tile.Content != nil) {
			t.Fatalf("tile %d: %s, want %v", id, line, has)
		}
		if !has {
			absent++
			continue
		}
		if data, err := base64.StdEncoding.DecodeString(*tile.Content); err != nil || string(data) != want {
			t.Fatalf("tile %d is %q, %v, want %q", id, data, err, want)
		}
	}
	if n := len(lines) - 1; n < 1000 || absent == 0 {
		t.Errorf("%d tiles, %d of them absent", n, absent)
	}
}
