package release_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// releases is a folder of releases that is followed, with one that is served and one, elsewhere, that is to come.
type releases struct {
	t      *testing.T
	root   string // generation 1: the components of "1"
	source string // those of "2"
	h      *release.Holder
	log    *lockedBuffer
}

// lockedBuffer is a log that can be read while it is written.
type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) lines(with string) (lines []string) {
	b.Lock()
	defer b.Unlock()
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, with) {
			lines = append(lines, line)
		}
	}
	return lines
}

func followed(t *testing.T) *releases {
	r := &releases{t: t, root: t.TempDir(), source: t.TempDir(), log: new(lockedBuffer)}
	must(t, drill.WriteAll(r.root, "1", servetest.Release{}, "2024-01-15"))
	must(t, drill.WriteAll(r.source, "2", servetest.Release{POIs: 402, AsOf: "2024-02-01"}, "2024-02-15"))
	must(t, servetest.Publish(r.root, 1, drill.Components("1")...))
	must(t, servetest.Publish(r.source, 2, drill.Components("2")...))
	var err error
	r.h, err = release.NewHolder(r.root, slog.New(slog.NewTextHandler(r.log, nil)))
	must(t, err)
	t.Cleanup(r.h.Close)
	follow(t, r.h)
	return r
}

// follow follows the path of a holder until the test ends.
func follow(t *testing.T, h *release.Holder) {
	ctx, stop := context.WithCancel(context.Background())
	var following sync.WaitGroup
	following.Go(func() { h.Follow(ctx, poll, nil) })
	t.Cleanup(func() {
		stop()
		following.Wait()
	})
}

// copyFile copies a file of the release to come into place.
func (r *releases) copyFile(name string) {
	r.t.Helper()
	must(r.t, os.MkdirAll(filepath.Dir(filepath.Join(r.root, name)), 0o755))
	data, err := os.ReadFile(filepath.Join(r.source, name))
	must(r.t, err)
	must(r.t, os.WriteFile(filepath.Join(r.root, name), data, 0o644))
}

// files are the files of the release to come, with folders: the pointer, then the others by name.
func (r *releases) files() []string {
	var names []string
	must(r.t, filepath.WalkDir(r.source, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			name, _ := filepath.Rel(r.source, path)
			names = append(names, name)
		}
		return err
	}))
	slices.SortFunc(names, func(a, b string) int {
		if (a == schemas.PointerFile) != (b == schemas.PointerFile) {
			return strings.Compare(b, a) // after digits
		}
		return strings.Compare(a, b)
	})
	return names
}

func (r *releases) stillServesFirst(when string) {
	r.t.Helper()
	if status := r.h.Status(); status.Generation != 1 || status.Loaded != 1 || len(status.Components) != 4 {
		r.t.Fatalf("%s: %+v\n%s", when, status, r.log.lines(""))
	}
}

// servesSecond waits for the release to come, and compares the log and the counts: a rejection for each reason, and none again
// for the same. How many there are depends on which files are in place at a look.
func (r *releases) servesSecond() {
	r.t.Helper()
	testenv.Eventually(r.t, "the complete release is loaded", func() bool { return len(r.log.lines("release loaded")) == 2 })
	// A file whose times are set after its last byte is read again.
	testenv.Eventually(r.t, "the release is verified", func() bool { return r.h.Status().Verified })
	status := r.h.Status()
	rejected := r.log.lines("release rejected")
	if status.Refused || status.Generation != 2 || status.Loaded != 2 || status.Components[2].AsOf != "2024-02-15" {
		r.t.Errorf("%+v", status)
	}
	if int64(len(rejected)) != status.Rejected {
		r.t.Errorf("%d rejections counted, logged:\n%s", status.Rejected, strings.Join(rejected, ""))
	}
	reason := func(line string) string { return line[strings.Index(line, "error="):] }
	for i := range rejected[:max(0, len(rejected)-1)] {
		if reason(rejected[i]) == reason(rejected[i+1]) {
			r.t.Errorf("rejected twice for one reason:\n%s%s", rejected[i], rejected[i+1])
		}
	}
	time.Sleep(3 * poll)
	if loaded := r.log.lines("release loaded"); len(loaded) != 2 {
		r.t.Errorf("loaded:\n%s", strings.Join(loaded, ""))
	}
}

// TestEveryFileIsAwaited copies all files but one, and that one last: the release is refused until then, and is then served
// without a signal.
func TestEveryFileIsAwaited(t *testing.T) {
	t.Parallel()
	last := []string{schemas.PointerFile}
	for _, folder := range drill.Components("2") {
		last = append(last, folder+"/"+schemas.ManifestFile)
	}
	for _, last := range append(last, drill.Packs...) {
		t.Run(last, func(t *testing.T) {
			t.Parallel()
			r := followed(t)
			for _, name := range r.files() {
				if name != last {
					r.copyFile(name)
				}
			}
			if last != schemas.PointerFile {
				testenv.Eventually(t, "the incomplete release is refused", func() bool { return r.h.Status().Refused })
			}
			time.Sleep(5 * poll)
			r.stillServesFirst("without " + last)
			r.copyFile(last)
			r.servesSecond()
		})
	}
}

// TestCopies brings a release into place by the ways of operators, with its pointer first, so that the release is refused for
// as long as any part is missing.
func TestCopies(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, name string, args ...string) {
		t.Helper()
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is absent", name)
		}
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	for name, bring := range map[string]func(t *testing.T, r *releases){
		"files by name": func(t *testing.T, r *releases) {
			for _, name := range r.files() {
				r.copyFile(name)
				time.Sleep(3 * poll)
			}
		},
		"the last name first": func(t *testing.T, r *releases) {
			names := r.files()
			slices.Reverse(names)
			for _, name := range names {
				r.copyFile(name)
				time.Sleep(3 * poll)
			}
		},
		"cp -r":      func(t *testing.T, r *releases) { run(t, "cp", "-r", r.source+"/.", r.root) },
		"cp -rp":     func(t *testing.T, r *releases) { run(t, "cp", "-rp", r.source+"/.", r.root) },
		"rsync":      func(t *testing.T, r *releases) { run(t, "rsync", "-aI", r.source+"/", r.root) },
		"slow rsync": func(t *testing.T, r *releases) { run(t, "rsync", "-aI", "--bwlimit=600", r.source+"/", r.root) },
		"rsync in place": func(t *testing.T, r *releases) {
			run(t, "rsync", "-aI", "--inplace", "--bwlimit=600", r.source+"/", r.root)
		},
		"as rsync does": func(_ *testing.T, r *releases) { r.renameEach() },
		"pieces":        func(_ *testing.T, r *releases) { r.writePieces(false) },
		"pieces of files that have their length from the beginning": func(_ *testing.T, r *releases) { r.writePieces(true) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := followed(t)
			bring(t, r)
			r.servesSecond()
		})
	}
}

// renameEach writes each file under a temporary name and renames it, with the time of the original.
func (r *releases) renameEach() {
	for _, name := range r.files() {
		from, to := filepath.Join(r.source, name), filepath.Join(r.root, name)
		part := filepath.Join(filepath.Dir(to), "."+filepath.Base(to)+".a8Xq2c")
		must(r.t, os.MkdirAll(filepath.Dir(to), 0o755))
		data, err := os.ReadFile(from)
		must(r.t, err)
		must(r.t, os.WriteFile(part, data, 0o600))
		info, err := os.Stat(from)
		must(r.t, err)
		must(r.t, os.Chtimes(part, info.ModTime(), info.ModTime()))
		time.Sleep(2 * poll)
		must(r.t, os.Rename(part, to))
	}
}

// writePieces writes the files in pieces, with pauses of all lengths around the interval; at the beginning either empty or
// with the length and, at the end, the time of the original.
func (r *releases) writePieces(allocated bool) {
	const pieces = 12
	for _, name := range r.files() {
		from, to := filepath.Join(r.source, name), filepath.Join(r.root, name)
		must(r.t, os.MkdirAll(filepath.Dir(to), 0o755))
		data, err := os.ReadFile(from)
		must(r.t, err)
		file, err := os.Create(to)
		must(r.t, err)
		if allocated {
			must(r.t, file.Truncate(int64(len(data))))
		}
		for i := range pieces {
			begin, end := i*len(data)/pieces, (i+1)*len(data)/pieces
			_, err := io.Copy(io.NewOffsetWriter(file, int64(begin)), bytes.NewReader(data[begin:end]))
			must(r.t, err)
			time.Sleep(time.Duration(i%6) * poll / 2)
		}
		must(r.t, file.Close())
		if allocated {
			info, err := os.Stat(from)
			must(r.t, err)
			must(r.t, os.Chtimes(to, info.ModTime(), info.ModTime()))
		}
		if name != "2q/market.pack" { // the last one
			r.stillServesFirst(name)
		}
	}
}

// TestRepairInPlace repairs a damaged pack of a release that was refused, in place and with the time that it had, as cp -p and
// rsync --inplace do: neither length nor time of modification change.
func TestRepairInPlace(t *testing.T) {
	t.Parallel()
	r := followed(t)
	path := filepath.Join(r.root, "2", schemas.SmallAreasPack)
	for _, name := range r.files() {
		if name == schemas.PointerFile {
			continue
		}
		r.copyFile(name)
	}
	flip(t, filepath.Join(r.root, "2"), schemas.SmallAreasPack)
	before, err := os.Stat(path)
	must(t, err)
	r.copyFile(schemas.PointerFile)
	testenv.Eventually(t, "the damaged release is refused", func() bool { return r.h.Status().Refused })
	time.Sleep(5 * poll)
	r.stillServesFirst("damaged")
	data, err := os.ReadFile(filepath.Join(r.source, "2", schemas.SmallAreasPack))
	must(t, err)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = file.Write(data)
	must(t, err)
	must(t, file.Close())
	must(t, os.Chtimes(path, before.ModTime(), before.ModTime()))
	r.servesSecond()
}
