package spatialite

import (
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"

	"quartier/internal/testenv"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// kernel starts a kernel for a test; if the library is not installed the test is skipped.
func kernel(t testing.TB) *Kernel {
	t.Helper()
	k, err := NewKernel()
	if errors.Is(err, ErrUnavailable) {
		testenv.NotInstalled(t, "mod_spatialite")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.Close() })
	return k
}

func TestNewFileIsASpatiaLiteFile(t *testing.T) {
	kernel(t)
	path := t.TempDir() + "/a#b%20?.sqlite"
	db, err := NewFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var added, indexed int
	if _, err := db.Exec("CREATE TABLE place (id INTEGER PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	err = db.QueryRow("SELECT AddGeometryColumn('place', 'geom', 4326, 'POINT', 'XY'), CreateSpatialIndex('place', 'geom')").Scan(&added,
		&indexed)
	if err != nil || added != 1 || indexed != 1 {
		t.Fatalf("added %d, indexed %d, %v", added, indexed, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the file is not at the given path: %v", err)
	}
	if _, err := NewFile(path); !errors.Is(err, os.ErrExist) {
		t.Fatalf("second NewFile: %v", err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var srid int
	if err := again.QueryRow("SELECT srid FROM geometry_columns WHERE f_table_name = 'place'").Scan(&srid); err != nil || srid != 4326 {
		t.Fatalf("srid %d, %v", srid, err)
	}
}

func TestOpenWantsAFile(t *testing.T) {
	if _, err := Open(t.TempDir() + "/none.sqlite"); !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
}

// The user gets the hint if the library is not installed.
func TestMissingLibraryIsNamed(t *testing.T) {
	sql.Register("spatialite-missing", &sqlite3.SQLiteDriver{Extensions: []string{"mod_no_such_library"}})
	_, err := connect("spatialite-missing", ":memory:")
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "libsqlite3-mod-spatialite") {
		t.Fatal(err)
	}
}

// A file that cannot be opened is not reported as a missing library.
func TestOtherFailuresAreNotTheLibrarys(t *testing.T) {
	kernel(t)
	if _, err := NewFile(t.TempDir() + "/none/a.sqlite"); err == nil || errors.Is(err, ErrUnavailable) {
		t.Fatal(err)
	}
}
