package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quartier/internal/lockfile"
	"quartier/schemas"
	"quartier/serve/servetest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// releases is a folder with two places and a market beside the first.
func releases(t *testing.T) (root, first, second, market string) {
	t.Helper()
	root = t.TempDir()
	first, second, market = filepath.Join(root, "1"), filepath.Join(root, "2"), filepath.Join(root, "market", "today")
	_, err := servetest.Write(first, servetest.Release{})
	must(t, err)
	_, err = servetest.Write(second, servetest.Release{POIs: 402})
	must(t, err)
	_, err = servetest.WriteMarket(market, first, servetest.Market{})
	must(t, err)
	return root, first, second, market
}

func TestPointer(t *testing.T) {
	root, first, second, market := releases(t)
	for generation, folders := range [][2]string{{first, market}, {second, ""}, {first, market}} {
		p, err := Pointer(root, Set{Places: folders[0], Market: folders[1]})
		must(t, err)
		if p.Generation != int64(generation+1) {
			t.Errorf("generation %d", p.Generation)
		}
		read, err := schemas.ReadPointer(root)
		must(t, err)
		if read.Generation != p.Generation || len(read.Components) != len(p.Components) ||
			read.Components[0].Folder != filepath.Base(folders[0]) {
			t.Errorf("%+v", read)
		}
		if folders[1] != "" && read.Components[1].Folder != "market/today" {
			t.Errorf("%+v", read)
		}
	}
}

func TestPointersThatAreNotPublished(t *testing.T) {
	root, first, second, market := releases(t)
	before, err := Pointer(root, Set{Places: first, Market: market})
	must(t, err)
	refused := func(what string, err error, want error, text string) {
		t.Helper()
		if err == nil || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", what, err)
		}
		if left, err := schemas.ReadPointer(root); err != nil || left.Generation != before.Generation {
			t.Errorf("%s: pointer %+v, %v", what, left, err)
		}
	}
	_, err = Pointer(root, Set{Places: second, Market: market})
	refused("another release", err, ErrBeside, "stands beside another")
	_, err = Pointer(root, Set{Places: market, Market: market})
	refused("market as places", err, nil, "is a component market, not places")
	outside := filepath.Join(t.TempDir(), "places")
	must(t, os.CopyFS(outside, os.DirFS(first)))
	_, err = Pointer(root, Set{Places: outside})
	refused("outside", err, nil, "not below")
	for name, fail := range map[string]FileSystem{
		"write":  {Write: func(string, []byte) error { return syscall.ENOSPC }, Sync: OS.Sync, Rename: OS.Rename},
		"sync":   {Write: OS.Write, Sync: func(string) error { return syscall.EIO }, Rename: OS.Rename},
		"rename": {Write: OS.Write, Sync: OS.Sync, Rename: func(string, string) error { return syscall.EIO }},
	} {
		_, err := pointer(root, Set{Places: second}, fail)
		refused(name, err, nil, "publish in")
	}
	lock, err := lockfile.Acquire(root, "retain")
	must(t, err)
	defer lock.Release()
	_, err = Pointer(root, Set{Places: second})
	refused("a second operator", err, lockfile.ErrHeld, "retain, process ")
}
