// Package packtest helps the tests of packed tables: it writes a pack into the test's folder and opens it, and opens
// damaged copies of one.
package packtest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"quartier/internal/pack"
)

// Open writes a pack by fill and opens it; the test's end closes it.
func Open(t testing.TB, fill func(out *pack.Writer) error) *pack.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.pack")
	out, err := pack.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := fill(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := pack.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Damage opens copies of f in which up to 2,000 bytes are overwritten where only Verify finds them, and hands each to
// use, which tells whether the table in it opened. It fails the test where Verify finds nothing, or where no table
// opened, so that nothing was tried.
func Damage(t *testing.T, f *pack.File, copies int, use func(f *pack.File) bool) {
	t.Helper()
	data, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	const header, line = 64, 96 // of the section table, which ends the file and is kept, so that the copy opens
	content := data[header : len(data)-line*int(binary.LittleEndian.Uint32(data[12:]))]
	random := rand.New(rand.NewPCG(7, 8))
	path := filepath.Join(t.TempDir(), "damaged.pack")
	tried := 0
	for range copies {
		spoiled := bytes.Clone(data)
		for range 1 + random.IntN(2000) {
			at := header + random.IntN(len(content))
			spoiled[at] ^= byte(1 + random.IntN(255))
		}
		if err := os.WriteFile(path, spoiled, 0o600); err != nil {
			t.Fatal(err)
		}
		damaged, err := pack.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if damaged.Verify() == nil {
			t.Error("the damage is not found")
		}
		if use(damaged) {
			tried++
		}
		damaged.Close()
	}
	if tried == 0 {
		t.Error("no damaged table opened: nothing was tried")
	}
}

// Fuzz overwrites a few bytes of the file of f, wherever the fuzzer says, and hands what still opens to use, which must
// not panic.
func Fuzz(f *testing.F, good *pack.File, use func(*pack.File)) {
	data, err := os.ReadFile(good.Path())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(64), uint64(1))
	f.Add(uint32(200), uint64(1))
	f.Add(uint32(len(data)/2), ^uint64(0))
	path := filepath.Join(f.TempDir(), "fuzzed.pack")
	f.Fuzz(func(t *testing.T, at uint32, bits uint64) {
		spoiled := bytes.Clone(data)
		for i := range 8 {
			spoiled[(int(at)+i)%len(spoiled)] ^= byte(bits >> (8 * i))
		}
		if err := os.WriteFile(path, spoiled, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := pack.Open(path)
		if err != nil {
			return
		}
		defer file.Close()
		use(file)
	})
}
