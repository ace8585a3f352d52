package duck_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"quartier/internal/duck"
)

// A full disk is reported as such, so that commands can print a hint. /dev/full fails every write with ENOSPC.
func TestDiskFullIsNamed(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full")
	}
	db := create(t)
	file := filepath.Join(t.TempDir(), "full.csv")
	if err := os.Symlink("/dev/full", file); err != nil {
		t.Fatal(err)
	}
	_, err := db.Exec("COPY (SELECT * FROM range(1000000)) TO '" + file + "'")
	if err == nil {
		t.Fatal("a full disk took a million rows")
	}
	if !errors.Is(duck.Explain(err), syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	if other := errors.New("another"); duck.Explain(other) != other || duck.Explain(nil) != nil {
		t.Error("other errors changed")
	}
}
