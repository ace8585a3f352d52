package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReleaseAndPrivateArePutInPlaceTogether fails each operation of publishing once: before the release is in its place the
// component private is the old one, too, or none.
func TestReleaseAndPrivateArePutInPlaceTogether(t *testing.T) {
	planted := errors.New("planted")
	for _, tt := range []struct {
		name     string
		old      bool // there is something to replace
		exchange bool // by one operation
	}{{"new", false, true}, {"exchanged", true, true}, {"moved aside", true, false}} {
		t.Run(tt.name, func(t *testing.T) {
			for at := 1; ; at++ {
				out, count := filepath.Join(t.TempDir(), "r"), 0
				fail := func() error {
					if count++; count == at {
						return planted
					}
					return nil
				}
				of := func(folder string) string {
					text, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
					if !errors.Is(err, os.ErrNotExist) {
						must(t, err)
					}
					return string(text)
				}
				write := func(folder, text string) {
					must(t, os.MkdirAll(folder, 0o755))
					must(t, os.WriteFile(filepath.Join(folder, "manifest.json"), []byte(text), 0o644))
				}
				if tt.old {
					write(out, "old places")
					write(PrivateFolder(out), "old private")
				}
				system := OS
				system.Rename = func(from, to string) error {
					if err := fail(); err != nil {
						return err
					}
					return os.Rename(from, to)
				}
				system.Exchange = func(a, b string) error {
					if !tt.exchange {
						return errors.ErrUnsupported
					}
					if err := fail(); err != nil {
						return err
					}
					return exchange(a, b)
				}
				system.Sync = func(path string) error {
					if err := fail(); err != nil {
						return err
					}
					return syncPath(path)
				}
				d, err := openDir(Target{Out: out, Force: true, Private: true}, system)
				must(t, err)
				write(d.Release(), "new places")
				write(d.Private(), "new private")
				err = d.Publish()
				d.Close()
				done := of(out) == "new places"
				if done != (of(PrivateFolder(out)) == "new private") || done != (of(out) != "old places" && of(out) != "") {
					t.Errorf("operation %d: %q with %q", at, of(out), of(PrivateFolder(out)))
				}
				if !done && tt.old != (of(PrivateFolder(out)) == "old private") {
					t.Errorf("operation %d: the old component private is %q", at, of(PrivateFolder(out)))
				}
				if err == nil {
					if !done || count >= at || at < 4 {
						t.Errorf("%d of %d operations, in place: %v", count, at, done)
					}
					return
				}
				if !errors.Is(err, planted) || done != strings.Contains(err.Error(), "which is in place") {
					t.Errorf("operation %d: %v", at, err)
				}
			}
		})
	}
}

// TestOldPrivateIsRestored kills between two moves of the component private.
func TestOldPrivateIsRestored(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r")
	d, err := openDir(Target{Out: out, Private: true}, OS)
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(d.root, "replaced-private"), 0o755))
	must(t, os.WriteFile(filepath.Join(d.root, "replaced-private", "manifest.json"), []byte("old"), 0o644))
	d.Leave()
	if d, err = Continue(Target{Out: out}, OS); err != nil { // without requests, too
		t.Fatal(err)
	}
	d.Close()
	if text, err := os.ReadFile(filepath.Join(PrivateFolder(out), "manifest.json")); err != nil || string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestPrivateIsForItsOwner: whatever the umask is, other users cannot read what customers drew, and can read the places.
func TestPrivateIsForItsOwner(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077} {
		before := syscall.Umask(mask)
		out := filepath.Join(t.TempDir(), "r")
		d, err := Open(Target{Out: out, Private: true}, OS)
		if err == nil {
			err = errors.Join(os.WriteFile(filepath.Join(d.Private(), "manifest.json"), []byte("x"), 0o666),
				os.WriteFile(filepath.Join(d.Release(), "manifest.json"), []byte("x"), 0o666), d.Flush(), d.Publish())
		}
		syscall.Umask(before)
		must(t, err)
		d.Close()
		modeOf := func(path string) os.FileMode {
			info, err := os.Stat(path)
			must(t, err)
			return info.Mode().Perm()
		}
		private := PrivateFolder(out)
		if folder, file := modeOf(private), modeOf(filepath.Join(private, "manifest.json")); folder != 0o700 || file != 0o600 {
			t.Errorf("umask %o: the folder has mode %o, the file %o", mask, folder, file)
		}
		if folder := modeOf(out); folder != os.FileMode(0o755&^mask) {
			t.Errorf("umask %o: the release has mode %o", mask, folder)
		}
	}
}
