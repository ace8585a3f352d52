// Package building has the drills of builds: they are killed, and their operations on files fail.
package building

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"quartier/build"
	"quartier/build/assembly"
	"quartier/cmd/quartier/pipeline"
	"quartier/internal/drill"
	"quartier/internal/drill/faults"
	"quartier/internal/stamp"
	"quartier/schemas"
)

// Builds are builds of a release from the same sources, each by a process that may be killed.
type Builds struct {
	Program func(args ...string) *exec.Cmd
	Args    []string // of quartier build, without --out
}

func (b Builds) to(out string, args ...string) *exec.Cmd {
	return b.Program(slices.Concat([]string{"build"}, b.Args, args, []string{"--out", out})...)
}

// run builds and returns how long it took.
func run(r *drill.Run, cmd *exec.Cmd) time.Duration {
	r.Helper()
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("%v\n%s", err, out)
	}
	return time.Since(begun)
}

// FinishedSteps lists the steps of which a stopped build left a whole stamp, as the report names them.
func FinishedSteps(work, out string) (list []string, err error) {
	phases := map[string]string{".staged.duckdb": " ingest", ".lent.duckdb": " lend", ".derived.duckdb": " transform"}
	for _, folder := range []string{work, filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".partial", "stamps")} {
		found, err := filepath.Glob(filepath.Join(folder, "*.stamp"))
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			if s := stamp.Read(path); s == nil || s.Broken {
				continue
			}
			name := pipeline.BuildStep(strings.TrimSuffix(filepath.Base(path), ".stamp"))
			for suffix, phase := range phases {
				if region, ok := strings.CutSuffix(filepath.Base(path), suffix+".stamp"); ok {
					name = region + phase
				}
			}
			list = append(list, name)
		}
	}
	return list, nil
}

// SameFiles returns an error if two folders do not have the same files, byte for byte.
func SameFiles(want, got string) error {
	entries, err := os.ReadDir(want)
	if err != nil {
		return err
	}
	others, err := os.ReadDir(got)
	if err != nil {
		return err
	}
	if len(entries) != len(others) || len(entries) == 0 {
		return fmt.Errorf("%d files in %s, and %d in %s", len(entries), want, len(others), got)
	}
	for _, e := range entries {
		one, err := os.ReadFile(filepath.Join(want, e.Name()))
		if err != nil {
			return err
		}
		other, err := os.ReadFile(filepath.Join(got, e.Name()))
		if err != nil {
			return err
		}
		if !bytes.Equal(one, other) {
			return fmt.Errorf("%s differs between %s and %s", e.Name(), want, got)
		}
	}
	return nil
}

// KillFaults are planted faults of builds that are killed: nil does nothing.
type KillFaults struct {
	Killed  func(work, out string) error // after a build was killed
	Resumed func(out string) error       // after it was continued
}

// ForgottenSteps is a planted fault: the work folder forgets what is finished.
var ForgottenSteps = KillFaults{Killed: func(work, _ string) error { return os.RemoveAll(work) }}

// ChangedByte is a planted fault: the release has another byte than that of a build that was not killed.
var ChangedByte = KillFaults{Resumed: func(out string) error { return drill.Flip(filepath.Join(out, "pois.pack")) }}

// Killed is what Kills did.
type Killed struct{ Kills, Finished, Reused int }

// Kills kills builds at random moments and runs them again. The release is that of a build that was not killed, byte for byte, and
// at least 95 % of the steps that were finished are not run again.
func Kills(r *drill.Run, b Builds, plant KillFaults) (done Killed) {
	dir := r.TempDir()
	whole := filepath.Join(dir, "whole")
	took := run(r, b.to(whole))
	for tries := 0; done.Kills == 0 && tries < 20 || r.More(done.Kills) && tries < 3*done.Kills+10; tries++ {
		out := filepath.Join(dir, fmt.Sprint("r", tries))
		moment := time.Duration(r.Random.Int64N(int64(took)))
		if done.Finished == 0 {
			moment = took/2 + moment/2 // late enough for a step to be finished
		}
		killed := b.to(out)
		r.Must(killed.Start())
		time.Sleep(moment)
		killed.Process.Kill()
		killed.Wait()
		if _, err := os.Stat(out); err == nil { // it was too late
			r.Must(SameFiles(whole, out))
			took -= took / 8
		} else {
			resume(r, b, plant, whole, out, &done)
		}
		r.Must(errors.Join(os.RemoveAll(out), os.RemoveAll(out+".work")))
	}
	if 100*done.Reused < 95*done.Finished || done.Finished == 0 {
		r.Errorf("%d of %d finished steps were reused, want 95 %%", done.Reused, done.Finished)
	}
	return done
}

// resume continues a build that was killed.
func resume(r *drill.Run, b Builds, plant KillFaults, whole, out string, done *Killed) {
	r.Helper()
	before, err := FinishedSteps(out+".work", out)
	r.Must(err)
	if plant.Killed != nil {
		r.Must(plant.Killed(out+".work", out))
	}
	run(r, b.to(out))
	if plant.Resumed != nil {
		r.Must(plant.Resumed(out))
	}
	if err := SameFiles(whole, out); err != nil {
		r.Fatal(err)
	}
	var report pipeline.Report
	data, err := os.ReadFile(filepath.Join(out+".work", "report.json"))
	r.Must(err)
	r.Must(json.Unmarshal(data, &report))
	again := 0
	for _, s := range report.Steps {
		if slices.Contains(before, s.Name) {
			done.Finished++
			if s.Reused {
				done.Reused++
			} else {
				again++
			}
		}
	}
	done.Kills++
	r.Logf("kill %d: %d steps were finished, %d of them ran again", done.Kills, len(before), again)
}

// FaultRun is what FailedOperations did.
type FaultRun struct{ Operations, Faults, Failed, Coped int }

// failing is a release that builds with a failing operation try to replace.
type failing struct {
	*drill.Run
	Builds
	library        *faults.Library
	dir, out, kept string
	old, want      string         // digests of the release before and after
	counts         map[string]int // operations by kind
	done           FaultRun
	tampered       bool
}

// FailedOperations builds over a release with one operation failing: a write, flush or read of the libraries in a whole build, a
// write, flush or rename of the build itself. The build fails with a cause and leaves the release as it was, or it copes and the
// release is the new one. tampered is a planted fault: a byte of the release
// is another one afterwards.
func FailedOperations(r *drill.Run, b Builds, tampered bool) FaultRun {
	dir := r.TempDir()
	library, err := faults.Compile(dir)
	r.Must(err)
	f := &failing{Run: r, Builds: b, library: library, dir: filepath.Join(dir, "world"), kept: filepath.Join(dir, "kept"), tampered: tampered,
		counts: map[string]int{}}
	f.out = filepath.Join(f.dir, "release")
	r.Must(os.Mkdir(f.dir, 0o755))
	run(r, b.to(f.kept, "--as-of", "2024-04-01"))
	f.old = f.digest(f.kept)
	other := filepath.Join(dir, "new")
	run(r, b.to(other, "--as-of", "2024-05-01"))
	f.want = f.digest(other)
	for f.done.Faults < 3 || r.More(f.done.Faults) {
		if f.done.Faults%4 == 0 {
			f.own(other)
		} else {
			f.libraries()
		}
	}
	for _, n := range f.counts {
		f.done.Operations += n
	}
	return f.done
}

func (f *failing) digest(dir string) string {
	f.Helper()
	digest, err := faults.Digest(dir)
	f.Must(err)
	return digest
}

// reset puts the old release in place.
func (f *failing) reset() {
	f.Helper()
	f.Must(os.RemoveAll(f.dir))
	f.Must(os.MkdirAll(f.dir, 0o755))
	f.Must(os.CopyFS(f.out, os.DirFS(f.kept)))
}

// libraries lets a drawn operation of SQLite, SpatiaLite or DuckDB fail in a whole build.
func (f *failing) libraries() {
	op, errno := drill.Pick(f.Random, faults.Operations), drill.Pick(f.Random, faults.Errors)
	run := func(at int) (int, []byte, error) {
		f.reset()
		return f.library.Run(f.to(f.out, "--as-of", "2024-05-01", "--force"), f.dir, op, at, errno)
	}
	if f.counts[op] == 0 {
		n, out, err := run(0)
		if err != nil {
			f.Fatalf("without a fault: %v\n%s", err, out)
		}
		f.counts[op] = max(n, 1)
	}
	at := 1 + f.Random.IntN(f.counts[op])
	_, out, err := run(at)
	f.judge(fmt.Sprintf("%s %d of %d fails with %q", op, at, f.counts[op], errno), err, string(out))
}

// own lets a drawn operation of the build's own file system fail, from derived rows on.
func (f *failing) own(from string) {
	f.reset()
	work := from + ".work"
	stagings, err := filepath.Glob(filepath.Join(work, "*.staged.duckdb"))
	f.Must(err)
	o := build.Options{Name: filepath.Base(f.out), Out: f.out, Force: true, ToolVersion: "soak"}
	collapsed := map[string]string{} // scores of a place as small as this one
	for _, score := range schemas.ScoreIDs() {
		collapsed[score] = "small"
	}
	for _, staged := range stagings {
		region := strings.TrimSuffix(filepath.Base(staged), ".staged.duckdb")
		o.Regions = append(o.Regions, assembly.Region{Name: region, Staged: staged, Derived: filepath.Join(work, region+".derived.duckdb"),
			AcceptCollapsed: collapsed})
	}
	if f.counts["own"] == 0 { // what it is without a fault
		files := new(faults.Files)
		o.System = files.System()
		_, err := build.Release(f.Context(), o)
		f.Must(err)
		f.counts["own"] = files.Count
		f.Must(os.CopyFS(filepath.Join(f.kept+"-own"), os.DirFS(f.out)))
		f.reset()
	}
	files := &faults.Files{At: 1 + f.Random.IntN(f.counts["own"]), Err: drill.Pick(f.Random, []error{syscall.ENOSPC, syscall.EIO})}
	o.System = files.System()
	_, err = build.Release(f.Context(), o)
	message := ""
	if err != nil {
		message = err.Error()
	}
	want := f.want
	f.want = f.digest(f.kept + "-own")
	if files.Failed == "sync "+filepath.Base(f.dir) { // the release is in place, and whole
		err = nil
	}
	f.judge(fmt.Sprintf("the build's own operation %d of %d, %s, fails with %v", files.At, f.counts["own"], files.Failed, files.Err),
		err, message)
	f.want = want
}

// judge compares the release after a build with what it must be.
func (f *failing) judge(what string, err error, out string) {
	f.Helper()
	as := f.old
	if f.done.Faults++; err == nil {
		f.done.Coped++
		as = f.want
	} else {
		f.done.Failed++
	}
	if f.tampered {
		f.Must(drill.Flip(filepath.Join(f.out, "pois.pack")))
	}
	if got := f.digest(f.out); got != as {
		f.Fatalf("%s: the build ends with %v, and the release is neither the old one nor the new one: %s", what, err, out)
	}
	var exit *exec.ExitError
	killed := errors.As(err, &exit) && !exit.Exited()
	if err != nil && (strings.TrimSpace(out) == "" || killed || strings.Contains(out, "goroutine ")) {
		f.Fatalf("%s: the build ends with %v and does not say why: %s", what, err, out)
	}
}
