package build

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas"
)

// SQLite calls a file that may grow no more by the same name as a full disk.
func TestDiskFullIsNamed(t *testing.T) {
	spatialitetest.Need(t)
	f, err := newSpatialFile(filepath.Join(t.TempDir(), "a.sqlite"), schemas.BundlePOIs)
	must(t, err)
	defer f.Close()
	_, err = f.db.Exec("PRAGMA max_page_count = 1")
	must(t, err)
	_, err = f.db.Exec("CREATE TABLE large AS SELECT zeroblob(10000000)")
	if err == nil {
		t.Fatal("a full disk took 10 MB")
	}
	if !errors.Is(explain(err), syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if other := errors.New("another"); explain(other) != other || explain(nil) != nil {
		t.Error("other errors changed")
	}
}
