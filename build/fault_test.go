package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"quartier/build/publish"
	"quartier/schemas"
)

// Long runs: make soak.
var faults = flag.Int("faults", 8, "operations of each kind that TestFailedOperationsOfLibraries fails; 0: all of them")

// faulty is a file system of which one operation fails.
type faulty struct {
	at, count int // from 1
	err       error
	failed    string // what failed
}

func (f *faulty) fail(what string) error {
	if f.count++; f.count != f.at {
		return nil
	}
	f.failed = what
	return &os.PathError{Op: what, Path: "planted", Err: f.err}
}

// system returns publish.OS with the fault. A short write writes the first half.
func (f *faulty) system() publish.FileSystem {
	return publish.FileSystem{
		Write: func(path string, data []byte) error {
			if err := f.fail("write " + filepath.Base(path)); err != nil {
				return errors.Join(err, os.WriteFile(path, data[:len(data)/2], 0o644))
			}
			return publish.OS.Write(path, data)
		},
		Sync: func(path string) error {
			if err := f.fail("sync " + filepath.Base(path)); err != nil {
				return err
			}
			return publish.OS.Sync(path)
		},
		Rename: func(from, to string) error {
			if err := f.fail("rename " + filepath.Base(to)); err != nil {
				return err
			}
			return publish.OS.Rename(from, to)
		},
		Exchange: func(a, b string) error {
			if err := f.fail("exchange " + filepath.Base(b)); err != nil {
				return err
			}
			return publish.OS.Exchange(a, b)
		},
	}
}

// TestEveryFailedOperation fails each operation of the build's own file system once: the stamps, the manifest, flushing,
// and the exchange. The old release stays, and the next build of the same inputs is whole.
func TestEveryFailedOperation(t *testing.T) {
	_, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force = o1.Out, true
	old, operations := folderDigest(t, o1.Out), 0
	for at := 1; operations == 0; at++ {
		f := &faulty{at: at, err: []error{syscall.ENOSPC, syscall.EIO}[at%2]}
		_, err := release(context.Background(), o2, f.system())
		if f.failed == "" {
			operations = f.count
			must(t, err)
			break
		}
		if !errors.Is(err, f.err) || !strings.Contains(err.Error(), "build release test: ") {
			t.Errorf("operation %d, %s: error %v", at, f.failed, err)
		}
		if f.failed == "sync "+filepath.Base(filepath.Dir(o1.Out)) { // the release is in place, and whole
			m, err := schemas.ReadManifest(o1.Out)
			must(t, err)
			checkRelease(t, o1.Out, m.Digest)
			old = folderDigest(t, o1.Out)
			continue
		}
		if got := folderDigest(t, o1.Out); got != old {
			t.Errorf("operation %d, %s: the old release is not as it was", at, f.failed)
		}
	}
	if operations < 20 {
		t.Errorf("only %d operations", operations)
	}
	t.Logf("%d operations", operations)
}

// folderDigest is the digest of the files of a folder.
func folderDigest(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	all := sha256.New()
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		fmt.Fprintf(all, "%s %x\n", e.Name(), sha256.Sum256(data))
	}
	return hex.EncodeToString(all.Sum(nil))
}

// TestFailedOperationsOfLibraries fails writes, flushes and reads of SQLite and DuckDB in another process, from the first
// to the last. A build fails with the cause and leaves the old release, or it copes and is the same.
func TestFailedOperationsOfLibraries(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	library := filepath.Join(t.TempDir(), "fault.so")
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-O2", "-o", library, filepath.Join("testdata", "fault.c"), "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	_, err = Release(context.Background(), o2)
	must(t, err)
	kept := filepath.Join(t.TempDir(), "kept")
	must(t, os.CopyFS(kept, os.DirFS(o1.Out)))
	old, want := folderDigest(t, o1.Out), folderDigest(t, o2.Out)
	o2.Out, o2.Force = o1.Out, true
	restore := func() {
		must(t, os.RemoveAll(o1.Out))
		must(t, os.CopyFS(o1.Out, os.DirFS(kept)))
	}
	under := filepath.Dir(partial(o1.Out, ""))
	fail := func(op string, at, errno int) (counted int, out []byte, err error) {
		counter := filepath.Join(t.TempDir(), "count")
		cmd := child(t, o2, "")
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+library, "FAULT_UNDER="+under, "FAULT_OP="+op,
			fmt.Sprintf("FAULT_AT=%d", at), fmt.Sprintf("FAULT_ERRNO=%d", errno))
		if at == 0 {
			cmd.Env = append(cmd.Env, "FAULT_COUNT="+counter)
		}
		out, err = cmd.CombinedOutput()
		if data, readErr := os.ReadFile(counter); readErr == nil {
			counted, _ = strconv.Atoi(string(data))
		}
		return counted, out, err
	}
	for _, op := range []string{"write", "sync", "read"} {
		n, out, err := fail(op, 0, 0)
		if err != nil {
			t.Fatalf("without a fault: %v\n%s", err, out)
		}
		restore()
		errnos, step, tried := []int{int(syscall.ENOSPC), int(syscall.EIO), 0}, 1, 0
		if *faults > 0 {
			step = max(n / *faults, 1)
		}
		failed, coped := 0, 0
		for at := 1; at <= n; at += step {
			list := errnos
			if *faults > 0 { // one after the other
				list = errnos[tried%len(errnos):][:1]
			}
			for _, errno := range list {
				tried++
				_, out, err := fail(op, at, errno)
				got, as := folderDigest(t, o1.Out), old
				switch {
				case err == nil:
					coped++
					as = want
					restore()
				case !strings.Contains(string(out), "build release test: "):
					t.Errorf("%s %d of %d fails with %d: no cause in %s", op, at, n, errno, out)
				default:
					failed++
				}
				if got != as {
					t.Errorf("%s %d of %d fails with %d: the build ends with %v, and the release is neither the old one nor the new one", op, at, n, errno, err)
				}
			}
		}
		if n == 0 && op != "sync" {
			t.Errorf("no %s was seen", op)
		}
		t.Logf("%s: of %d operations %d failed the build, and %d did not", op, n, failed, coped)
	}
}
