package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
)

// write writes a small pack with sections of several kinds and lengths.
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
	Put(w, "points", []coord.Point{{Lng: -750000000, Lat: 450000000}, {Lng: 1, Lat: -1}})
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
	l := NewLoader(f)
	if numbers := Load[uint32](l, "numbers", Any); len(numbers) != 100 || numbers[99] != 99*7 {
		t.Errorf("numbers %v", numbers)
	}
	if texts := LoadLists[byte](l, "texts", 100); string(texts.At(42)) != "text 42" || texts.At(100) != nil || texts.At(-1) != nil {
		t.Errorf("text %q", texts.At(42))
	}
	if points := Load[coord.Point](l, "points", 2); !slices.Equal(points,
		[]coord.Point{{Lng: -750000000, Lat: 450000000}, {Lng: 1, Lat: -1}}) {
		t.Errorf("points %v", points)
	}
	if floats := Load[float32](l, "short floats", 2); !slices.Equal(floats, []float32{0.1, -2.5}) {
		t.Errorf("short floats %v", floats)
	}
	l.CheckVocabulary("words", []string{"ab", "c"})
	if nothing := Load[uint16](l, "nothing", Any); len(nothing) != 0 {
		t.Errorf("nothing %v", nothing)
	}
	if l.Err() != nil {
		t.Error(l.Err())
	}
	for what, load := range map[string]func(*Loader){
		"missing": func(l *Loader) { Load[uint32](l, "number", Any) },
		"kind":    func(l *Loader) { Load[int32](l, "numbers", Any) },
		"size":    func(l *Loader) { Load[uint32](l, "numbers", 99) },
		"words":   func(l *Loader) { l.CheckVocabulary("words", []string{"a", "bc"}) },
		"lists":   func(l *Loader) { LoadLists[byte](l, "texts", 99) },
	} {
		l := NewLoader(f)
		if load(l); !errors.Is(l.Err(), ErrDamaged) {
			t.Errorf("%s: %v", what, l.Err())
		}
		if after := Load[uint32](l, "numbers", Any); after != nil {
			t.Errorf("%s: loads %d numbers after an error", what, len(after))
		}
	}
}

// The bytes in the package comment.
func TestDrawnExample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "example.pack")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	Put(w, "greeting", []uint16{1, 2, 258})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int]string{
		0: "QUARPACK\x01\x00\x00\x00\x01\x00\x00\x00", 16: "\x80\x00\x00\x00\x00\x00\x00\x00\x60\x00\x00\x00\x00\x00\x00\x00",
		64: "\x01\x00\x02\x00\x02\x01\x00", 128: "greeting\x00", 192: "\x06\x00\x00\x00\x00\x00\x00\x00",
		176: "\x08\x00\x00\x00\x02\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x00",
	} {
		if got := data[at : at+len(want)]; string(got) != want || len(data) != 224 {
			t.Errorf("at %d of %d: % x, want % x", at, len(data), got, want)
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
		put := Put[byte]
		if step > 1 {
			put = PutLater
		}
		put(w, "c", block)
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
	values, err := section[uint64](f, "a")
	if err != nil || len(values) != 600_000 || values[599_999] != 599_999 || f.Verify() != nil {
		t.Errorf("%d values, %v, %v", len(values), err, f.Verify())
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

// TestCopiesAreTheBytesThatAreAppended writes sections of stretches of their own and of another pack, and compares the file with
// that of the same values that are all appended.
func TestCopiesAreTheBytesThatAreAppended(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "from.pack")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	items := make([]uint32, 900_000) // beyond spillAt
	for i := range items {
		items[i] = uint32(i * i)
	}
	Put(w, "items", items)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	from, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	there, err := section[uint32](from, "items")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		write := func(name string, copies bool, cuts []int) []byte {
			path := filepath.Join(dir, name)
			w, err := Create(path)
			if err != nil {
				rt.Fatal(err)
			}
			s, after := NewSection[uint32](w, "s"), NewSection[byte](w, "after")
			for n := 0; n+2 < len(cuts); n += 3 {
				lo, hi := min(cuts[n], cuts[n+1]), max(cuts[n], cuts[n+1])
				if copies {
					s.AppendFrom(from, there[lo:hi])
				} else {
					s.Append(items[lo:hi]...)
				}
				s.Append(items[:cuts[n+2]%max(n*100_000, 1)]...) // none after the first copy, which the next may continue
				after.Append(byte(n))
			}
			if err := w.Close(); err != nil {
				rt.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				rt.Fatal(err)
			}
			return data
		}
		cuts := rapid.SliceOfN(rapid.IntRange(0, len(items)), 0, 12).Draw(rt, "cuts")
		if len(cuts) > 4 && rapid.Bool().Draw(rt, "continued") {
			cuts[3] = max(cuts[0], cuts[1])
		}
		if !bytes.Equal(write("copied.pack", true, cuts), write("appended.pack", false, cuts)) {
			rt.Fatal("the files differ")
		}
	})
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
		t.Errorf("missing folder: %v", err)
	}
}

// TestEveryFlippedBitIsFound flips each bit of a file in turn, and truncates it to each length.
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
			t.Fatalf("truncated to %d: %v", at, err)
		}
	}
	if err := check(append(bytes.Clone(data), 0)); !errors.Is(err, ErrDamaged) {
		t.Fatalf("one more byte: %v", err)
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

// FuzzOpen parses a file after its checksums were repaired, so that the fuzzer gets past them.
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
		data = repairChecksums(bytes.Clone(data))
		sections, err := parse(data)
		if err != nil {
			return
		}
		file := &File{path: "fuzz", data: data, sections: sections}
		_ = file.Verify()
		for _, e := range sections {
			if points, err := section[coord.Point](file, e.name); err == nil && uint64(len(points))*8 != e.length {
				t.Errorf("%d points in %d bytes", len(points), e.length)
			}
			lists := LoadLists[byte](NewLoader(file), e.name, Any)
			for i := range lists.Len() {
				_ = bytes.Count(lists.At(i), []byte{0})
			}
		}
	})
}

// repairChecksums recomputes the checksums of the header and the section table, if there is one, for tests that damage
// what they cover.
func repairChecksums(data []byte) []byte {
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
