package build

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quartier/internal/drill/faults"
	"quartier/schemas"
)

// Long runs: make soak.
var faultCount = flag.Int("faults", 8, "operations of each kind that TestFailedOperationsOfLibraries fails; 0: all of them")

// TestEveryFailedOperation fails each operation of the build's own file system once: the stamps, the manifest, flushing,
// and the exchange. The old release stays, and the next build of the same inputs is whole.
func TestEveryFailedOperation(t *testing.T) {
	_, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force = o1.Out, true
	old, operations := folderDigest(t, o1.Out), 0
	for at := 1; operations == 0; at++ {
		f := &faults.Files{At: at, Err: []error{syscall.ENOSPC, syscall.EIO}[at%2]}
		o2.System = f.System()
		_, err := Release(context.Background(), o2)
		if f.Failed == "" {
			operations = f.Count
			must(t, err)
			break
		}
		if !errors.Is(err, f.Err) || !strings.Contains(err.Error(), "build release test: ") {
			t.Errorf("operation %d, %s: error %v", at, f.Failed, err)
		}
		if f.Failed == "sync "+filepath.Base(filepath.Dir(o1.Out)) { // the release is in place, and whole
			m, err := schemas.ReadManifest(o1.Out)
			must(t, err)
			checkRelease(t, o1.Out, m.Digest)
			old = folderDigest(t, o1.Out)
			continue
		}
		if got := folderDigest(t, o1.Out); got != old {
			t.Errorf("operation %d, %s: the old release is not as it was", at, f.Failed)
		}
	}
	if operations < 20 {
		t.Errorf("only %d operations", operations)
	}
	t.Logf("%d operations", operations)
}

func folderDigest(t *testing.T, dir string) string {
	t.Helper()
	digest, err := faults.Digest(dir)
	must(t, err)
	return digest
}

// TestFailedOperationsOfLibraries fails writes, flushes and reads of SQLite and DuckDB in another process, from the first
// to the last. A build fails with the cause and leaves the old release, or it copes and is the same.
func TestFailedOperationsOfLibraries(t *testing.T) {
	library, err := faults.Compile(t.TempDir())
	if errors.Is(err, faults.ErrNoCompiler) {
		t.Skip(err)
	}
	must(t, err)
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
	fail := func(op string, at int, errno syscall.Errno) (counted int, out []byte, err error) {
		return library.Run(child(t, o2, ""), under, op, at, errno)
	}
	for _, op := range faults.Operations {
		n, out, err := fail(op, 0, 0)
		if err != nil {
			t.Fatalf("without a fault: %v\n%s", err, out)
		}
		restore()
		errnos, step, tried := faults.Errors, 1, 0
		if *faultCount > 0 {
			step = max(n / *faultCount, 1)
		}
		failed, coped := 0, 0
		for at := 1; at <= n; at += step {
			list := errnos
			if *faultCount > 0 { // one after the other
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
					t.Errorf("%s %d of %d fails with %d: the build ends with %v, and the release is neither the old one nor the new one", op, at, n,
						errno, err)
				}
			}
		}
		if n == 0 && op != "sync" {
			t.Errorf("no %s was seen", op)
		}
		t.Logf("%s: of %d operations %d failed the build, and %d did not", op, n, failed, coped)
	}
}
