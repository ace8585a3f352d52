package publish

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quartier/schemas"
	"quartier/serve/servetest"
)

// open opens a folder of releases for the rest of a test.
func open(t *testing.T, root string) *Folder {
	t.Helper()
	folder, err := OpenFolder(root, "test")
	must(t, err)
	t.Cleanup(func() { folder.Close() })
	return folder
}

// months is a folder with places a, b, c, d, of which nothing is published.
func months(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for i, name := range []string{"a", "b", "c", "d"} {
		_, err := servetest.Write(filepath.Join(root, name), servetest.Release{POIs: 400 + i})
		must(t, err)
	}
	return root
}

// publish publishes places by name and returns the generation.
func (f *Folder) publish(t *testing.T, name string) int64 {
	t.Helper()
	next, err := f.Refer(Set{Places: filepath.Join(f.dir, name)})
	must(t, err)
	p, err := f.Publish(next, nil)
	must(t, err)
	return p.Generation
}

func TestRollback(t *testing.T) {
	f := open(t, months(t))
	if _, err := f.Rollback(0); err == nil || !strings.Contains(err.Error(), "nothing is published") {
		t.Errorf("before anything was published: %v", err)
	}
	for _, step := range []struct {
		do   string // a release to publish; "": rollback
		to   int64
		gen  int64
		want string // what is published then
	}{
		{"a", 0, 1, "a"}, {"b", 0, 2, "b"}, {"c", 0, 3, "c"},
		{"", 0, 4, "b"}, {"d", 0, 5, "d"}, {"", 0, 6, "b"}, {"", 0, 7, "a"},
		{"", 3, 8, "c"}, {"", 0, 9, "b"}, {"", 6, 9, "b"}, // is published already
	} {
		if step.do != "" {
			f.publish(t, step.do)
		} else if _, err := f.Rollback(step.to); err != nil {
			t.Fatalf("to generation %d: %v", step.gen, err)
		}
		p, err := schemas.ReadPointer(f.dir)
		must(t, err)
		if p.Generation != step.gen || p.Components[0].Folder != step.want {
			t.Fatalf("generation %d of %s, want %d of %s", p.Generation, p.Components[0].Folder, step.gen, step.want)
		}
	}
	_, err := f.Rollback(0) // to a
	must(t, err)
	for _, to := range []int64{0, 11, 10, 99, -1} {
		if _, err := f.Rollback(to); !errors.Is(err, ErrNotRestored) {
			t.Errorf("to %d: %v", to, err)
		}
	}
	must(t, os.Remove(filepath.Join(f.dir, "d", schemas.POIsPack)))
	if _, err := f.Rollback(5); !errors.Is(err, ErrNotRestored) || !strings.Contains(err.Error(), "pois.pack is missing") {
		t.Errorf("to a damaged release: %v", err)
	}
	if p, err := schemas.ReadPointer(f.dir); err != nil || p.Generation != 10 {
		t.Errorf("the pointer changed: %+v, %v", p, err)
	}
}

func TestRetain(t *testing.T) {
	root := months(t)
	f := open(t, root)
	for day := 1; day <= 3; day++ { // three days of a, then b, then three days of c
		f.day(t, "a", day)
	}
	f.publish(t, "b")
	for day := 4; day <= 6; day++ {
		f.day(t, "c", day)
	}
	must(t, os.WriteFile(filepath.Join(root, "b", "notes.txt"), []byte("mine"), 0o644))
	must(t, os.MkdirAll(filepath.Join(root, "documents"), 0o755))
	must(t, os.Mkdir(filepath.Join(root, removedFolder), 0o755))
	must(t, os.WriteFile(filepath.Join(root, removedFolder, "rest"), nil, 0o644))
	want := map[string]string{
		"a":        "keep: of generation 3", // the third of three places
		"b":        "keep: of generation 4",
		"c":        "keep: of generation 7",
		"d":        "keep: never published",
		"market/1": "remove: last published as generation 1",
		"market/2": "remove: last published as generation 2",
		"market/3": "keep: of generation 3", // of the last day of a
		"market/4": "keep: of generation 5", "market/5": "keep: of generation 6", "market/6": "keep: of generation 7",
	}
	check := func(keep int, unpublished, dry bool) {
		t.Helper()
		list, err := f.Retain(keep, unpublished, dry)
		must(t, err)
		for _, r := range list {
			got := map[bool]string{true: "remove: ", false: "keep: "}[r.Remove] + r.Why
			if got != want[r.Folder] || r.Bytes == 0 {
				t.Errorf("keep %d: %s: %s, want %s; %d bytes", keep, r.Folder, got, want[r.Folder], r.Bytes)
			}
			_, err := os.Stat(filepath.Join(root, r.Folder))
			if there := err == nil; there != (dry || !r.Remove) {
				t.Errorf("%s is there: %v", r.Folder, there)
			}
		}
		if len(list) != len(want) {
			t.Errorf("%d components, want %d", len(list), len(want))
		}
	}
	check(3, false, true)
	check(3, false, false)
	delete(want, "market/1")
	delete(want, "market/2")
	want["a"], want["market/3"], want["d"] = "remove: last published as generation 3", "remove: last published as generation 3",
		"remove: never published"
	want["market/4"] = "remove: last published as generation 5"
	want["b"], want["market/5"] = "keep: has notes.txt, which its manifest does not list", "remove: last published as generation 6"
	check(1, true, false)
	for _, left := range []string{"documents", "b/notes.txt", "b/" + schemas.POIsPack, schemas.PointerFile} {
		if _, err := os.Stat(filepath.Join(root, left)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(root, removedFolder)); err == nil {
		t.Error("something is left half removed")
	}
	if _, err := f.Rollback(3); !errors.Is(err, ErrNotRestored) {
		t.Errorf("to what was removed: %v", err)
	}
	if _, err := f.Retain(0, false, true); err == nil {
		t.Error("keep 0")
	}
}

// day publishes places with the market of a day.
func (f *Folder) day(t *testing.T, name string, day int) {
	t.Helper()
	places, market := filepath.Join(f.dir, name), filepath.Join(f.dir, "market", fmt.Sprint(day))
	_, err := servetest.WriteMarket(market, places, servetest.Market{AsOf: fmt.Sprintf("2024-01-%02d", day)})
	must(t, err)
	next, err := f.Refer(Set{Places: places, Market: market})
	must(t, err)
	_, err = f.Publish(next, nil)
	must(t, err)
}

// TestKilledPublisher publishes where another one was killed between the file of the generation and the pointer: what never
// was current is no generation that a rollback goes back to.
func TestKilledPublisher(t *testing.T) {
	root := months(t)
	f := open(t, root)
	f.publish(t, "a")
	f.fs.Rename = func(from, to string) error {
		if filepath.Base(to) == schemas.PointerFile {
			return syscall.EIO
		}
		return os.Rename(from, to)
	}
	next, err := f.Refer(Set{Places: filepath.Join(root, "b")})
	must(t, err)
	if _, err := f.Publish(next, nil); !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	f.fs = OS
	if got := f.publish(t, "c"); got != 2 {
		t.Errorf("generation %d", got)
	}
	p, err := f.Rollback(0)
	must(t, err)
	if p.Generation != 3 || p.Components[0].Folder != "a" {
		t.Errorf("%+v", p)
	}
}
