package build

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quartier/build/compare"
	"quartier/build/publish"
	"quartier/build/verify"
	"quartier/schemas"
)

// checkRelease fails unless dir has a valid release with the given digest, and no temporary files next to it.
func checkRelease(t *testing.T, dir, digest string) {
	t.Helper()
	report, err := verify.Release(context.Background(), dir, "")
	must(t, err)
	if report.Digest != digest {
		t.Errorf("release %s, want %s", report.Digest, digest)
	}
	checkClean(t, dir)
}

// checkClean fails if a build left temporary files next to dir.
func checkClean(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(dir))
	must(t, err)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s was not removed", e.Name())
		}
	}
}

// grown is delaware with another POI.
func grown() testRegion {
	r := delaware()
	r.pois = append(r.pois, testPOI{key: "osm:node:new", name: "New", lng: -75.5, lat: 39.1})
	return r
}

func TestReleaseIsReplacedWithForceOnly(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out = o1.Out
	if _, err := Release(context.Background(), o2); !errors.Is(err, publish.ErrExists) {
		t.Errorf("error %v", err)
	}
	checkRelease(t, o1.Out, m1.Digest)
	o2.Force, o2.Previous = true, o1.Out
	o2.Changed = func(c *compare.Comparison) error {
		if !c.Continues || c.POIs != (compare.POIChange{Added: 1, Kept: 40}) {
			t.Errorf("changed: %s", c)
		}
		return errors.New("too much changed")
	}
	if _, err := Release(context.Background(), o2); err == nil || !strings.Contains(err.Error(), "too much changed") {
		t.Errorf("error %v", err)
	}
	checkRelease(t, o1.Out, m1.Digest)
	o2.Changed = nil
	m2, err := Release(context.Background(), o2)
	must(t, err)
	if m2.Previous != m1.Digest {
		t.Errorf("previous %q", m2.Previous)
	}
	checkRelease(t, o1.Out, m2.Digest)
}

func TestOtherFoldersAreNeverReplaced(t *testing.T) {
	o := options(t, delaware())
	o.Force = true
	must(t, os.Mkdir(o.Out, 0o755))
	letter := filepath.Join(o.Out, "letter.txt")
	must(t, os.WriteFile(letter, []byte("dear"), 0o644))
	if _, err := Release(context.Background(), o); !errors.Is(err, publish.ErrExists) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(letter); err != nil {
		t.Error(err)
	}
	must(t, os.Remove(letter))
	m, err := Release(context.Background(), o)
	must(t, err)
	checkRelease(t, o.Out, m.Digest)
}

func TestConcurrentBuildsAreRefused(t *testing.T) {
	o := options(t, delaware())
	dir, err := publish.Open(publish.Target{Out: o.Out}, publish.OS)
	must(t, err)
	if _, err := Release(context.Background(), o); !errors.Is(err, publish.ErrBusy) {
		t.Errorf("error %v", err)
	}
	dir.Close()
	m, err := Release(context.Background(), o)
	must(t, err)
	checkRelease(t, o.Out, m.Digest)
}

func TestOldReleaseStaysIfTheDiskFails(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force = o1.Out, true
	fail := func(err error) func(string) error { return func(string) error { return err } }
	for name, tt := range map[string]struct {
		change func(*publish.FileSystem)
		want   []string
	}{
		"manifest cannot be written": {func(d *publish.FileSystem) {
			d.Write = func(path string, data []byte) error {
				if filepath.Base(path) == schemas.ManifestFile {
					return syscall.ENOSPC
				}
				return os.WriteFile(path, data, 0o644)
			}
		}, []string{"write manifest", "no space left"}},
		"manifest is truncated": {func(d *publish.FileSystem) {
			d.Write = func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)/2], 0o644) }
		}, []string{"verify", "manifest"}},
		"nothing can be flushed": {func(d *publish.FileSystem) { d.Sync = fail(syscall.EIO) }, []string{"flush", "input/output error"}},
		"a file cannot be flushed": {func(d *publish.FileSystem) {
			d.Sync = func(path string) error {
				if filepath.Base(path) == schemas.POIsPack {
					return syscall.EIO
				}
				return nil
			}
		}, []string{"flush " + schemas.POIsPack, "input/output error"}},
		"folders cannot be exchanged": {func(d *publish.FileSystem) { d.Exchange = func(string, string) error { return syscall.EACCES } },
			[]string{"put release in place", "permission denied"}},
		"no exchange, and the new release cannot be moved": {func(d *publish.FileSystem) {
			d.Exchange = func(string, string) error { return errors.ErrUnsupported }
			d.Rename = func(from, to string) error {
				if filepath.Base(from) == "release" {
					return syscall.EIO
				}
				return os.Rename(from, to)
			}
		}, []string{"put release in place", "input/output error"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := publish.OS
			tt.change(&d)
			o2 := o2
			o2.System = &d
			_, err := Release(context.Background(), o2)
			for _, part := range tt.want {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("error %v does not name %q", err, part)
				}
			}
			checkRelease(t, o1.Out, m1.Digest)
		})
	}
}

func TestFileSystemWithoutExchange(t *testing.T) {
	_, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force = o1.Out, true
	d := publish.OS
	d.Exchange = func(string, string) error { return syscall.EINVAL }
	o2.System = &d
	m2, err := Release(context.Background(), o2)
	must(t, err)
	checkRelease(t, o1.Out, m2.Digest)
}

// partial returns a path in the folder in which a release is built.
func partial(out, name string) string {
	return filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".partial", name)
}

func TestOldReleaseIsRestoredAfterKillBetweenTwoMoves(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	must(t, os.MkdirAll(partial(o1.Out, "release"), 0o755))
	must(t, os.Rename(o1.Out, partial(o1.Out, "replaced")))
	o2 := options(t, grown())
	o2.Out = o1.Out
	if _, err := Release(context.Background(), o2); !errors.Is(err, publish.ErrExists) {
		t.Errorf("error %v", err)
	}
	dir, err := publish.Open(publish.Target{Out: o1.Out, Force: true}, publish.OS)
	must(t, err)
	dir.Close()
	checkRelease(t, o1.Out, m1.Digest)
}

func TestLeftoversOfAKilledBuildAreRemoved(t *testing.T) {
	o := options(t, delaware())
	must(t, os.MkdirAll(partial(o.Out, "release"), 0o755))
	must(t, os.WriteFile(filepath.Join(partial(o.Out, "release"), "half"), []byte("x"), 0o644))
	m, err := Release(context.Background(), o)
	must(t, err)
	checkRelease(t, o.Out, m.Digest)
}

// cancelAt cancels a build after a number of steps.
type cancelAt struct {
	slog.Handler
	left   int
	cancel context.CancelFunc
}

func (c *cancelAt) Handle(context.Context, slog.Record) error {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return nil
}

func (c *cancelAt) Enabled(context.Context, slog.Level) bool { return true }
func (c *cancelAt) WithAttrs([]slog.Attr) slog.Handler       { return c }

func TestOldReleaseStaysIfTheBuildIsCancelled(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force, o2.Previous = o1.Out, true, o1.Out
	const steps = 13
	for after := 1; after < steps; after++ {
		ctx, cancel := context.WithCancel(context.Background())
		o2.Log = slog.New(&cancelAt{left: after, cancel: cancel, Handler: slog.DiscardHandler})
		_, err := Release(ctx, o2)
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d steps: error %v", after, err)
		}
		checkRelease(t, o1.Out, m1.Digest)
	}
}
