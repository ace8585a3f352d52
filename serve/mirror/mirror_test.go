package mirror_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"quartier/internal/signature"
	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/mirror"
	"quartier/serve/servetest"
)

// TestFollowed publishes three releases, of which two stay in the cache, and then the second again, of which all files are there.
func TestFollowed(t *testing.T) {
	r := newRig(t)
	first := r.publish("2024-01", 10)
	r.start()
	r.serves(first)
	second := r.publish("2024-02", 20)
	r.serves(second)
	r.serves(r.publish("2024-03", 30))
	testenv.Eventually(t, "the first is removed", func() bool { return !has(r.folder("2024-01")) })
	if !has(r.folder("2024-02")) || !has(r.folder("2024-03")) {
		t.Error("two do not stay")
	}
	opens := r.store.opens.Load()
	r.name(second)
	r.serves(second)
	if n := r.store.opens.Load() - opens; n != 2 { // records, which are read twice
		t.Errorf("%d objects were read", n)
	}
}

// TestDatabasesAreForTheExplorer follows a store without an explorer, whose cache has no databases, also after damage; a later start
// with one fetches them.
func TestDatabasesAreForTheExplorer(t *testing.T) {
	r := newRig(t)
	dir := filepath.Join(r.releases, "2024-01")
	m, err := servetest.Write(dir, servetest.Release{Name: "2024-01", POIs: 10})
	must(t, err)
	data := bytes.Repeat([]byte("rows"), 5000)
	must(t, os.WriteFile(filepath.Join(dir, schemas.POIsFile), data, 0o644))
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	m.Files = append(m.Files, schemas.ReleaseFile{Name: schemas.POIsFile, Bytes: int64(len(data)), SHA256: sum})
	slices.SortFunc(m.Files, func(a, b schemas.ReleaseFile) int { return strings.Compare(a.Name, b.Name) })
	must(t, servetest.WriteManifest(dir, m))
	database, pack := filepath.Join(r.folder("2024-01"), schemas.POIsFile), filepath.Join(r.folder("2024-01"), schemas.POIsPack)
	r.wanted = releases.Served
	digest := r.push("2024-01")
	r.start()
	r.serves(digest)
	r.stop()
	must(t, os.Remove(pack))
	r.start()
	r.serves(digest)
	if has(database) || !has(pack) {
		t.Errorf("the database is there: %v, the pack: %v", has(database), has(pack))
	}
	r.stop()
	r.wanted = nil
	r.start()
	r.serves(digest)
	got, err := os.ReadFile(database)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes of the database, %v", len(got), err)
	}
}

// faults are faults of a store, and the state that they lead to.
var faults = map[string]struct {
	set   func(*faulty)
	state string
}{
	"away":     {func(f *faulty) { f.away = errors.New("dial tcp: connection refused") }, mirror.Away},
	"503":      {func(f *faulty) { f.away = errors.New("503 Slow Down") }, mirror.Away},
	"no lists": {func(f *faulty) { f.fault = failing("releases/", errors.New("503 Slow Down")) }, mirror.Away},
	"objects answer 503": {func(f *faulty) { f.fault = failing("objects/", errors.New("503 Slow Down")) },
		mirror.Away},
	"cut in the middle": {func(f *faulty) {
		f.fault = changed(func(data []byte) io.Reader {
			return io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(io.ErrUnexpectedEOF))
		})
	}, mirror.Away},
	"ends in the middle": {func(f *faulty) {
		f.fault = changed(func(data []byte) io.Reader { return bytes.NewReader(data[:len(data)/2]) })
	}, mirror.Wrong},
	"another byte": {func(f *faulty) {
		f.fault = changed(func(data []byte) io.Reader {
			data[len(data)/2] ^= 1
			return bytes.NewReader(data)
		})
	}, mirror.Wrong},
	"without an end": {func(f *faulty) {
		f.fault = changed(func(data []byte) io.Reader { return testenv.Endless("more") })
	}, mirror.Wrong},
}

func failing(prefix string, err error) func(string, io.ReadCloser) (io.ReadCloser, error) {
	return func(name string, body io.ReadCloser) (io.ReadCloser, error) {
		if strings.HasPrefix(name, prefix) {
			body.Close()
			return nil, err
		}
		return body, nil
	}
}

// changed has other bytes in packs, which the store compares with their digest as it should.
func changed(do func([]byte) io.Reader) func(string, io.ReadCloser) (io.ReadCloser, error) {
	return func(name string, body io.ReadCloser) (io.ReadCloser, error) {
		if !strings.HasPrefix(name, "objects/") {
			return body, nil
		}
		data, err := io.ReadAll(body)
		return store.Verified(name, 0, -1, io.NopCloser(do(data))), errors.Join(err, body.Close())
	}
}

// TestFaults publishes a release in a store with a fault: what is served stays, the fault is said once, and when it is over the
// release is served. A server with an empty cache waits.
func TestFaults(t *testing.T) {
	for name, fault := range faults {
		for _, served := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := newRig(t)
				first := ""
				if served {
					first = r.publish("2024-01", 10)
					r.start()
					r.serves(first)
				}
				r.store.set(fault.set)
				second := r.publish("2024-02", 20)
				if !served {
					r.start()
				}
				r.fails(fault.state, first)
				if n := r.log.count("the store is not followed"); n != 1 || r.log.count(`state="`+fault.state+`"`) != 1 {
					t.Errorf("%d lines: %s", n, r.log.text.String())
				}
				r.store.set(func(f *faulty) { f.fault, f.away = nil, nil })
				r.serves(second)
				testenv.Eventually(t, "it is said that it is over", func() bool { return r.log.count("is followed again") == 1 })
			})
		}
	}
}

// TestSlow has a store that does not answer: the server stops at once.
func TestSlow(t *testing.T) {
	r := newRig(t)
	first := r.publish("2024-01", 10)
	r.start()
	r.serves(first)
	r.store.set(func(f *faulty) { f.slow = true })
	testenv.Eventually(t, "the store is silent", func() bool { return r.Status().Age > 5*every })
	if s := r.Status(); s.Served != first || s.State != mirror.Followed {
		t.Errorf("%+v", s)
	}
	begun := time.Now()
	r.stop()
	if spent := time.Since(begun); spent > 10*time.Second {
		t.Errorf("%v", spent)
	}
}

// TestStart starts with a cache beside a store that is away, with one that is damaged, and beside another server.
func TestStart(t *testing.T) {
	r := newRig(t)
	digest := r.publish("2024-01", 10)
	r.start()
	r.serves(digest)
	if _, err := mirror.Open(mirror.Options{Dir: r.cache}); err == nil {
		t.Error("two servers with one cache")
	}
	r.stop()

	r.store.set(func(f *faulty) { f.away = errors.New("connection refused") })
	r.start()
	if s := r.Releases.Status(); s.Generation != 1 || !s.Verified { // before anything was asked
		t.Errorf("%+v", s)
	}
	r.fails(mirror.Away, "") // which release of the store it is was not compared
	r.stop()

	r.store.set(func(f *faulty) { f.away = nil })
	for name, damage := range map[string]func(path string) error{
		"another byte": func(path string) error {
			data, err := os.ReadFile(path)
			data[len(data)/3] ^= 1
			return errors.Join(err, os.WriteFile(path, data, 0o644))
		},
		"cut":          func(path string) error { return os.Truncate(path, 100) },
		"gone":         os.Remove,
		"no component": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"no manifest":  func(path string) error { return os.Remove(filepath.Join(filepath.Dir(path), schemas.ManifestFile)) },
		"no pointer":   func(string) error { return os.Remove(filepath.Join(r.cache, "releases", schemas.PointerFile)) },
		"nothing":      func(string) error { return os.RemoveAll(r.cache) },
	} {
		t.Run(name, func(t *testing.T) {
			r.t = t
			must(t, damage(filepath.Join(r.folder("2024-01"), schemas.POIsPack)))
			r.start()
			r.serves(digest)
			r.stop()
		})
	}
}

// TestDamagedWhileServed damages a file of the cache: the Holder withdraws it, and it is fetched again.
func TestDamagedWhileServed(t *testing.T) {
	r := newRig(t)
	digest := r.publish("2024-01", 10)
	r.start()
	r.serves(digest)
	path := filepath.Join(r.folder("2024-01"), schemas.POIsPack)
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/3] ^= 1
	must(t, os.WriteFile(path, data, 0o644))
	testenv.Eventually(t, "the damage is found", func() bool { return r.log.count("release is damaged") > 0 })
	r.serves(digest)
	testenv.Eventually(t, "all of it is right", func() bool { s := r.Releases.Status(); return s.Verified && !s.Refused })
}

// TestFull publishes what does not fit, first only without the release before, then not at all.
func TestFull(t *testing.T) {
	r := newRig(t)
	first := r.publish("2024-01", 10)
	r.start()
	r.serves(first)
	r.serves(r.publish("2024-02", 20))
	r.free.Store(0)
	served := r.Status().Served
	third := r.publish("2024-03", 30)
	r.fails(mirror.Full, served)
	if has(r.folder("2024-01")) || !has(r.folder("2024-02")) || has(r.folder("2024-03")) {
		t.Error("not only what is served stays")
	}
	if r.log.count("has no room for the release") != 1 {
		t.Error(r.log.text.String())
	}
	r.free.Store(mirror.Reserve + 1<<30)
	r.serves(third)
}

// TestFullDisk has a disk with room that is gone when the release is fetched.
func TestFullDisk(t *testing.T) {
	disk, resize := testenv.SmallDisk(t, "64m")
	r := newRig(t)
	r.cache = filepath.Join(disk, "cache")
	first := r.publish("2024-01", 10)
	r.start()
	defer r.stop()
	r.serves(first)
	var space syscall.Statfs_t
	must(t, syscall.Statfs(disk, &space))
	used := int64(space.Blocks-space.Bfree) * int64(space.Bsize)
	resize(strconv.FormatInt(used+16<<10, 10))
	second := r.publish("2024-02", 20)
	r.fails(mirror.Full, first)
	resize("64m")
	r.serves(second)
}

// TestSigned has a server with a trusted key: what the store publishes without that key's signatures, or of an earlier generation,
// is not taken, and a restart serves what was.
func TestSigned(t *testing.T) {
	r := newRig(t)
	dir := t.TempDir()
	public := func(name string) ed25519.PrivateKey {
		key, err := signature.Make(filepath.Join(dir, name))
		must(t, err)
		data, err := signature.EncodePublic(key)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name+".pub"), data, 0o644))
		private, err := signature.ReadPrivate(filepath.Join(dir, name))
		must(t, err)
		return private
	}
	right, other := public("right"), public("other")
	trust, err := signature.ReadTrust(filepath.Join(dir, "right.pub"))
	must(t, err)
	r.trust, r.key = trust, right
	first := r.publish("2024-01", 10)
	r.start()
	r.serves(first)
	refused := func(what string) {
		t.Helper()
		for range 2 {
			before := r.Status().Failed
			testenv.Eventually(t, what+" is refused", func() bool { s := r.Status(); return s.State == mirror.Refused && s.Failed > before })
			if s := r.Releases.Status(); s.Generation != 1 || s.Refused {
				t.Errorf("%s: %+v", what, s)
			}
			r.stop()
			r.start()
		}
	}
	r.key = nil
	r.generation = 10 // so that unsigned ones of the store come after it
	r.publish("2024-02", 20)
	refused("an unsigned release")
	r.key = other
	r.publish("2024-03", 30)
	refused("a release of another key")
	r.key = right
	second := r.publish("2024-04", 40)
	r.serves(second)
	r.point(99, first)
	testenv.Eventually(t, "an earlier release is refused", func() bool { return r.Status().State == mirror.Refused })
	if got := r.Status().Served; got != second {
		t.Errorf("%s is served", got)
	}
}

// TestEarlier publishes a release in a store that was made anew: the cache has a later generation, and stays.
func TestEarlier(t *testing.T) {
	r := newRig(t)
	first := r.publish("2024-01", 10)
	second := r.publish("2024-02", 20)
	r.start()
	r.serves(second)
	r.point(1, first)
	r.fails(mirror.Refused, second)
	r.stop()
	must(t, os.RemoveAll(r.cache))
	r.start()
	r.serves(first)
}

// TestHostileStore has pointers and records that are none: nothing is written outside of the cache.
func TestHostileStore(t *testing.T) {
	r := newRig(t)
	r.start()
	sum := strings.Repeat("a", 64)
	for _, text := range []string{"", "..", "null", "{}", `{"schema":1,"generation":1,"release":"../../x","before":[]}`,
		strings.Repeat("x", 1<<20)} {
		r.write(schemas.PointerFile, []byte(text))
		before := r.Status().Failed
		testenv.Eventually(t, "it is refused", func() bool { s := r.Status(); return s.Failed > before+1 && s.State == mirror.Wrong })
	}
	r.point(1, sum)
	r.fails(mirror.Wrong, "")
	r.write("releases/"+sum+".json", []byte("{}"))
	r.fails(mirror.Wrong, "")
	if r.Status().Named != sum {
		t.Errorf("%+v", r.Status())
	}
}

// TestRoll has a server that waits for its turn where something is served already, and a restart in the middle of that.
func TestRoll(t *testing.T) {
	r := newRig(t)
	r.roll = 10_000 * time.Hour
	first := r.publish("2024-01", 10)
	r.start()
	r.serves(first) // nothing was served before: no wait
	second := r.publish("2024-02", 20)
	testenv.Eventually(t, "it waits", func() bool { return r.Status().State == mirror.Rolling })
	if s := r.Status(); s.Served != first || s.Named != second || !has(r.folder("2024-02")) {
		t.Errorf("%+v", s)
	}
	r.stop() // at once
	r.roll = time.Millisecond
	r.start()
	r.serves(second)
}
