package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"
)

// write makes a small pack with sections of several kinds and lengths.
func write(t testing.TB, path string) {
	t.Helper()
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	numbers := NewSection[uint32](w, "numbers")
	texts := NewLists[byte](w, "texts")
	for i := range 100 {
		numbers.Append(uint32(i) * 7)
		texts.Append([]byte(fmt.Sprint("text ", i)))
	}
	Put(w, "points", []Point{{-750000000, 450000000}, {1, -1}})
	Put(w, "signed", []int64{-1, 1 << 40})
	Put(w, "floats", []float64{0.1})
	Put(w, "short floats", []float32{0.1, -2.5})
	PutVocabulary(w, "words", []string{"ab", "c"})
	Put[uint16](w, "nothing", nil)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatGoesInComesOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pack")
	write(t, path)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Verify(); err != nil {
		t.Fatal(err)
	}
	numbers, err := Get[uint32](f, "numbers")
	if err != nil || len(numbers) != 100 || numbers[99] != 99*7 {
		t.Errorf("numbers %v, %v", numbers, err)
	}
	texts, err := GetLists[byte](f, "texts", 100)
	if err != nil || string(texts.At(42)) != "text 42" || texts.At(100) != nil || texts.At(-1) != nil {
		t.Errorf("text %q, %v", texts.At(42), err)
	}
	points, err := GetSized[Point](f, "points", 2)
	if err != nil || !slices.Equal(points, []Point{{-750000000, 450000000}, {1, -1}}) {
		t.Errorf("points %v, %v", points, err)
	}
	if floats, err := GetSized[float32](f, "short floats", 2); err != nil || !slices.Equal(floats, []float32{0.1, -2.5}) {
		t.Errorf("short floats %v, %v", floats, err)
	}
	if err := CheckVocabulary(f, "words", []string{"ab", "c"}); err != nil {
		t.Error(err)
	}
	if nothing, err := Get[uint16](f, "nothing"); err != nil || len(nothing) != 0 {
		t.Errorf("nothing %v, %v", nothing, err)
	}
	for what, get := range map[string]func() error{
		"missing": func() error { _, err := Get[uint32](f, "number"); return err },
		"kind":    func() error { _, err := Get[int32](f, "numbers"); return err },
		"size":    func() error { _, err := GetSized[uint32](f, "numbers", 99); return err },
		"words":   func() error { return CheckVocabulary(f, "words", []string{"a", "bc"}) },
		"lists":   func() error { _, err := GetLists[byte](f, "texts", 99); return err },
	} {
		if err := get(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestLargeSectionsSpillAndEqualContentGivesEqualBytes(t *testing.T) {
	dir := t.TempDir()
	make := func(name string, step int) []byte {
		path := filepath.Join(dir, name)
		w, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		a, b := NewSection[uint64](w, "a"), NewSection[byte](w, "b")
		block := bytes.Repeat([]byte("0123456789abcdef"), 3<<20/16)
		b.Append(block...)
		for i := 0; i < 600_000; i += step { // beyond spillAt, in portions of another size
			var portion []uint64
			for k := range step {
				portion = append(portion, uint64(i+k))
			}
			a.Append(portion...)
		}
		b.Append('!')
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	one, other := make("one.pack", 1), make("other.pack", 200_000)
	if !bytes.Equal(one, other) {
		t.Error("the size of the portions shows in the file")
	}
	f, err := Open(filepath.Join(dir, "one.pack"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	values, err := Get[uint64](f, "a")
	if err != nil || len(values) != 600_000 || values[599_999] != 599_999 || f.Verify() != nil {
		t.Errorf("%d values, %v, %v", len(values), err, f.Verify())
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestCloseReportsWhatWentWrong(t *testing.T) {
	for what, spoil := range map[string]func(w *Writer){
		"a name twice":    func(w *Writer) { Put[byte](w, "a", nil) },
		"no name":         func(w *Writer) { Put[byte](w, "", nil) },
		"a name too long": func(w *Writer) { Put[byte](w, string(make([]byte, 49)), nil) },
		"aborted":         func(w *Writer) { w.Abort() },
	} {
		path := filepath.Join(t.TempDir(), "a.pack")
		w, _ := Create(path)
		Put[byte](w, "a", []byte{1})
		spoil(w)
		if err := w.Close(); err == nil {
			t.Errorf("%s: no error", what)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a file is left", what)
		}
	}
	w, _ := Create(filepath.Join(t.TempDir(), "no such folder", "a.pack"))
	if err := w.Close(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestEveryFlippedBitIsFound flips each bit of a file in turn, and cuts it at each length.
func TestEveryFlippedBitIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pack")
	write(t, path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range data {
		spoiled := bytes.Clone(data)
		spoiled[at] ^= 1 << (at % 8)
		if err := check(spoiled); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d flipped: %v", at, err)
		}
		if err := check(data[:at]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", at, err)
		}
	}
	if err := check(append(bytes.Clone(data), 0)); !errors.Is(err, ErrDamaged) {
		t.Fatalf("a byte more: %v", err)
	}
	if err := check(data); err != nil {
		t.Fatal(err)
	}
}

// check opens and verifies the bytes of a file.
func check(data []byte) error {
	sections, err := parse(data)
	if err != nil {
		return err
	}
	f := &File{path: "test", data: data, sections: sections}
	return f.Verify()
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"empty": "", "short": "QUARPACK", "other": string(make([]byte, 1000))} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(filepath.Join(dir, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("a folder opens")
	}
}

// FuzzOpen takes a file apart; with its checksums mended, so that the fuzzer gets behind them.
func FuzzOpen(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.pack")
	write(f, path)
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:headerSize])
	f.Fuzz(func(t *testing.T, data []byte) {
		data = mend(bytes.Clone(data))
		sections, err := parse(data)
		if err != nil {
			return
		}
		file := &File{path: "fuzz", data: data, sections: sections}
		_ = file.Verify()
		for _, e := range sections {
			if points, err := Get[Point](file, e.name); err == nil && uint64(len(points))*8 != e.length {
				t.Errorf("%d points in %d bytes", len(points), e.length)
			}
			if lists, err := GetLists[byte](file, e.name, -1); err == nil {
				for i := range lists.Len() {
					_ = bytes.Count(lists.At(i), []byte{0})
				}
			}
		}
	})
}

// mend returns data with the checksums of header and section table made to fit what they cover, where there is a
// table. It is for tests that damage a file on purpose and want to see past the first check.
func mend(data []byte) []byte {
	if len(data) < headerSize {
		return data
	}
	header := data[:headerSize]
	if at := binary.LittleEndian.Uint64(header[16:]); at <= uint64(len(data)) {
		binary.LittleEndian.PutUint32(header[32:], crc32.Checksum(data[at:], castagnoli))
	}
	binary.LittleEndian.PutUint32(header[60:], crc32.Checksum(header[:60], castagnoli))
	return data
}

func TestContains(t *testing.T) {
	square := Area{Points: []Point{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}}, Ends: []uint32{5}}
	for p, want := range map[Point]bool{
		{5, 5}: true, {0, 0}: true, {0, 5}: true, {5, 0}: true, {10, 5}: false, {5, 10}: false, {10, 10}: false, {-1, 5}: false,
	} {
		if square.Contains(p) != want {
			t.Errorf("%v: %v", p, !want)
		}
	}
}

func TestRingsThatRoundAwayAreLeftOut(t *testing.T) {
	square := orb.Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}
	hole := orb.Ring{{0.2, 0.2}, {0.2, 0.4}, {0.4, 0.4}, {0.2, 0.2}}
	sliver := orb.Ring{{-75.7770089, 45.322193}, {-75.7770092, 45.3221935}, {-75.77700892, 45.32219301}, {-75.7770089, 45.322193}}
	line := orb.Ring{{0.2, 0.2}, {0.3, 0.3}, {0.3, 0.35}, {0.30000001, 0.30000002}, {0.2, 0.2}} // there and back
	point := orb.Ring{{5, 5}, {5.00000001, 5}, {5, 5.00000001}, {5, 5}}
	for _, tt := range []struct {
		name string
		in   orb.MultiPolygon
		want []int // rings of each polygon that is left
	}{
		{"all well", orb.MultiPolygon{{square, hole}}, []int{2}},
		{"a sliver", orb.MultiPolygon{{sliver}, {square}}, []int{1}},
		{"a line and a point", orb.MultiPolygon{{line}, {square, hole}, {point}}, []int{2}},
		{"a hole", orb.MultiPolygon{{square, line, hole, sliver}}, []int{2}},
		{"holes go with their ring", orb.MultiPolygon{{line, hole}, {square}}, []int{1}},
		{"never all of it", orb.MultiPolygon{{sliver}}, []int{1}},
		{"nothing", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			polygons, err := NewAreas(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, a := range polygons {
				got = append(got, len(a.Ends))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("rings %v, want %v", got, tt.want)
			}
			if whole, err := NewArea(tt.in); err != nil || !reflect.DeepEqual(whole, Join(polygons)) {
				t.Errorf("in one: %v, %v", whole, err)
			}
		})
	}
	world := []Point{{-180e7, -90e7}, {180e7, -90e7}, {180e7, 90e7}, {-180e7, 90e7}, {-180e7, -90e7}}
	if !enclose(world) {
		t.Error("the whole world encloses nothing")
	}
}

func TestRegionMatches(t *testing.T) {
	for _, c := range []struct {
		code, allowance string
		want            bool
	}{{"US_DE", "US_DE", true}, {"US_DE", "US", true}, {"US", "US", true}, {"US_DE", "U", false}, {"US_DE", "", false}, {"US", "US_DE", false}, {"USA_X", "US", false}, {"", "", false}} {
		if RegionMatches(c.code, c.allowance) != c.want {
			t.Errorf("%q in %q: %v", c.code, c.allowance, !c.want)
		}
	}
}

func TestPointsKeepSevenDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Point{rapid.Int32Range(-1800000000, 1800000000).Draw(t, "lng"), rapid.Int32Range(-900000000, 900000000).Draw(t, "lat")}
		lng, lat := p.Degrees()
		if back, ok := NewPoint(lng, lat); !ok || back != p {
			t.Fatalf("%v became %v", p, back)
		}
	})
}
