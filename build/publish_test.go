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

	"quartier/schemas"
)

// stands fails unless dir holds a whole release with a digest and nothing lies beside it.
func stands(t *testing.T, dir, digest string) {
	t.Helper()
	report, err := Verify(context.Background(), dir)
	must(t, err)
	if report.Digest != digest {
		t.Errorf("release %s stands in place of %s", report.Digest, digest)
	}
	clean(t, dir)
}

// clean fails if a build left something beside dir.
func clean(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(dir))
	must(t, err)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

// grown is delaware with one place more.
func grown() testRegion {
	r := delaware()
	r.pois = append(r.pois, testPOI{key: "osm:node:new", name: "New", lng: -75.5, lat: 39.1})
	return r
}

func TestAReleaseIsReplacedByForceOnly(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out = o1.Out
	if _, err := Release(context.Background(), o2); !errors.Is(err, ErrExists) {
		t.Errorf("error %v", err)
	}
	stands(t, o1.Out, m1.Digest)
	o2.Force, o2.Previous = true, o1.Out
	o2.Changed = func(c *Comparison) error {
		if !c.GoesOn || c.POIs != (POIChange{"", 1, 0, 40}) {
			t.Errorf("changed: %s", c)
		}
		return errors.New("too much changed")
	}
	if _, err := Release(context.Background(), o2); err == nil || !strings.Contains(err.Error(), "too much changed") {
		t.Errorf("error %v", err)
	}
	stands(t, o1.Out, m1.Digest)
	o2.Changed = nil
	m2, err := Release(context.Background(), o2)
	must(t, err)
	if m2.Previous != m1.Digest {
		t.Errorf("previous %q", m2.Previous)
	}
	stands(t, o1.Out, m2.Digest)
}

func TestWhatIsNoReleaseIsNeverReplaced(t *testing.T) {
	o := options(t, delaware())
	o.Force = true
	must(t, os.Mkdir(o.Out, 0o755))
	letter := filepath.Join(o.Out, "letter.txt")
	must(t, os.WriteFile(letter, []byte("dear"), 0o644))
	if _, err := Release(context.Background(), o); !errors.Is(err, ErrExists) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(letter); err != nil {
		t.Error(err)
	}
	must(t, os.Remove(letter))
	m, err := Release(context.Background(), o)
	must(t, err)
	stands(t, o.Out, m.Digest)
}

func TestTwoBuildsDoNotMix(t *testing.T) {
	o := options(t, delaware())
	s, err := occupy(o.Out, false, realDisk)
	must(t, err)
	if _, err := Release(context.Background(), o); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v", err)
	}
	s.leave()
	m, err := Release(context.Background(), o)
	must(t, err)
	stands(t, o.Out, m.Digest)
}

func TestAFailingDiskLeavesTheOldRelease(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force = o1.Out, true
	fail := func(err error) func(string) error { return func(string) error { return err } }
	for name, tt := range map[string]struct {
		change func(*disk)
		want   []string
	}{
		"manifest cannot be written": {func(d *disk) { d.write = func(string, []byte) error { return syscall.ENOSPC } }, []string{"write manifest", "no space left"}},
		"manifest is cut": {func(d *disk) {
			d.write = func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)/2], 0o644) }
		}, []string{"verify", "manifest"}},
		"nothing can be flushed": {func(d *disk) { d.sync = fail(syscall.EIO) }, []string{"flush", "input/output error"}},
		"a file cannot be flushed": {func(d *disk) {
			d.sync = func(path string) error {
				if filepath.Base(path) == schemas.POIsPack {
					return syscall.EIO
				}
				return nil
			}
		}, []string{"flush " + schemas.POIsPack, "input/output error"}},
		"folders cannot be swapped": {func(d *disk) { d.exchange = func(string, string) error { return syscall.EACCES } }, []string{"put release in place", "permission denied"}},
		"no swap, and the new one cannot be moved": {func(d *disk) {
			d.exchange = func(string, string) error { return errors.ErrUnsupported }
			d.rename = func(from, to string) error {
				if filepath.Base(from) == "release" {
					return syscall.EIO
				}
				return os.Rename(from, to)
			}
		}, []string{"put release in place", "input/output error"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := realDisk
			tt.change(&d)
			_, err := release(context.Background(), o2, d)
			for _, part := range tt.want {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("error %v does not name %q", err, part)
				}
			}
			stands(t, o1.Out, m1.Digest)
		})
	}
}

func TestAFileSystemThatCannotSwap(t *testing.T) {
	_, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force = o1.Out, true
	d := realDisk
	d.exchange = func(string, string) error { return syscall.EINVAL }
	m2, err := release(context.Background(), o2, d)
	must(t, err)
	stands(t, o1.Out, m2.Digest)
}

func TestABuildKilledBetweenTwoMovesIsMended(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	s, err := occupy(o1.Out, true, realDisk)
	must(t, err)
	must(t, os.Rename(o1.Out, s.replaced()))
	s.lock.Close() // as the kernel does for a process that is killed
	o2 := options(t, grown())
	o2.Out = o1.Out
	if _, err := Release(context.Background(), o2); !errors.Is(err, ErrExists) {
		t.Errorf("error %v", err)
	}
	s, err = occupy(o1.Out, true, realDisk)
	must(t, err)
	s.leave()
	stands(t, o1.Out, m1.Digest)
}

func TestWhatAKilledBuildLeftIsThrownAway(t *testing.T) {
	o := options(t, delaware())
	s, err := occupy(o.Out, false, realDisk)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(s.release(), "half"), []byte("x"), 0o644))
	s.lock.Close()
	m, err := Release(context.Background(), o)
	must(t, err)
	stands(t, o.Out, m.Digest)
}

// cancelAt cancels a build when it has finished a number of steps.
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

func TestACancelledBuildLeavesTheOldRelease(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force, o2.Previous = o1.Out, true, o1.Out
	const steps = 11
	for after := 1; after < steps; after++ {
		ctx, cancel := context.WithCancel(context.Background())
		o2.Log = slog.New(&cancelAt{left: after, cancel: cancel, Handler: slog.DiscardHandler})
		_, err := Release(ctx, o2)
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d steps: error %v", after, err)
		}
		stands(t, o1.Out, m1.Digest)
	}
}
