// Package packtest is for tests of packed tables: it writes a pack to the folder of the test and opens it, or damaged
// copies of it.
package packtest

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/pack"
)

// Open writes a pack with fill and opens it until the end of the test.
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

// Damage opens copies of f with up to 2,000 overwritten bytes that only Verify detects, and calls use with each, which
// reports whether the table in it opened; a tenth of the copies with -short. The test fails if Verify detects nothing or if no
// table opened.
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
	if testing.Short() {
		copies /= 10
	}
	for range copies {
		copied := bytes.Clone(data)
		for range 1 + random.IntN(2000) {
			at := header + random.IntN(len(content))
			copied[at] ^= byte(1 + random.IntN(255))
		}
		if err := os.WriteFile(path, copied, 0o600); err != nil {
			t.Fatal(err)
		}
		damaged, err := pack.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if damaged.Verify() == nil {
			t.Error("the damage is not detected")
		}
		if use(damaged) {
			tried++
		}
		damaged.Close()
	}
	if tried == 0 {
		t.Error("no damaged table opened")
	}
}

// Fuzz overwrites a few bytes of a valid file as the fuzzer decides and calls use with the files that open, which must not
// panic.
func Fuzz(f *testing.F, valid *pack.File, use func(*pack.File)) {
	data, err := os.ReadFile(valid.Path())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(64), uint64(1))
	f.Add(uint32(200), uint64(1))
	f.Add(uint32(len(data)/2), ^uint64(0))
	path := filepath.Join(f.TempDir(), "fuzzed.pack")
	f.Fuzz(func(t *testing.T, at uint32, bits uint64) {
		copied := bytes.Clone(data)
		for i := range 8 {
			copied[(int(at)+i)%len(copied)] ^= byte(bits >> (8 * i))
		}
		if err := os.WriteFile(path, copied, 0o600); err != nil {
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

// Star is a ring around a point with vertices at drawn distances.
func Star(t *rapid.T, at orb.Point, size float64) orb.Ring {
	n := rapid.IntRange(3, 60).Draw(t, "corners")
	var ring orb.Ring
	for i := range n {
		far := size * rapid.Float64Range(0.1, 1).Draw(t, "far")
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		ring = append(ring, orb.Point{at[0] + far*cos, at[1] + far*sin})
	}
	return append(ring, ring[0])
}
