package deflate64

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"quartier/internal/testenv"
)

// samples are texts of different kinds: repetitions longer than 258 bytes and farther back than 32 kB, noise, rows of a table.
func samples() map[string][]byte {
	random := rand.New(rand.NewSource(1))
	noise := make([]byte, 100_000)
	random.Read(noise)
	var rows bytes.Buffer
	for i := range 60_000 {
		fmt.Fprintf(&rows, "2024-2025,%02d,STATE %d,%012d,Grade %d,%s,%d\n", i%56, i%56, i*7, i%13, []string{"Male", "Female"}[i%2],
			random.Intn(300))
	}
	return map[string][]byte{
		"empty": {}, "one": []byte("a"), "zeros": make([]byte, 300_000), "noise": noise,
		"far":  bytes.Join([][]byte{noise[:50_000], noise[:50_000], noise[:60_000], noise[:64_000], noise[1:64_000]}, nil),
		"rows": rows.Bytes(),
	}
}

// The archives of 7-Zip are read as it wrote them.
func TestArchivesOf7Zip(t *testing.T) {
	const program = "7zz"
	testenv.NeedProgram(t, program)
	for _, level := range []string{"-mx=1", "-mx=5", "-mx=9"} {
		folder := t.TempDir()
		args := []string{"a", "-tzip", "-mm=Deflate64", level, "all.zip"}
		for name, data := range samples() {
			if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
			args = append(args, name)
		}
		command := exec.Command(program, args...)
		command.Dir = folder
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		archive, err := zip.OpenReader(filepath.Join(folder, "all.zip"))
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		archive.RegisterDecompressor(Method, NewReader)
		compressed := 0
		for _, member := range archive.File {
			if member.Method == Method {
				compressed++
			}
			in, err := member.Open()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(in) // which compares the checksum
			if err != nil || !bytes.Equal(got, samples()[member.Name]) {
				t.Errorf("%s %s: %d bytes, %v", level, member.Name, len(got), err)
			}
		}
		if compressed < 3 {
			t.Errorf("only %d members are Deflate64", compressed)
		}
	}
}

// packed are streams without a match of 258 bytes or codes 30 and 31, which are the same in Deflate.
func packed(t testing.TB, data []byte, level int) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSameAsDeflate(t *testing.T) {
	for name, data := range samples() {
		for _, level := range []int{flate.NoCompression, flate.HuffmanOnly} {
			for _, wrap := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
				got, err := io.ReadAll(wrap(NewReader(wrap(bytes.NewReader(packed(t, data, level))))))
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s, level %d: %d bytes, %v", name, level, len(got), err)
				}
			}
		}
	}
}

func TestDamaged(t *testing.T) {
	text := packed(t, []byte(strings.Repeat("quartier ", 20)), 9)
	for n := range text {
		if _, err := io.ReadAll(NewReader(bytes.NewReader(text[:n]))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %v", n, len(text), err)
		}
	}
	for _, data := range []string{"\x07", "\x01\x05\x00\x00\x00hello", "\x03\x02\x00"} {
		if _, err := io.ReadAll(NewReader(strings.NewReader(data + strings.Repeat("\x00", 40)))); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// FuzzReader reads damaged streams, at most a megabyte of each. Deflate reads those without a match of 258 bytes and without
// distances over 32 kB, which have other codes, likewise.
func FuzzReader(f *testing.F) {
	for _, data := range samples() {
		data = data[:min(len(data), 3000)]
		f.Add(packed(f, data, flate.NoCompression))
		f.Add(packed(f, data, flate.HuffmanOnly))
		f.Add(packed(f, data, 9))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := io.ReadAll(io.LimitReader(NewReader(bytes.NewReader(data)), 1<<20))
		want, werr := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), 1<<20))
		if err != nil || werr != nil || len(want) > 257 {
			return
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d bytes, Deflate has %d", len(got), len(want))
		}
	})
}
