package files

import (
	"errors"
	"syscall"
	"testing"

	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas"
)

// SQLite reports the maximum size of a file like a full disk.
func TestDiskFullIsNamed(t *testing.T) {
	spatialitetest.Need(t)
	f, err := (&Release{Dir: t.TempDir()}).create("a.sqlite", schemas.BundlePOIs)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.tx.Exec("PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	_, err = f.tx.Exec("CREATE TABLE large AS SELECT zeroblob(10000000)")
	if err == nil {
		t.Fatal("10 MB fit on a full disk")
	}
	if !errors.Is(NameDiskFull(err), syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if other := errors.New("another"); NameDiskFull(other) != other || NameDiskFull(nil) != nil {
		t.Error("other errors changed")
	}
}
