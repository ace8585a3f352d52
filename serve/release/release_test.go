package release_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var quiet = slog.New(slog.DiscardHandler)

// poll is the interval at which tests follow a path.
const poll = 20 * time.Millisecond

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, dir string, r servetest.Release) *schemas.Manifest {
	t.Helper()
	manifest, err := servetest.Write(dir, r)
	must(t, err)
	return manifest
}

// faults make a release one that cannot replace another. atOpen: Open rejects it too, which does not read all bytes of
// the packs.
var faults = map[string]struct {
	damage func(t *testing.T, dir string, m *schemas.Manifest)
	atOpen bool
}{
	"no manifest": {func(t *testing.T, dir string, _ *schemas.Manifest) {
		must(t, os.Remove(filepath.Join(dir, schemas.ManifestFile)))
	}, true},
	"no folder": {func(t *testing.T, dir string, _ *schemas.Manifest) { must(t, os.RemoveAll(dir)) }, true},
	"empty manifest": {func(t *testing.T, dir string, _ *schemas.Manifest) {
		must(t, os.WriteFile(filepath.Join(dir, schemas.ManifestFile), nil, 0o644))
	}, true},
	"manifest truncated": {func(t *testing.T, dir string, _ *schemas.Manifest) { truncate(t, dir, schemas.ManifestFile, 100) }, true},
	"manifest edited": {func(t *testing.T, dir string, _ *schemas.Manifest) {
		path := filepath.Join(dir, schemas.ManifestFile)
		data, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, []byte(strings.Replace(string(data), "border", "harbor", 1)), 0o644))
	}, true},
	"another schema": {func(t *testing.T, dir string, m *schemas.Manifest) {
		m.Schema++
		must(t, servetest.WriteManifest(dir, m))
	}, true},
	"no pois": {func(t *testing.T, dir string, _ *schemas.Manifest) {
		must(t, os.Remove(filepath.Join(dir, schemas.POIsPack)))
	}, true},
	"empty pack":      {func(t *testing.T, dir string, _ *schemas.Manifest) { truncate(t, dir, schemas.GeographiesPack, 0) }, true},
	"pack truncated":  {func(t *testing.T, dir string, _ *schemas.Manifest) { truncate(t, dir, schemas.POIsPack, 5000) }, true},
	"pack one longer": {func(t *testing.T, dir string, _ *schemas.Manifest) { grow(t, dir, schemas.POIsPack) }, true},
	"a byte flipped":  {func(t *testing.T, dir string, _ *schemas.Manifest) { flip(t, dir, schemas.POIsPack) }, false},
	"packs exchanged": {func(t *testing.T, dir string, _ *schemas.Manifest) {
		must(t, os.Rename(filepath.Join(dir, schemas.POIsPack), filepath.Join(dir, schemas.GeographiesPack)))
	}, true},
	"counts of another": {func(t *testing.T, dir string, m *schemas.Manifest) {
		m.Counts.POIs++
		must(t, servetest.WriteManifest(dir, m))
	}, true},
	"street nodes of another": {func(t *testing.T, dir string, m *schemas.Manifest) {
		m.Counts.StreetNodes++
		must(t, servetest.WriteManifest(dir, m))
	}, true},
	"scores of another": {func(t *testing.T, dir string, m *schemas.Manifest) {
		m.Counts.ScoredGeographies--
		must(t, servetest.WriteManifest(dir, m))
	}, true},
	"no street pack": {func(t *testing.T, dir string, _ *schemas.Manifest) {
		must(t, os.Remove(filepath.Join(dir, schemas.AccessPack)))
	}, true},
	"a byte flipped in the street pack": {func(t *testing.T, dir string, _ *schemas.Manifest) { flip(t, dir, schemas.AccessPack) }, false},
	"pack not named": {func(t *testing.T, dir string, m *schemas.Manifest) {
		m.Files = m.Files[:1]
		must(t, servetest.WriteManifest(dir, m))
	}, true},
}

func truncate(t *testing.T, dir, name string, size int64) {
	t.Helper()
	must(t, os.Truncate(filepath.Join(dir, name), size))
}

func grow(t *testing.T, dir, name string) {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, name))
	must(t, err)
	truncate(t, dir, name, info.Size()+1)
}

func flip(t *testing.T, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/4] ^= 0x10 // the last part is the table of sections
	must(t, os.WriteFile(path, data, 0o644))
}

func TestOpenRejects(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "release")
			fault.damage(t, dir, write(t, dir, servetest.Release{}))
			r, err := release.Open(dir)
			if (err != nil) != fault.atOpen {
				t.Fatalf("error %v, want one: %v", err, fault.atOpen)
			}
			if err == nil {
				r.Done()
			} else if !errors.Is(err, release.ErrRejected) {
				t.Errorf("%v is not ErrRejected", err)
			}
		})
	}
}

// TestReloadRejects gives each damaged release to a holder with a valid one.
func TestReloadRejects(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			valid, damaged, link := filepath.Join(root, "valid"), filepath.Join(root, "damaged"), filepath.Join(root, "current")
			want := write(t, valid, servetest.Release{})
			fault.damage(t, damaged, write(t, damaged, servetest.Release{POIs: 402}))
			point(t, link, valid)
			h, err := release.NewHolder(link, quiet)
			must(t, err)
			defer h.Close()
			point(t, link, damaged)
			if err := h.Reload(t.Context()); !errors.Is(err, release.ErrRejected) {
				t.Fatalf("error %v", err)
			}
			status := h.Status()
			if status.Digest != want.Digest || status.Rejected != 1 || status.Loaded != 1 {
				t.Errorf("status %+v", status)
			}
			r := h.Acquire()
			defer r.Done()
			if got := r.Geographies.At(nil, servetest.Lng, servetest.NorthLat, 0); len(got) != 9 {
				t.Errorf("the previous release answers with %v", got)
			}
		})
	}
}

// point makes link a symbolic link to dir, atomically.
func point(t *testing.T, link, dir string) {
	t.Helper()
	must(t, os.Symlink(dir, link+".new"))
	must(t, os.Rename(link+".new", link))
}

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, servetest.Release{})
	r, err := release.Open(dir)
	must(t, err)
	defer r.Done()
	must(t, r.Verify(t.Context()))
	flip(t, dir, schemas.GeographiesPack)
	if err := r.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), schemas.GeographiesPack) {
		t.Errorf("a flipped byte: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Verify(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestFollow moves the link of a holder that polls it, and sends a signal.
func TestFollow(t *testing.T) {
	root := t.TempDir()
	first, second, link := filepath.Join(root, "1"), filepath.Join(root, "2"), filepath.Join(root, "current")
	write(t, first, servetest.Release{})
	want := write(t, second, servetest.Release{POIs: 402})
	point(t, link, first)
	h, err := release.NewHolder(link, quiet)
	must(t, err)
	defer h.Close()
	ctx, stop := context.WithCancel(t.Context())
	signals := make(chan os.Signal, 1)
	var following sync.WaitGroup
	following.Go(func() { h.Follow(ctx, poll, signals) })
	defer following.Wait()
	defer stop()
	testenv.Eventually(t, "the first release is verified", func() bool { return h.Status().Verified })
	point(t, link, second)
	testenv.Eventually(t, "the second release is loaded", func() bool { return h.Status().Digest == want.Digest })
	if status := h.Status(); !status.Verified || status.Loaded != 2 {
		t.Errorf("%+v", status)
	}
	must(t, os.Remove(filepath.Join(second, schemas.ManifestFile)))
	signals <- os.Interrupt // any value
	testenv.Eventually(t, "the signal has an effect", func() bool { return h.Status().Rejected == 1 })
}

// TestFollowSeesDamage writes into a pack while it is served, and then repairs it, without a request in between.
func TestFollowSeesDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "served")
	want := write(t, dir, servetest.Release{})
	h, err := release.NewHolder(dir, quiet)
	must(t, err)
	defer h.Close()
	ctx, stop := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() { h.Follow(ctx, poll, nil) })
	defer following.Wait()
	defer stop()
	testenv.Eventually(t, "the release is verified", func() bool { return h.Status().Verified })
	flip(t, dir, schemas.POIsPack)
	testenv.Eventually(t, "the damage is seen", func() bool { return h.Status().Damaged == want.Digest })
	if status := h.Status(); status.Digest != "" || status.Verified || h.Acquire() != nil {
		t.Errorf("a damaged release is served: %+v", status)
	}
	flip(t, dir, schemas.POIsPack)
	testenv.Eventually(t, "the repaired release is loaded", func() bool { return h.Status().Digest == want.Digest })
	if status := h.Status(); status.Damaged != "" || !status.Verified {
		t.Errorf("%+v", status)
	}
}

// TestOpenWhileWritten opens a release while another program writes a pack in place, which shortens it to nothing first.
func TestOpenWhileWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "written")
	write(t, dir, servetest.Release{})
	path := filepath.Join(dir, schemas.POIsPack)
	data, err := os.ReadFile(path)
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	defer writing.Wait()
	defer stop()
	writing.Go(func() {
		for ctx.Err() == nil {
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range testenv.Few(2000) {
		if r, err := release.Open(dir); err == nil {
			r.Done()
		} else if !errors.Is(err, release.ErrRejected) {
			t.Fatal(err)
		}
	}
}

// TestOlder serves a folder's release of an earlier date, and a pointer's of a later generation, with a warning, but no
// pointer of an earlier generation.
func TestOlder(t *testing.T) {
	root := t.TempDir()
	newer, older := write(t, filepath.Join(root, "newer"), servetest.Release{}),
		write(t, filepath.Join(root, "older"), servetest.Release{AsOf: "2019-01-01"})
	var lines strings.Builder
	log := slog.New(slog.NewTextHandler(&lines, nil))

	link := filepath.Join(root, "current")
	point(t, link, filepath.Join(root, "newer"))
	folder, err := release.NewHolder(link, log)
	must(t, err)
	defer folder.Close()
	point(t, link, filepath.Join(root, "older"))
	must(t, folder.Reload(t.Context()))

	must(t, servetest.Publish(root, 7, "newer", ""))
	pointer, err := release.NewHolder(root, log)
	must(t, err)
	defer pointer.Close()
	must(t, servetest.Publish(root, 8, "older", ""))
	must(t, pointer.Reload(t.Context()))
	for _, h := range []*release.Holder{folder, pointer} {
		if status := h.Status(); status.Digest != older.Digest || status.Refused {
			t.Errorf("%+v", status)
		}
	}
	if got := strings.Count(lines.String(), "older than the one before"); got != 2 {
		t.Errorf("%d warnings: %s", got, lines.String())
	}
	for _, generation := range []int64{7, 8} {
		must(t, servetest.Publish(root, generation, "newer", ""))
		if err := pointer.Reload(t.Context()); !errors.Is(err, release.ErrRejected) || !strings.Contains(err.Error(), "generation") {
			t.Errorf("generation %d of %.8s: %v", generation, newer.Digest, err)
		}
	}
	if status := pointer.Status(); status.Generation != 8 || !status.Refused || status.Rejected != 2 {
		t.Errorf("%+v", status)
	}
}

// TestMarkDamaged accepts an older release after a damaged one, and ignores marks of one that is no longer current.
func TestMarkDamaged(t *testing.T) {
	root := t.TempDir()
	first, older, link := filepath.Join(root, "1"), filepath.Join(root, "2"), filepath.Join(root, "current")
	write(t, first, servetest.Release{})
	want := write(t, older, servetest.Release{AsOf: "2019-01-01"})
	point(t, link, first)
	h, err := release.NewHolder(link, quiet)
	must(t, err)
	defer h.Close()
	old := h.Acquire()
	defer old.Done()
	h.MarkDamaged(old, errors.New("a fault"))
	point(t, link, older)
	must(t, h.Reload(t.Context()))
	h.MarkDamaged(old, errors.New("another fault"))
	if status := h.Status(); status.Digest != want.Digest || status.Damaged != "" {
		t.Errorf("%+v", status)
	}
}

// TestSwapUnderUse replaces releases while readers use them: no reader has a closed file, and each has one release from
// beginning to end.
func TestSwapUnderUse(t *testing.T) {
	root := t.TempDir()
	dirs := []string{filepath.Join(root, "1"), filepath.Join(root, "2")}
	sizes := map[string]int{}
	for i, dir := range dirs {
		sizes[write(t, dir, servetest.Release{POIs: 400 + 2*i}).Digest] = 400 + 2*i
	}
	link := filepath.Join(root, "current")
	point(t, link, dirs[0])
	h, err := release.NewHolder(link, quiet)
	must(t, err)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				r := h.Acquire()
				if got := r.POIs.Len(); got != sizes[r.Digest()] || len(r.Geographies.At(nil, servetest.Lng, servetest.NorthLat, 0)) != 9 {
					t.Errorf("release %.8s has %d pois", r.Digest(), got)
				}
				r.Done()
			}
		})
	}
	for i := range 100 {
		point(t, link, dirs[(i+1)%2])
		must(t, h.Reload(t.Context()))
	}
	close(stop)
	readers.Wait()
	if got := h.Status().Loaded; got != 101 {
		t.Errorf("%d releases loaded", got)
	}
	h.Close()
	if h.Acquire() != nil {
		t.Error("Acquire returns a release after Close")
	}
	testenv.Eventually(t, "all packs are unmapped", func() bool { return mapped(t, root) == 0 })
}

// mapped counts the mappings of files under root in this process.
func mapped(t *testing.T, root string) int {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("/proc is absent")
	}
	return strings.Count(string(maps), root)
}
