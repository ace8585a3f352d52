package pmtiles

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpen opens anything and reads all that is in it.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "tiles")
	write(f, path, someTiles(1, 300))
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(plainArchive([]Entry{{ID: 0, Length: 4, Run: 1}, {ID: 5, Length: 5}}, []Entry{{ID: 5, Length: 4, Run: 2}}))
	f.Add(plainArchive([]Entry{{ID: 0, Length: 5}}, []Entry{{ID: 0, Length: 5}}))
	f.Fuzz(func(t *testing.T, data []byte) { readAll(t, data) })
}

// plainArchive is an archive with directories that are not compressed, and 16 bytes of tiles.
func plainArchive(root, leaf []Entry) []byte {
	h := Header{Internal: Uncompressed, TileCompression: Uncompressed, MaxZoom: 14}
	r, l := appendDirectory(nil, root), appendDirectory(nil, leaf)
	h.Root = Section{headerSize, uint64(len(r))}
	h.Leaves = Section{h.Root.Offset + h.Root.Length, uint64(len(l))}
	h.Tiles = Section{h.Leaves.Offset + h.Leaves.Length, 16}
	h.Metadata = h.Tiles
	return append(append(append(h.append(nil), r...), l...), make([]byte, 16)...)
}

// readAll fails where a damaged archive is not refused as one, or where an archive that was opened cannot be read.
func readAll(t *testing.T, data []byte) {
	a, err := Open(data)
	if err != nil {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%v is not ErrDamaged", err)
		}
		return
	}
	a.Metadata()
	n := 0
	enough := errors.New("enough")
	err = a.Each(func(e Entry, tile []byte) error {
		z, x, y, ok := Tile(e.ID)
		got, found := a.Tile(z, x, y)
		if !ok || !found || len(got) != len(tile) || &got[0] != &tile[0] {
			t.Errorf("entry %+v is not found", e)
		}
		if n++; n == 1000 {
			return enough
		}
		return nil
	})
	if err != nil && err != enough {
		t.Error(err)
	}
}

func TestDamagedArchives(t *testing.T) {
	whole := plainArchive([]Entry{{ID: 0, Length: 4, Run: 1}, {ID: 5, Length: 5}}, []Entry{{ID: 5, Length: 4, Run: 2}})
	if _, err := Open(whole); err != nil {
		t.Fatalf("an archive that is not damaged: %v", err)
	}
	for name, data := range map[string][]byte{
		"empty":                     {},
		"without the end":           whole[:len(whole)-1],
		"without a header":          append([]byte("QMTiles"), whole[7:]...),
		"version 2":                 append([]byte("PMTiles\x02"), whole[8:]...),
		"leaf that contains itself": plainArchive([]Entry{{ID: 0, Length: 5}}, []Entry{{ID: 0, Length: 5}}),
		"tile after the section":    plainArchive([]Entry{{ID: 0, Length: 17, Run: 1}}, nil),
		"tile without bytes":        plainArchive([]Entry{{ID: 0, Run: 1}}, nil),
		"run into the next entry":   plainArchive([]Entry{{ID: 0, Length: 4, Run: 3}, {ID: 2, Length: 4, Run: 1}}, nil),
		"leaf after the section":    plainArchive([]Entry{{ID: 0, Length: 99}}, nil),
		"leaf of other tiles":       plainArchive([]Entry{{ID: 4, Length: 5}}, []Entry{{ID: 5, Length: 4, Run: 2}}),
		"leaf into the next entry": plainArchive([]Entry{{ID: 5, Length: 5}, {ID: 6, Length: 4, Run: 1}},
			[]Entry{{ID: 5, Length: 4, Run: 2}}),
		"tile after the highest zoom":  plainArchive([]Entry{{ID: firstOf(MaxZoom + 1), Length: 4, Run: 1}}, nil),
		"run beyond the highest zoom":  plainArchive([]Entry{{ID: firstOf(MaxZoom+1) - 1, Length: 4, Run: 2}}, nil),
		"two entries of the same tile": plainArchive([]Entry{{ID: 1, Length: 4, Run: 1}, {ID: 1, Length: 4, Run: 1}}, nil),
	} {
		if _, err := Open(data); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Nothing that is done to a byte of header or directories ends the program.
func TestAnyByteMayBeWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiles")
	write(t, path, someTiles(4, 200))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, len(whole))
	for range 2000 {
		copy(data, whole)
		data[r.Uint64N(headerSize+a.Header().Root.Length)] = byte(r.Uint32())
		readAll(t, data)
	}
}
