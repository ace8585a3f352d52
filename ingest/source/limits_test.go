package source

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/internal/testenv"
)

// packed is a zip with a file of blanks and one of text.
func packedBlanks(t *testing.T, blanks int64) string {
	t.Helper()
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	for name, r := range map[string]io.Reader{"stops.txt": strings.NewReader("stop_id\n1\n"),
		"blanks.txt": io.LimitReader(testenv.Endless(" "), blanks)} {
		file, err := w.Create(name)
		if err == nil {
			_, err = io.Copy(file, r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "feed.zip")
	if err := os.WriteFile(path, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestZipIsBounded(t *testing.T) {
	small, large := packedBlanks(t, expandedFreely), packedBlanks(t, 2*expandedFreely)
	for _, tt := range []struct {
		path   string
		limits Limits
		says   string // "": no fault
	}{
		{small, Limits{}, ""},
		{large, Limits{}, "feed.zip: beyond a limit: blanks.txt, of"},
		{large, Limits{Expansion: 2000}, ""},
	} {
		archive, err := OpenZip(tt.path, tt.limits)
		if err == nil {
			archive.Close()
		}
		if (err == nil) != (tt.says == "") || err != nil &&
			(!errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "{expansion: …}")) {
			t.Errorf("%s %+v: %v, want %q", tt.path, tt.limits, err, tt.says)
		}
	}
	if _, err := OpenZip(filepath.Join(t.TempDir(), "none.zip"), Limits{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if err := os.WriteFile(small, []byte("no zip"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenZip(small, Limits{}); !errors.Is(err, ErrBadFile) || errors.Is(err, ErrTooLarge) {
		t.Errorf("no zip: %v", err)
	}
}

// TestUnpackIsBounded decompresses without end and counts what is passed on.
func TestUnpackIsBounded(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.Copy(w, io.LimitReader(testenv.Endless(" "), 3*expandedFreely))
	w.Close()
	data := packed.Bytes()
	open := func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
	r, err := Unpack(bytes.NewReader(data), Limits{}, open)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r)
	if !errors.Is(err, ErrTooLarge) || n > expandedFreely {
		t.Errorf("%d bytes, %v", n, err)
	}
	if r, err = Unpack(bytes.NewReader(data), Limits{Expansion: 2000}, open); err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, r); err != nil || n != 3*expandedFreely {
		t.Errorf("with a higher limit: %d bytes, %v", n, err)
	}
}
