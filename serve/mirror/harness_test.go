package mirror_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quartier/internal/signature"
	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/internal/store/storetest"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/mirror"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

func TestMain(m *testing.M) {
	mirror.ReadAgain(0)
	goleak.VerifyTestMain(m)
}

const every = 10 * time.Millisecond

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rig is a publisher, a store and a server that follows it.
type rig struct {
	t        testing.TB
	releases string // folder of releases of the publisher
	store    *faulty
	cache    string
	free     atomic.Int64 // bytes of the disk of the cache
	keep     int
	roll     time.Duration
	trust    signature.Trust
	log      *lines
	key      ed25519.PrivateKey // nil: nothing is signed
	wanted   func(releases.File) bool

	generation int64
	*mirror.Mirror
	stop func()
}

func newRig(t testing.TB) *rig {
	t.Helper()
	folder, err := store.OpenFolder(filepath.Join(t.TempDir(), "store"))
	must(t, err)
	r := &rig{t: t, releases: t.TempDir(), store: &faulty{Store: folder}, cache: filepath.Join(t.TempDir(), "cache"), keep: 2, log: &lines{}}
	r.free.Store(1 << 40)
	t.Cleanup(func() {
		if r.t.Failed() && r.Mirror != nil {
			t.Logf("%+v\n%s", r.Status(), r.log.text.String())
		}
	})
	return r
}

// start starts a server; it is stopped by stop, or after the test.
func (r *rig) start() {
	r.t.Helper()
	log := slog.New(slog.NewTextHandler(r.log, nil))
	m, err := mirror.Open(mirror.Options{Store: r.store, Dir: r.cache, Keep: r.keep, Every: every, Roll: r.roll, Log: log, Wanted: r.wanted,
		Free: func(string) (int64, error) { return r.free.Load(), nil }})
	must(r.t, err)
	m.Releases, _ = release.Hold(release.Options{Dir: m.Path(), Log: log, Trust: r.trust, Tiles: true, NoTiles: true})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { m.Run(ctx) })
	running.Go(func() { m.Releases.Follow(ctx, every, nil) })
	r.Mirror = m
	r.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
		m.Releases.Close()
		must(r.t, m.Close())
	})
	r.t.Cleanup(r.stop)
}

// publish writes places, publishes them in the folder of releases, and pushes that to the store.
func (r *rig) publish(name string, pois int) (digest string) {
	r.t.Helper()
	_, err := servetest.Write(filepath.Join(r.releases, name), servetest.Release{Name: name, POIs: pois})
	must(r.t, err)
	return r.push(name)
}

// push publishes folders of the folder of releases as another generation, and that in the store.
func (r *rig) push(folders ...string) (digest string) {
	r.t.Helper()
	r.generation++
	must(r.t, servetest.Publish(r.releases, r.generation, folders...))
	r.sign(folders)
	digest, _, err := releases.Push(r.t.Context(), r.store.Store, r.releases)
	must(r.t, err)
	r.name(digest)
	return digest
}

// name publishes a release that is in the store.
func (r *rig) name(digest string) {
	r.t.Helper()
	_, version, err := releases.Current(r.t.Context(), r.store.Store)
	must(r.t, err)
	_, err = releases.Publish(r.t.Context(), r.store.Store, digest, version)
	must(r.t, err)
}

// write writes something in the store that releases would not write.
func (r *rig) write(name string, data []byte) {
	r.t.Helper()
	if strings.HasPrefix(name, "releases/") {
		storetest.Put(r.t, r.store.Store, name, data)
		return
	}
	_, version, err := r.store.Store.Read(r.t.Context(), name)
	if !errors.Is(err, store.ErrNotFound) {
		must(r.t, err)
	}
	_, err = r.store.Store.Swap(r.t.Context(), name, version, data)
	must(r.t, err)
}

// point writes a pointer that no publisher would.
func (r *rig) point(generation int64, digest string) {
	r.t.Helper()
	r.write(schemas.PointerFile, fmt.Appendf(nil, "{\n \"schema\": 1,\n \"generation\": %d,\n \"release\": %q,\n \"before\": []\n}\n",
		generation, digest))
}

// sign signs components and the pointer, if the publisher has a key.
func (r *rig) sign(folders []string) {
	r.t.Helper()
	if r.key == nil {
		return
	}
	put := func(path, component, digest string) {
		data, err := signature.Sign(path, component, digest, r.key)
		must(r.t, err)
		if data != nil {
			must(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
			must(r.t, os.WriteFile(path, data, 0o644))
		}
	}
	p, err := schemas.ReadPointer(r.releases)
	must(r.t, err)
	for _, c := range p.Components {
		put(filepath.Join(r.releases, c.Folder, signature.File), c.Name, c.Digest)
	}
	digest, err := p.Digest()
	must(r.t, err)
	put(schemas.PointerSignatures(r.releases, p.Generation), signature.Pointer, digest)
}

// serves waits until a release of the store is served, and nothing fails.
func (r *rig) serves(digest string) {
	r.t.Helper()
	defer func() {
		if r.t.Failed() {
			r.t.Logf("want %s", digest)
		}
	}()
	testenv.Eventually(r.t, "the release is served", func() bool {
		s := r.Status()
		return s.Served == digest && s.State == mirror.Followed && s.Named == digest
	})
}

// fails waits for a state while what is served stays.
func (r *rig) fails(state, served string) {
	r.t.Helper()
	testenv.Eventually(r.t, state, func() bool { return r.Status().State == state })
	for range 3 { // it is tried again, and again
		before := r.Status().Failed
		testenv.Eventually(r.t, "it is tried again", func() bool { return r.Status().Failed > before })
	}
	if got := r.Status().Served; got != served {
		r.t.Errorf("%.12s is served, not %.12s", got, served)
	}
}

// folder is where the cache has the places that the folder of releases has under a name.
func (r *rig) folder(name string) string {
	r.t.Helper()
	head, err := schemas.ReadHead(filepath.Join(r.releases, name))
	must(r.t, err)
	return filepath.Join(r.cache, "releases", "places-"+head.Digest[:16])
}

// has reports whether a file or folder is there.
func has(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// faulty is a store with faults, which apply to objects from the moment they are set.
type faulty struct {
	store.Store
	mu    sync.Mutex
	fault func(name string, body io.ReadCloser) (io.ReadCloser, error) // of objects; nil: none
	away  error                                                        // of the pointer
	slow  bool                                                         // it answers when nobody waits any longer
	opens atomic.Int64
}

func (f *faulty) set(do func(*faulty)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do(f)
}

func (f *faulty) Read(ctx context.Context, name string) ([]byte, string, error) {
	f.mu.Lock()
	away, slow := f.away, f.slow
	f.mu.Unlock()
	if slow {
		<-ctx.Done()
		return nil, "", ctx.Err()
	}
	if away != nil {
		return nil, "", away
	}
	return f.Store.Read(ctx, name)
}

func (f *faulty) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	f.mu.Lock()
	fault := f.fault
	f.mu.Unlock()
	f.opens.Add(1)
	body, err := f.Store.Open(ctx, name, offset, length)
	if err == nil && fault != nil {
		body, err = fault(name, body)
	}
	if err == nil && length >= 0 {
		return limited{io.LimitReader(body, length), body}, nil
	}
	return body, err
}

type limited struct {
	io.Reader
	io.Closer
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// count is how many lines have a text.
func (l *lines) count(text string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}
