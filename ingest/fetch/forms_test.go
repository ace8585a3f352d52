package fetch

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
)

func gzipped(t testing.TB, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(body)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// bomb is a small archive whose directory says that it becomes large.
func bomb(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range []string{"a.csv", "b.csv"} {
		entry, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: 3, UncompressedSize64: 1 << 40})
		if err == nil {
			_, err = entry.Write([]byte("abc"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pbf is an extract of a header and blocks of zeros.
func pbf(blocks int) (out []byte) {
	for i := range blocks {
		name := "OSMData"
		if i == 0 {
			name = "OSMHeader"
		}
		header := append([]byte{0x0a, byte(len(name))}, name...)
		header = append(header, 3<<3, 90)
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(header))), header...)
		out = append(out, make([]byte, 90)...)
	}
	return out
}

// sqlite is a file of empty pages.
func sqlite(pages uint32) []byte {
	out := make([]byte, 512*pages)
	copy(out, "SQLite format 3\x00\x02\x00")
	binary.BigEndian.PutUint32(out[28:], pages)
	return out
}

type bytesAt struct{ *bytes.Reader }

func (bytesAt) Name() string { return "tl_2025_10_place.zip" }

// No file, however damaged, does more than give an error.
func FuzzForms(f *testing.F) {
	for _, seed := range [][]byte{place(f, 1)[299_900:], bomb(f), pbf(3), sqlite(1), gzipped(f, []byte("x")),
		[]byte("PAR1\x00\x00\x00\x00\x04\x00\x00\x00PAR1"),
		[]byte(`{"features":[]}`), []byte("<html>")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for ending, form := range forms {
			if err := damageOf(bytesAt{bytes.NewReader(body)}, int64(len(body)), form); err == nil && len(body) == 0 {
				t.Errorf("%s: an empty file is right", ending)
			}
		}
		if name := looksLike(body); name == "" {
			t.Error("no name")
		}
		p := &peeked{body: bytes.NewReader(body), moved: func() {}}
		p.peek(200)
		if all, err := io.ReadAll(p); err != nil || !bytes.Equal(all, body) {
			t.Errorf("read %d bytes of %d, %v", len(all), len(body), err)
		}
	})
}
