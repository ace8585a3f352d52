package files

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"quartier/build/released"
	"quartier/internal/drill/faults"
	"quartier/internal/spatialite/spatialitetest"
	"quartier/schemas/bundle"
)

// SQLite reports the maximum size of a file like a full disk.
func TestDiskFullIsNamed(t *testing.T) {
	spatialitetest.Need(t)
	f, err := (&Release{Dir: t.TempDir()}).create("a.sqlite", bundle.POIs)
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

// TestEveryFailedWriteOfColumns lets each write fail while another process registers and indexes the geometry columns of a file.
// SpatiaLite prints some of the failures and reports success.
func TestEveryFailedWriteOfColumns(t *testing.T) {
	spatialitetest.Need(t)
	const variable = "QUARTIER_TEST_FILE"
	if dir := os.Getenv(variable); dir != "" {
		f, err := (&Release{Dir: dir}).create("a.sqlite", bundle.Provenance, bundle.POIs)
		if err == nil {
			err = f.finish(t.Context(), &released.Provenance{}, bundle.POIColumns)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	library, err := faults.Compile(t.TempDir())
	if errors.Is(err, faults.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	write := func(at int) (count int, digest string, err error) {
		dir := t.TempDir()
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), variable+"="+dir)
		count, _, err = library.Run(child, dir, "write", at, syscall.EIO)
		if err != nil {
			return count, "", err
		}
		if digest, err = faults.Digest(dir); err != nil {
			t.Fatal(err)
		}
		return count, digest, nil
	}
	n, want, err := write(0)
	if err != nil || n == 0 {
		t.Fatalf("without a fault: %d writes, %v", n, err)
	}
	failed := 0
	for at := 1; at <= n; at++ {
		switch _, digest, err := write(at); {
		case err != nil:
			failed++
		case digest != want:
			t.Errorf("write %d of %d fails, and the file is said to be complete and is another one", at, n)
		}
	}
	if failed == 0 {
		t.Errorf("none of %d writes failed", n)
	}
	t.Logf("%d of %d failed writes ended the process", failed, n)
}
