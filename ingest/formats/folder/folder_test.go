package folder

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
)

// write makes a folder with two files, and a zip with three of which two can be read.
func write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	z, err := os.Create(filepath.Join(dir, "b.ZIP"))
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(z)
	for _, name := range []string{"y/two.csv", "one.CSV", "notes.txt"} {
		m, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(m, name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close(), os.WriteFile(filepath.Join(dir, "a.csv"), []byte("a"), 0o600),
		os.WriteFile(filepath.Join(dir, "c.txt"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFolder(t *testing.T) {
	dir := write(t)
	for root, want := range map[string]string{".": "a.csv b.ZIP/one.CSV b.ZIP/y/two.csv", "a.csv": "a.csv",
		"b.ZIP": "b.ZIP/one.CSV b.ZIP/y/two.csv", "c.txt": "c.txt"} {
		list, err := Open(filepath.Join(dir, root), source.Limits{}, ".csv")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range list.Files {
			got = append(got, strings.TrimPrefix(f.Path, dir+"/"))
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if r.Close(); err != nil || f.Disk == "" && string(text) != strings.TrimPrefix(f.Path, dir+"/b.ZIP/") {
				t.Errorf("%s: %q, %v", f.Path, text, err)
			}
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s:\n%s", root, diff)
		}
		list.Close()
	}
	for root, want := range map[string]string{"none": "no such file", "bad.zip": "not a valid .zip"} {
		if err := os.WriteFile(filepath.Join(dir, "bad.zip"), []byte("PK"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(filepath.Join(dir, root), source.Limits{}, ".csv"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", root, err)
		}
	}
}

func TestSibling(t *testing.T) {
	list, err := Open(filepath.Join(write(t), "b.ZIP"), source.Limits{}, ".csv")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	two := list.Files[1]
	if two.Base() != "two.csv" || two.Stem() != "two" || two.Ext() != ".csv" {
		t.Error(two.Base(), two.Stem(), two.Ext())
	}
	for f, want := range map[File]bool{two.Sibling("two.csv"): true, two.Sibling("one.CSV"): false, list.Files[0].Sibling("notes.txt"): true} {
		if there, err := f.Exists(); there != want || err != nil {
			t.Errorf("%s: %t, %v", f.Path, there, err)
		}
	}
}
