package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/internal/store"
	"quartier/internal/store/storetest"
	"quartier/internal/testenv"
)

func open(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFolder(t *testing.T) {
	storetest.Run(t, func(t *testing.T) (one, other store.Store) {
		dir := t.TempDir()
		return open(t, dir), open(t, "file://"+dir)
	})
}

// TestWhatAKilledProcessLeaves: it is no object, and is removed after a day.
func TestWhatAKilledProcessLeaves(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	storetest.Put(t, s, "a", []byte("a"))
	left := filepath.Join(dir, ".new", "123")
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if names := storetest.Names(t, s, ""); len(names) != 1 {
		t.Errorf("listed: %q", names)
	}
	open(t, dir)
	if _, err := os.Stat(left); err != nil {
		t.Errorf("of a process that may run: %v", err)
	}
	yesterday := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(left, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
	if entries, err := os.ReadDir(filepath.Join(dir, ".new")); err != nil || len(entries) > 0 {
		t.Errorf("after a day: %v %v", entries, err)
	}
}

func TestDamagedBlob(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	o := storetest.Put(t, s, "", []byte("what it was"))
	if err := os.WriteFile(filepath.Join(dir, o.Name), []byte("what it is."), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := storetest.Read(t, s, o.Name, 0, -1); !errors.Is(err, store.ErrDigest) {
		t.Errorf("other bytes were read: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestEndlessBytes: what sends more than an object has does not fill the disk.
func TestEndlessBytes(t *testing.T) {
	f, err := store.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := store.Object{Name: "a", Bytes: 3, SHA256: strings.Repeat("0", 64)}
	if err := f.Take(t.Context(), o, zeros{}); !errors.Is(err, store.ErrDigest) {
		t.Error(err)
	}
}

// TestFullDisk: what does not fit leaves nothing, and what is there stays as it is.
func TestFullDisk(t *testing.T) {
	disk, resize := testenv.SmallDisk(t, "300k")
	dir := filepath.Join(disk, "store")
	s, value, other := open(t, dir), storetest.Bytes(1, 50_000), storetest.Bytes(2, 1_000_000)
	small := storetest.Put(t, s, "", value)
	version, err := s.Swap(t.Context(), "current.json", "", value)
	if err != nil {
		t.Fatal(err)
	}
	large := storetest.Of("", other)
	full := func(err error) {
		t.Helper()
		if left, _ := os.ReadDir(filepath.Join(dir, ".new")); !errors.Is(err, syscall.ENOSPC) || len(left) > 0 {
			t.Errorf("%v, %v is left", err, left)
		}
	}
	full(s.Put(t.Context(), large, bytes.NewReader(other)))
	_, err = s.Swap(t.Context(), "current.json", version, other)
	full(err)
	if got, at, err := s.Read(t.Context(), "current.json"); err != nil || at != version || !bytes.Equal(got, value) {
		t.Errorf("the pointer is %d bytes at %s, %v", len(got), at, err)
	}
	if names := storetest.Names(t, s, "objects/"); len(names) != 1 || names[0] != small.Name {
		t.Errorf("%q", names)
	}
	resize("10m")
	storetest.Put(t, s, "", other)
}
