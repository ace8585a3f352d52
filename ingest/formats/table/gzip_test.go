package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/source"
)

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	read := func(name string, data []byte) (rows int, err error) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := Open(path, Dialect{})
		if err != nil {
			return 0, err
		}
		defer table.Close()
		err = table.Each(t.Context(), source.Discard{}, func() error {
			rows++
			return nil
		})
		return rows, err
	}
	whole := packed(t, "a,b\n"+strings.Repeat("1,2\n", 1000))
	if rows, err := read("x.csv.gz", whole); rows != 1000 || err != nil {
		t.Errorf("%d rows, %v", rows, err)
	}
	for name, data := range map[string][]byte{"half.csv.gz": whole[:len(whole)/2], "text.csv.gz": []byte("a,b\n1,2\n"),
		"bomb.csv.gz": packed(t, "a,b\n"+strings.Repeat("1,2\n", 10<<20))} {
		if _, err := read(name, data); !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
