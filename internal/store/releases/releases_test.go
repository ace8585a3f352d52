package releases

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quartier/internal/lockfile"
	"quartier/internal/store"
	"quartier/internal/store/storetest"
	"quartier/schemas"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// write writes a component of files, each of the bytes that a text is repeated to, and returns what a pointer says of it.
func write(t testing.TB, root, folder, component, asOf string, files map[string]string) schemas.ComponentRef {
	t.Helper()
	dir := filepath.Join(root, filepath.FromSlash(folder))
	must(t, os.MkdirAll(dir, 0o755))
	head := schemas.Head{Schema: schemas.ServedFrom, Component: component, AsOf: asOf}
	for name, text := range files {
		data := bytes.Repeat([]byte(text), 1000)
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
		head.Files = append(head.Files, schemas.ReleaseFile{Name: name, SHA256: sumOf(data), Bytes: int64(len(data))})
	}
	slices.SortFunc(head.Files, func(a, b schemas.ReleaseFile) int { return strings.Compare(a.Name, b.Name) })
	bare, err := json.MarshalIndent(head, "", " ")
	must(t, err)
	head.Digest = sumOf(bare)
	data := bytes.Replace(bare, []byte(`"digest": ""`), []byte(`"digest": "`+head.Digest+`"`), 1)
	must(t, os.WriteFile(filepath.Join(dir, schemas.ManifestFile), data, 0o644))
	return schemas.ComponentRef{Name: component, Folder: folder, Digest: head.Digest, AsOf: asOf}
}

// point publishes components in a folder of releases.
func point(t testing.TB, root string, generation int64, signatures string, components ...schemas.ComponentRef) {
	t.Helper()
	p := &schemas.Pointer{Schema: schemas.PointerSchema, Generation: generation, Components: components}
	data, err := p.Encode()
	must(t, err)
	must(t, p.Check())
	if signatures != "" {
		must(t, os.MkdirAll(filepath.Join(root, schemas.GenerationsFolder), 0o755))
		must(t, os.WriteFile(schemas.PointerSignatures(root, generation), []byte(signatures), 0o644))
	}
	must(t, os.WriteFile(filepath.Join(root, schemas.PointerFile), data, 0o644))
}

// months writes a folder of releases with the places of two months, private places, and a market of each day that is given.
func months(t testing.TB) (root string, first, second, private, market schemas.ComponentRef) {
	root = t.TempDir()
	first = write(t, root, "2026-10", schemas.Places, "2026-10-01", map[string]string{"a.pack": "october", "b.pack": "the same"})
	second = write(t, root, "2026-11", schemas.Places, "2026-11-01", map[string]string{"a.pack": "november", "b.pack": "the same"})
	private = write(t, root, "2026-11-private", schemas.Private, "2026-11-01", map[string]string{"owners.pack": "drawn"})
	market = write(t, root, "market/2026-11-22", schemas.Market, "2026-11-22", map[string]string{"market.pack": "sold"})
	return root, first, second, private, market
}

func folderStore(t testing.TB) *store.Folder {
	t.Helper()
	s, err := store.OpenFolder(t.TempDir())
	must(t, err)
	return s
}

func push(t testing.TB, s store.Store, dir string) (string, *Transfer) {
	t.Helper()
	digest, moved, err := Push(t.Context(), s, dir)
	must(t, err)
	return digest, moved
}

func publish(t testing.TB, s store.Store, digest string) *Published {
	t.Helper()
	_, version, err := Current(t.Context(), s)
	must(t, err)
	p, err := Publish(t.Context(), s, digest, version)
	must(t, err)
	return p
}

// same compares the files of two components.
func same(t testing.TB, a, b string) {
	t.Helper()
	entries, err := os.ReadDir(a)
	must(t, err)
	others, err := os.ReadDir(b)
	must(t, err)
	if len(entries) != len(others) {
		t.Errorf("%s has %v, %s has %v", a, entries, b, others)
	}
	for _, e := range entries {
		one, err := os.ReadFile(filepath.Join(a, e.Name()))
		must(t, err)
		other, err := os.ReadFile(filepath.Join(b, e.Name()))
		if err != nil || !bytes.Equal(one, other) {
			t.Errorf("%s of %s is another in %s (%v)", e.Name(), a, b, err)
		}
	}
}

func TestWhatDidNotChangeIsNotMoved(t *testing.T) {
	root, first, second, private, market := months(t)
	s, into := folderStore(t), filepath.Join(t.TempDir(), "cache")
	for i, step := range []struct {
		components           []schemas.ComponentRef
		sent, had            int64
		fetched, hadOrLinked int64
	}{
		{[]schemas.ComponentRef{first}, 3, 0, 3, 0},
		{[]schemas.ComponentRef{second, private, market}, 6, 1, 6, 1},
		{[]schemas.ComponentRef{second, private, market}, 0, 7, 0, 7},
		{[]schemas.ComponentRef{first, market}, 0, 5, 0, 5},
	} {
		point(t, root, int64(i)+10, "", step.components...)
		digest, sent := push(t, s, root)
		if sent.Files != step.sent || sent.HadFiles != step.had {
			t.Errorf("%d: %+v sent", i, sent)
		}
		p := publish(t, s, digest)
		r, fetched, err := Fetch(t.Context(), s, digest, into)
		must(t, err)
		if fetched.Files != step.fetched || fetched.HadFiles != step.hadOrLinked {
			t.Errorf("%d: %+v fetched", i, fetched)
		}
		must(t, Install(into, r, p.Generation))
		here, err := schemas.ReadPointer(into)
		must(t, err)
		for j, c := range here.Components {
			same(t, filepath.Join(root, step.components[j].Folder), filepath.Join(into, c.Folder))
		}
		g, err := schemas.ReadGeneration(into, here.Generation)
		if err != nil || here.Generation != p.Generation || len(g.Pointer.Components) != len(step.components) {
			t.Errorf("%d: %+v %+v %v", i, here, g, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(into, FetchFolder)); err != nil || len(entries) != 2 { // .new and .lock
		t.Errorf("left: %v %v", entries, err)
	}
	for name, want := range map[string]fs.FileMode{private.Name: 0o700, second.Name: 0o755} {
		c := map[string]schemas.ComponentRef{private.Name: private, second.Name: second}[name]
		folder := filepath.Join(into, fmt.Sprintf("%s-%.16s", name, c.Digest))
		info, err := os.Stat(folder)
		must(t, err)
		file, err := os.Stat(filepath.Join(folder, schemas.ManifestFile))
		must(t, err)
		if info.Mode().Perm() != want || file.Mode().Perm()&0o077 != want&0o044 {
			t.Errorf("%s: %s, %s", name, info.Mode(), file.Mode())
		}
	}
}

// TestFilesThatAreWanted fetches what a server opens, then the rest, into the place of what is there.
func TestFilesThatAreWanted(t *testing.T) {
	root, s, into := t.TempDir(), folderStore(t), t.TempDir()
	places := write(t, root, "p", schemas.Places, "2026-10-01", map[string]string{"a.pack": "a", "a.sqlite": "rows", "b.pmtiles": "tiles"})
	private := write(t, root, "q", schemas.Private, "2026-10-01", map[string]string{"owners.pack": "drawn", "private.sqlite": "names"})
	point(t, root, 1, "", places, private)
	digest, _ := push(t, s, root)
	for i, step := range []struct {
		wanted     func(File) bool
		files, had int64
	}{{Served, 5, 0}, {Served, 0, 5}, {nil, 2, 5}, {nil, 0, 7}, {Served, 0, 5}} {
		r, got, err := FetchWanted(t.Context(), s, digest, into, step.wanted)
		must(t, err)
		if got.Files != step.files || got.HadFiles != step.had {
			t.Errorf("%d: %+v", i, got)
		}
		for j, from := range []string{"p", "q"} {
			if to := filepath.Join(into, r.Components[j].Folder); i >= 2 {
				same(t, filepath.Join(root, from), to)
			} else if left, _ := filepath.Glob(filepath.Join(to, "*.sqlite")); left != nil {
				t.Errorf("%d: %v", i, left)
			}
		}
	}
	object := s.Path(store.Blob(sumOf(bytes.Repeat([]byte("rows"), 1000))))
	must(t, os.Remove(object)) // it has another name by now
	must(t, os.WriteFile(object, []byte("damaged"), 0o644))
	if _, _, err := Fetch(t.Context(), s, digest, t.TempDir()); !errors.Is(err, store.ErrDigest) {
		t.Errorf("a damaged object: %v", err)
	}
}

func TestOneComponent(t *testing.T) {
	root, first, _, private, _ := months(t)
	s := folderStore(t)
	digest, sent := push(t, s, filepath.Join(root, first.Folder))
	if sent.Files != 3 {
		t.Errorf("%+v", sent)
	}
	point(t, root, 4, "", first)
	if again, _ := push(t, s, root); again != digest {
		t.Error("the same release has another digest in a folder of releases")
	}
	if _, _, err := Push(t.Context(), s, filepath.Join(root, private.Folder)); err == nil {
		t.Error("private places were pushed alone")
	}
	if _, _, err := Push(t.Context(), s, t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no release: %v", err)
	}
}

func TestSignedPointerStaysAsItIs(t *testing.T) {
	root, first, second, _, market := months(t)
	s, into := folderStore(t), t.TempDir()
	point(t, root, 1, "", first)
	digest, _ := push(t, s, root)
	publish(t, s, digest)
	point(t, root, 12, `{"signed": 12}`, second, market)
	digest, _ = push(t, s, root)
	if p := publish(t, s, digest); p.Generation != 12 {
		t.Errorf("%+v", p)
	}
	r, _, err := Fetch(t.Context(), s, digest, into)
	must(t, err)
	must(t, Install(into, r, 99))
	for _, name := range []string{schemas.PointerFile, "generations/000012.sig"} {
		want, err := os.ReadFile(filepath.Join(root, name))
		must(t, err)
		if got, err := os.ReadFile(filepath.Join(into, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
	same(t, filepath.Join(root, market.Folder), filepath.Join(into, market.Folder))
	point(t, root, 11, `{"signed": 11}`, first)
	digest, _ = push(t, s, root)
	_, version, err := Current(t.Context(), s)
	must(t, err)
	if _, err := Publish(t.Context(), s, digest, version); !errors.Is(err, ErrEarlier) {
		t.Errorf("an earlier generation: %v", err)
	}
}

func TestPublishByComparing(t *testing.T) {
	root, first, second, _, market := months(t)
	s := folderStore(t)
	one, _ := push(t, s, filepath.Join(root, first.Folder))
	two, _ := push(t, s, filepath.Join(root, second.Folder))
	point(t, root, 1, "", first, market)
	three, _ := push(t, s, root)
	p := publish(t, s, one)
	if again := publish(t, s, one); again.Generation != 1 || p.Generation != 1 {
		t.Errorf("%+v, again %+v", p, again)
	}
	if _, err := Publish(t.Context(), s, two, ""); !errors.Is(err, store.ErrChanged) {
		t.Errorf("no version: %v", err)
	}
	if _, err := Publish(t.Context(), s, strings.Repeat("0", 64), ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no release: %v", err)
	}
	_, version, err := Current(t.Context(), s)
	must(t, err)
	_, err = Publish(t.Context(), s, two, version)
	must(t, err)
	if _, err = Publish(t.Context(), s, one, version); !errors.Is(err, store.ErrChanged) {
		t.Errorf("the version before: %v", err)
	}
	_, version, err = Current(t.Context(), s)
	must(t, err)
	var racing sync.WaitGroup
	var won atomic.Int64
	for i := range 8 {
		racing.Go(func() {
			switch _, err := Publish(t.Context(), s, []string{one, three}[i%2], version); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, store.ErrChanged):
				t.Error(err)
			}
		})
	}
	if racing.Wait(); won.Load() != 1 {
		t.Errorf("%d of 8 published", won.Load())
	}
	p, _, err = Current(t.Context(), s)
	must(t, err)
	if p.Generation != 3 || !slices.Equal(p.Before, []string{two, one}) || p.Release == two {
		t.Errorf("%+v", p)
	}
}

// faulty is a store of which some operations fail.
type faulty struct {
	store.Store
	mu      sync.Mutex
	puts    int  // that do not fail; then every one does
	opens   int  // of blobs that do not fail
	corrupt bool // reads have other bytes
}

var errGone = errors.New("the store is gone")

func (f *faulty) Put(ctx context.Context, o store.Object, from io.ReaderAt) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.puts--; f.puts < 0 {
		return errGone
	}
	return f.Store.Put(ctx, o, from)
}

func (f *faulty) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if store.DigestOf(name) == "" {
		return f.Store.Open(ctx, name, offset, length)
	}
	if f.opens--; f.opens < 0 {
		return nil, errGone
	}
	from, err := f.Store.Open(ctx, name, offset, length)
	if err != nil || !f.corrupt {
		return from, err
	}
	data, err := io.ReadAll(from)
	data[len(data)/2] ^= 1
	return io.NopCloser(bytes.NewReader(data)), err
}

func TestCutPushAndFetchGoOn(t *testing.T) {
	root, _, second, private, market := months(t)
	point(t, root, 1, "", second, private, market)
	s, into := &faulty{Store: folderStore(t), puts: 3, opens: 4}, t.TempDir()
	if _, _, err := Push(t.Context(), s, root); !errors.Is(err, errGone) {
		t.Fatal(err)
	}
	if list, err := List(t.Context(), s); err != nil || len(list) > 0 {
		t.Errorf("of a push that was cut: %v %v", list, err)
	}
	s.puts = 100
	there := int64(len(storetest.Names(t, s, "objects/"))) // at most three: what others sent at once was cut, too
	digest, sent := push(t, s, root)
	if sent.HadFiles != there || sent.Files+there != 7 || there > 3 {
		t.Errorf("%+v of %d that were there", sent, there)
	}
	if _, _, err := Fetch(t.Context(), s, digest, into); !errors.Is(err, errGone) {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(into); err != nil || len(entries) != 1 {
		t.Errorf("of a fetch that was cut: %v %v", entries, err)
	}
	s.opens, s.corrupt = 100, true
	if _, _, err := Fetch(t.Context(), s, digest, into); !errors.Is(err, store.ErrDigest) {
		t.Fatal(err)
	}
	s.corrupt = false
	brought, err := filepath.Glob(filepath.Join(into, FetchFolder, "*", "*"))
	must(t, err)
	brought = slices.DeleteFunc(brought, func(path string) bool { return !store.IsDigest(filepath.Base(filepath.Dir(path))) })
	there = int64(len(brought))
	left := filepath.Join(into, FetchFolder, store.NewFolder, "1")
	must(t, os.WriteFile(left, []byte("half"), 0o600))
	_, fetched, err := Fetch(t.Context(), s, digest, into)
	if err != nil || fetched.HadFiles != there || fetched.Files+there != 7 {
		t.Errorf("%+v of %d that were there: %v", fetched, there, err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a fetch that was killed: %v", err)
	}
}

func TestFoldersAndFilesThatAreOthers(t *testing.T) {
	root, first, _, _, market := months(t)
	point(t, root, 1, "sig", first, market)
	s, into := folderStore(t), t.TempDir()
	digest, _ := push(t, s, root)
	write(t, into, first.Folder, schemas.Places, "2026-10-02", map[string]string{"a.pack": "mine"})
	if _, _, err := Fetch(t.Context(), s, digest, into); !errors.Is(err, ErrOccupied) {
		t.Errorf("another component: %v", err)
	}
	must(t, os.RemoveAll(filepath.Join(into, first.Folder)))
	must(t, os.Mkdir(filepath.Join(into, first.Folder), 0o755))
	if _, _, err := Fetch(t.Context(), s, digest, into); !errors.Is(err, ErrOccupied) {
		t.Errorf("a folder without a component: %v", err)
	}
	lock, err := lockfile.Acquire(filepath.Join(into, FetchFolder), "fetch")
	must(t, err)
	if _, _, err := Fetch(t.Context(), s, digest, into); !errors.Is(err, lockfile.ErrHeld) {
		t.Errorf("another process: %v", err)
	}
	must(t, lock.Release())
	pack := filepath.Join(root, first.Folder, "a.pack")
	must(t, os.WriteFile(pack, []byte("half"), 0o644))
	if _, _, err := Push(t.Context(), folderStore(t), root); !errors.Is(err, store.ErrDigest) {
		t.Errorf("half a file: %v", err)
	}
	must(t, os.Remove(pack))
	if _, _, err := Push(t.Context(), folderStore(t), root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	first.Digest = strings.Repeat("0", 64)
	point(t, root, 1, "sig", first)
	if _, _, err := Push(t.Context(), s, root); err == nil || !strings.Contains(err.Error(), "not places 000000000000") {
		t.Errorf("another digest: %v", err)
	}
}

func TestRetain(t *testing.T) {
	root, first, second, private, market := months(t)
	s := folderStore(t)
	var digests []string
	for i, components := range [][]schemas.ComponentRef{{first}, {second, private}, {second, private, market}, {first, market}} {
		point(t, root, 1, "", components...)
		digest, _ := push(t, s, root)
		if digests = append(digests, digest); i < 3 {
			publish(t, s, digest)
		}
	}
	count := func() (n int) {
		for _, err := range s.List(t.Context(), "objects/") {
			must(t, err)
			n++
		}
		return n
	}
	check := func(o Retention, want map[string]string, objects int64) {
		t.Helper()
		before := count()
		list, gone, _, err := Retain(t.Context(), s, o)
		must(t, err)
		got := map[string]string{}
		for _, r := range list {
			got[r.Digest] = r.Why
			if r.Remove {
				got[r.Digest] = "removed: " + r.Why
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || gone != objects || !o.Dry && count() != before-int(objects) {
			t.Errorf("%+v: %v, %d of %d objects", o, got, gone, before)
		}
	}
	check(Retention{Keep: 3}, map[string]string{digests[2]: "published", digests[1]: "published 1 before", digests[0]: "published 2 before",
		digests[3]: "never published"}, 0)
	keeping1 := map[string]string{digests[2]: "published", digests[1]: "removed: published 1 before",
		digests[0]: "removed: published 2 before", digests[3]: "never published"}
	check(Retention{Keep: 1, Dry: true}, keeping1, 0)
	check(Retention{Keep: 1}, keeping1, 0)
	check(Retention{Keep: 1, Unpublished: true, Dry: true}, map[string]string{digests[2]: "published",
		digests[3]: "removed: never published"}, 2)
	must(t, begin(t.Context(), s, "abc"))
	if _, _, _, err := Retain(t.Context(), s, Retention{Keep: 1}); !errors.Is(err, ErrBusy) {
		t.Errorf("while a release is sent: %v", err)
	}
	must(t, end(t.Context(), s, "abc"))
	silence = 20 * time.Millisecond
	defer func() { silence = 30 * time.Second }()
	must(t, begin(t.Context(), s, retain)) // of a process that was killed
	if _, _, err := Push(t.Context(), s, root); !errors.Is(err, ErrBusy) {
		t.Errorf("while releases are removed: %v", err)
	}
	check(Retention{Keep: 1, Unpublished: true}, map[string]string{digests[2]: "published", digests[3]: "removed: never published"}, 2)
	if digest, sent := push(t, s, root); digest != digests[3] || sent.Files != 2 {
		t.Errorf("sent again: %s %+v", digest, sent)
	}
	lives, err := beginRemoving(t.Context(), s)
	must(t, err)
	time.AfterFunc(silence/2, func() { lives.renew(context.Background()) })
	if _, _, _, err := Retain(t.Context(), s, Retention{Keep: 1}); !errors.Is(err, ErrBusy) ||
		!strings.Contains(err.Error(), "run this again") {
		t.Errorf("two at once: %v", err)
	}
	if _, _, err := Push(t.Context(), s, root); !errors.Is(err, ErrBusy) {
		t.Errorf("after one of two ended: %v", err)
	}
	other, err := beginRemoving(t.Context(), s)
	must(t, err)
	if err := lives.renew(t.Context()); !errors.Is(err, ErrBusy) {
		t.Errorf("one that was taken for killed: %v", err)
	}
	must(t, lives.end(t.Context()))
	if _, _, err := Push(t.Context(), s, root); !errors.Is(err, ErrBusy) {
		t.Errorf("it ended what another one does: %v", err)
	}
	must(t, other.end(t.Context()))
	push(t, s, root)
	if _, _, _, err := Retain(t.Context(), s, Retention{}); err == nil {
		t.Error("nothing was kept")
	}
}

func TestDamagedRecords(t *testing.T) {
	root, first, _, _, _ := months(t)
	dir := t.TempDir()
	s, err := store.OpenFolder(dir)
	must(t, err)
	digest, _ := push(t, s, filepath.Join(root, first.Folder))
	path := filepath.Join(dir, Record(digest))
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, bytes.Replace(data, []byte("a.pack"), []byte("b.pack"), 1), 0o644))
	if _, err := Read(t.Context(), s, digest); !errors.Is(err, store.ErrDigest) {
		t.Errorf("another record: %v", err)
	}
	must(t, os.WriteFile(filepath.Join(dir, schemas.PointerFile), []byte(`{"schema":1}`), 0o644))
	if _, _, err := Current(t.Context(), s); !errors.Is(err, ErrRecord) {
		t.Errorf("another pointer: %v", err)
	}
	for old, next := range map[string]string{
		`"schema": 1,`: `"schema": 2,`, `"a.pack"`: `"../a"`, `"folder": "places-`: `"folder": "/etc-`,
		`"folder": "p`:  `"folder": ".p`,
		`"bytes": 7000`: `"bytes": -1`, `"manifest.json"`: `"manifest.txt"`, `"sha256": "`: `"sha256": "x`, `"places"`: `"place"`,
		`"files"`: `"more": 1, "files"`, " ": "  ", `"folder": "place`: `"folder": "generations/place`,
	} {
		if _, err := Decode([]byte(strings.Replace(string(data), old, next, 1))); !errors.Is(err, ErrRecord) {
			t.Errorf("%s for %s: %v", next, old, err)
		}
	}
}

// TestFoldersWithinOthers: a component in the folder of another one would be replaced with it.
func TestFoldersWithinOthers(t *testing.T) {
	root, first, _, _, market := months(t)
	point(t, root, 3, "", first, market)
	r, _, err := Describe(root)
	must(t, err)
	for _, folders := range [][2]string{{"a", "a"}, {"a", "a/b"}, {"a/b", "a"}, {"a/b", "a/b/c"}, {"a/b/c", "a/b"}} {
		r.Components[0].Folder, r.Components[1].Folder = folders[0], folders[1]
		if err := r.check(); err == nil {
			t.Errorf("%q were taken", folders)
		}
	}
	r.Components[0].Folder, r.Components[1].Folder = "a/b", "a/c"
	must(t, r.check())
}

func FuzzDecode(f *testing.F) {
	root, first, _, private, market := months(f)
	point(f, root, 3, "sig", first, private, market)
	r, _, err := Describe(root)
	must(f, err)
	data, _, err := r.Encode()
	must(f, err)
	f.Add(data)
	f.Add([]byte(`{"schema":1,"components":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := Decode(data); err == nil {
			if again, _, err := r.Encode(); err != nil || !bytes.Equal(again, data) {
				t.Errorf("%s became %s", data, again)
			}
			for _, c := range r.Components {
				if !filepath.IsLocal(c.Folder) || strings.HasPrefix(c.Folder, ".") {
					t.Errorf("folder %q", c.Folder)
				}
			}
		} else if !errors.Is(err, ErrRecord) {
			t.Error(err)
		}
		if _, err := decodePublished(data); err != nil && !errors.Is(err, ErrRecord) {
			t.Error(err)
		}
	})
}
