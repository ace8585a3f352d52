package release_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/internal/drill"
	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/release"
	"quartier/serve/servetest"
)

// held opens a folder of releases; the holder is closed at the end of the test.
func held(t *testing.T, o release.Options) (*release.Holder, error) {
	t.Helper()
	o.Log = quiet
	h, err := release.Hold(o)
	t.Cleanup(h.Close)
	return h, err
}

// TestDamagedStart starts on releases of which a byte of one pack is wrong. The component of that pack is not served, nor those
// made for it; the others are.
func TestDamagedStart(t *testing.T) {
	template := t.TempDir()
	must(t, drill.WriteAll(template, "2", servetest.Release{}, "2024-01-15"))
	served := map[string]string{"2": "", "2p": "places market", "2m": "places private private-market", "2q": "places private market"}
	for _, name := range drill.Packs {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "releases")
			must(t, os.CopyFS(root, os.DirFS(template)))
			must(t, servetest.Publish(root, 1, drill.Components("2")...))
			flipUnnoticed(t, root, name)
			h, err := held(t, release.Options{Dir: root})
			var got []string
			status := h.Status()
			for _, c := range status.Components {
				if !c.Withdrawn {
					got = append(got, c.Name)
				}
			}
			want := served[filepath.Dir(name)]
			if strings.Join(got, " ") != want || (want == "") != errors.Is(err, release.ErrRejected) || (want == "") != (status.Damaged != "") {
				t.Errorf("%q is served, want %q: %v %+v", got, want, err, status)
			}
		})
	}
}

// flipUnnoticed flips the first bit of a pack that opening the release does not notice.
func flipUnnoticed(t *testing.T, root, name string) {
	t.Helper()
	path := filepath.Join(root, name)
	data, err := os.ReadFile(path)
	must(t, err)
	for i := 64; i < len(data); i++ {
		data[i] ^= 1
		must(t, os.WriteFile(path, data, 0o644))
		if r, err := release.Open(root); err == nil {
			r.Done()
			return
		}
		data[i] ^= 1
	}
	t.Fatalf("opening %s notices every bit", name)
}

// TestNothingUnverifiedIsServed starts without patience: there is no release until Follow has verified it, whether or not it is
// damaged.
func TestNothingUnverifiedIsServed(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "release")
		want := write(t, dir, servetest.Release{})
		if damaged {
			flip(t, dir, schemas.POIsPack)
		}
		h, err := held(t, release.Options{Dir: dir, Patience: 1})
		must(t, err)
		if status := h.Status(); h.Acquire() != nil || !status.Verifying || status.Digest != "" {
			t.Fatalf("before it is verified: %+v", status)
		}
		follow(t, h)
		testenv.Eventually(t, "the verification ends", func() bool { return !h.Status().Verifying })
		status := h.Status()
		if damaged && (status.Damaged != want.Digest || !status.Refused || h.Acquire() != nil) ||
			!damaged && (status.Digest != want.Digest || !status.Verified) {
			t.Errorf("damaged %v: %+v", damaged, status)
		}
	}
}

// TestRecord starts again on packs that were verified before. They are not read, unless one has changed since, in whatever way,
// or had changed just before it was read.
func TestRecord(t *testing.T) {
	defer release.SetRestless(2 * time.Second)
	release.SetRestless(0)
	dir, record := filepath.Join(t.TempDir(), "release"), filepath.Join(t.TempDir(), "verified.json")
	write(t, dir, servetest.Release{})
	path := filepath.Join(dir, schemas.POIsPack)
	start := func() *release.Holder {
		h, err := held(t, release.Options{Dir: dir, Patience: time.Minute, Record: record})
		must(t, err)
		return h
	}
	atOnce := func() bool {
		h, err := held(t, release.Options{Dir: dir, Patience: 1, Record: record})
		must(t, err)
		return h.Status().Verified
	}
	start()
	if !atOnce() {
		t.Error("unchanged packs are read again")
	}
	before, err := os.Stat(path)
	must(t, err)
	time.Sleep(20 * time.Millisecond) // the resolution of times of files
	flip(t, dir, schemas.POIsPack)
	must(t, os.Chtimes(path, before.ModTime(), before.ModTime()))
	if atOnce() {
		t.Error("a pack that was written to, and whose time was set back, is not read")
	}
	time.Sleep(20 * time.Millisecond)
	flip(t, dir, schemas.POIsPack)
	release.SetRestless(time.Hour)
	start()
	if atOnce() {
		t.Error("a pack that had changed just before it was read is not read again")
	}
	release.SetRestless(0)
	start()
	if info, err := os.Stat(record); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the record: %v %v", info, err)
	}
	must(t, os.WriteFile(record, []byte("[{"), 0o600))
	if atOnce() {
		t.Error("a record that is truncated is used")
	}
	start()
	if !atOnce() {
		t.Error("a record that was truncated is not written again")
	}
}

// TestScrub finds damage of what is served by reading it, without a look at the states of files.
func TestScrub(t *testing.T) {
	root := t.TempDir()
	must(t, drill.WriteAll(root, "2", servetest.Release{}, "2024-01-15"))
	must(t, servetest.Publish(root, 1, drill.Components("2")...))
	h, err := held(t, release.Options{Dir: root, Scrub: 1 << 30})
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() { h.Follow(ctx, time.Hour, nil) })
	defer following.Wait()
	defer stop()
	testenv.Eventually(t, "all is read", func() bool { return h.Status().Scrubs > 0 })
	flip(t, filepath.Join(root, "2m"), schemas.MarketPack)
	testenv.Eventually(t, "the market is withdrawn",
		func() bool { s := h.Status(); return len(s.Components) == 4 && s.Components[2].Withdrawn })
	if s := h.Status(); s.Scrubbed == 0 || s.Components[0].Withdrawn || s.Components[3].Withdrawn {
		t.Errorf("%+v", s)
	}
}
