package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/build/publish"
	"quartier/internal/plan"
	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/internal/testenv"
	"quartier/schemas"
)

// stepped is a work place in which the release of the towns was built step by step, in an order by chance.
var stepped = sync.OnceValues(func() (work string, err error) {
	dir, err := towns()
	if err != nil {
		return "", err
	}
	work = filepath.Join(scratch, "stepped")
	return work, runSteps(filepath.Join(dir, "sources", "release.yaml"), work)
})

func steppedDir(t *testing.T) string {
	t.Helper()
	townsDir(t)
	work, err := stepped()
	if err != nil {
		t.Fatal(err)
	}
	return work
}

// runSteps runs all steps of a release, each after those that it needs. Small ones are run by two machines at once.
func runSteps(release, work string, flags ...string) error {
	steps, err := planOf(release, work, flags...)
	if err != nil {
		return err
	}
	draw, done := rand.New(rand.NewPCG(1, 2)), map[string]bool{}
	for len(done) < len(steps) {
		s := steps[draw.IntN(len(steps))]
		if done[s.ID] || slices.ContainsFunc(s.Needs, func(id string) bool { return !done[id] }) {
			continue
		}
		attempts := 1
		if s.Stage == "lend" || s.ID == "write.schools" || s.ID == "survey" {
			attempts = 2
		}
		errs := make([]error, attempts)
		var all sync.WaitGroup
		for i := range attempts {
			all.Go(func() {
				args := append([]string{"step", "run", "--attempt", fmt.Sprint(i + 1), "--release", release, "--work", work}, flags...)
				if code, _, text := quartier(append(args, s.ID)...); code != exitOK {
					errs[i] = fmt.Errorf("step %s: exit code %d\n%s", s.ID, code, text)
				}
			})
		}
		all.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		done[s.ID] = true
	}
	return nil
}

func planOf(release, work string, flags ...string) ([]plan.Step, error) {
	code, out, errs := quartier(append([]string{"step", "plan", "--json", "--release", release, "--work", work}, flags...)...)
	if code != exitOK {
		return nil, fmt.Errorf("exit code %d\n%s", code, errs)
	}
	return plan.Read(strings.NewReader(out))
}

// TestStepsMakeTheReleaseOfABuild compares the files with those of a build in one process, and runs all steps again.
func TestStepsMakeTheReleaseOfABuild(t *testing.T) {
	work, dir := steppedDir(t), townsDir(t)
	sameFiles(t, filepath.Join(dir, "first"), filepath.Join(work, "release"))
	release := filepath.Join(dir, "sources", "release.yaml")
	steps, err := planOf(release, work)
	if err != nil {
		t.Fatal(err)
	}
	before := namesBelow(t, work)
	for _, s := range steps {
		for _, id := range s.Needs {
			if !slices.ContainsFunc(steps, func(other plan.Step) bool { return other.ID == id }) {
				t.Errorf("%s needs %s", s.ID, id)
			}
		}
		mustRun(t, "step", "run", s.ID, "--attempt", "9", "--release", release, "--work", work)
	}
	if after := namesBelow(t, work); !slices.Equal(after, before) {
		t.Errorf("what was done is done again: %v, before %v", after, before)
	}
	for _, name := range before {
		if strings.HasPrefix(name, "attempts/") {
			t.Errorf("an attempt left %s", name)
		}
	}
	again, err := planOf(release, filepath.Join(t.TempDir(), "another place"))
	if one, two := fmt.Sprintf("%+v", steps), fmt.Sprintf("%+v", again); err != nil || one != two {
		t.Errorf("two plans: %v\n%s\n%s", err, one, two)
	}
	mustRun(t, "step", "plan", "--release", release, "--work", work)
}

// TestStepsWithRequests builds the towns with custom geographies by steps, in a folder, then in a bucket: both components are those of
// quartier build. Of the steps that were done without requests only publish is done again.
func TestStepsWithRequests(t *testing.T) {
	whole, w, dir := steppedDir(t), newCustomTowns(t), t.TempDir()
	data, err := w.file().Encode()
	if err != nil {
		t.Fatal(err)
	}
	requests, built := filepath.Join(dir, "requests.json"), filepath.Join(dir, "built")
	if err := os.WriteFile(requests, data, 0o600); err != nil {
		t.Fatal(err)
	}
	release := filepath.Join(w.dir, "sources", "release.yaml")
	mustRun(t, "build", "--release", release, "--out", built, "--work", filepath.Join(w.dir, "work"), "--requests", requests)
	work := without(t, whole)
	mustRun(t, "step", "plan", "--release", release, "--work", work, "--requests", requests, "--replace")
	before := len(namesBelow(t, filepath.Join(work, "steps")))
	if err := runSteps(release, work, "--requests", requests); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, built, filepath.Join(work, "release"))
	sameFiles(t, publish.PrivateFolder(built), publish.PrivateFolder(filepath.Join(work, "release")))
	if n := len(namesBelow(t, filepath.Join(work, "steps"))) - before; n != 3 {
		t.Errorf("%d more records than without requests", n)
	}
	if code, _, errs := quartier("step", "run", "verify.files", "--release", release, "--work", work); code != exitInputChanged {
		t.Errorf("a machine without the requests: exit code %d\n%s", code, errs)
	}
	for _, name := range namesBelow(t, publish.PrivateFolder(filepath.Join(work, "release"))) {
		info, err := os.Stat(filepath.Join(publish.PrivateFolder(filepath.Join(work, "release")), name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}

	s := placeInBucket(t)
	t.Setenv("QUARTIER_OBJECTS", filepath.Join(t.TempDir(), "objects"))
	if err := runSteps(release, s.String(), "--requests", requests); err != nil {
		t.Fatal(err)
	}
	to := fetchOnly(t, s)
	sameFiles(t, built, to[schemas.Places])
	sameFiles(t, publish.PrivateFolder(built), to[schemas.Private])
	if left := namesBelow(t, os.TempDir()); len(left) > 0 {
		t.Errorf("attempts left %v", left)
	}
}

// namesBelow are the paths of all files below a folder.
func namesBelow(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			list = append(list, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// without is a copy of a work place in which steps are not done.
func without(t *testing.T, work string, ids ...string) string {
	t.Helper()
	again := filepath.Join(t.TempDir(), "work")
	for _, name := range namesBelow(t, work) {
		undone := slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(name, "steps/"+id+"/") })
		if undone || strings.HasPrefix(name, "release/") {
			continue
		}
		to := filepath.Join(again, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(filepath.Join(work, filepath.FromSlash(name)), to); err != nil {
			t.Fatal(err)
		}
	}
	return again
}

// recordOf is the record of a step.
func recordOf(t *testing.T, work, id string) (r struct {
	Outputs []struct{ Name, Content string }
}) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(work, "steps", id, "*.json"))
	if err != nil || len(list) != 1 {
		t.Fatalf("records %v, %v", list, err)
	}
	if err := json.Unmarshal([]byte(readText(t, list[0])), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKilledStep kills attempts of a step at different moments. The next one finishes, with the content of one that was not killed.
func TestKilledStep(t *testing.T) {
	const id = "transform.us-port-hollis"
	whole, release := steppedDir(t), filepath.Join(townsDir(t), "sources", "release.yaml")
	work := without(t, whole, id)
	args := func(n int) []string {
		return []string{"step", "run", id, "--attempt", fmt.Sprint(n), "--release", release, "--work", work}
	}
	for n := 1; n <= 5; n++ {
		cmd := child(args(n)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(n*n) * 60 * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	mustRun(t, args(6)...)
	if one, other := recordOf(t, whole, id), recordOf(t, work, id); fmt.Sprint(one) != fmt.Sprint(other) || one.Outputs[0].Content == "" {
		t.Errorf("%v, and %v after kills", one, other)
	}
	for _, name := range namesBelow(t, work) {
		if strings.HasPrefix(name, "attempts/") {
			t.Errorf("a killed attempt left %s", name)
		}
	}
}

// TestStepOnFullDisk runs out of space in the folder of the attempt, which is empty then.
func TestStepOnFullDisk(t *testing.T) {
	whole, release := steppedDir(t), filepath.Join(townsDir(t), "sources", "release.yaml")
	for id, size := range map[string]string{"transform.us-port-hollis": "20m", "write.access": "40m", "ingest.us-port-hollis": "3m"} {
		disk, _ := testenv.SmallDisk(t, size)
		work := without(t, whole, id)
		cmd := child("step", "run", id, "--release", release, "--work", work, "--scratch", disk)
		errs, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != exitFailure || !strings.Contains(string(errs), "hint: the disk is full") {
			t.Errorf("%s: %v\n%s", id, err, errs)
		}
		if left := namesBelow(t, disk); len(left) > 0 {
			t.Errorf("%s leaves %v", id, left)
		}
	}
}

// TestStepsThatAreRefused runs steps that cannot run, on machines that differ from the one that made the plan.
func TestStepsThatAreRefused(t *testing.T) {
	whole, dir := steppedDir(t), townsDir(t)
	release := filepath.Join(dir, "sources", "release.yaml")
	check := func(want int, text string, args ...string) {
		t.Helper()
		if code, _, errs := quartier(append([]string{"step"}, args...)...); code != want || !strings.Contains(errs, text) {
			t.Errorf("%v: exit code %d, want %d and %q\n%s", args, code, want, text, errs)
		}
	}
	empty := filepath.Join(t.TempDir(), "work")
	check(exitUsage, "engine is none of", "plan", "--release", release, "--work", empty, "--as", "make")
	check(exitUsage, "a document is of a release file", "plan", "--pbf", filepath.Join(dir, "sources", "osm", "landing.osm.pbf"),
		"--work", empty, "--as", "slurm")
	check(exitFailure, "the plan; quartier step plan notes it", "run", "verify.files", "--release", release, "--work", empty) // was refused
	check(exitUsage, "--jobs is for quartier build: the engine says", "plan", "--release", release, "--work", empty, "--jobs", "3")
	check(exitUsage, "--force is for quartier build", "run", "verify.files", "--release", release, "--work", empty, "--force")
	check(exitUsage, "one ID of a step", "run", "--release", release, "--work", whole)
	check(exitUsage, "no such step: pois; near it: write.pois pack.pois", "run", "pois", "--release", release, "--work", whole)
	check(exitUsage, "not the address of a store", "run", "verify.files", "--release", release, "--work", "ftp://work")
	check(exitFailure, "the plan; quartier step plan notes it", "run", "verify.files", "--release", release, "--work", empty)
	undone := without(t, whole, "lend.us-port-hollis", "write.geographies", "write.pois")
	check(exitFailure, "step write.pois: what the step needs is not there: lend.us-port-hollis", "run", "write.pois", "--release", release,
		"--work", undone)
	undone = without(t, whole, "write.geographies", "write.pois")
	check(exitFailure, "is not there: write.geographies", "run", "write.pois", "--release", release, "--work", undone)
	next := filepath.Join(dir, "sources", "next", "release.yaml")
	check(exitInputChanged, "not what was planned: ", "run", "verify.files", "--release", next, "--work", whole)
	check(exitInputChanged, "has the plan of another build", "plan", "--release", next, "--work", without(t, whole))
	check(exitInputChanged, "the region files, the release file, the previous release, accepted gates or requests", "run", "verify.files",
		"--release", release, "--work", whole, "--accept", "retired_ids.10=why")
	if code, _, errs := quartier("build", "--release", release, "--out", empty, "--engine", "slurm"); code != exitUsage ||
		!strings.Contains(errs, "--engine slurm") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	sources := worldCopy(t)
	ingest := []string{"run", "ingest.us-port-hollis", "--release", filepath.Join(sources, "release.yaml"), "--work",
		without(t, whole, "ingest.us-port-hollis")}
	if err := os.WriteFile(filepath.Join(sources, "tiger", "blocks-vt", "notes.txt"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	check(exitInputChanged, "source blocks-vt of region us-port-hollis has sha256", ingest...)
	edit(t, filepath.Join(sources, "osm", "port-hollis.osm"), func(text string) string { return text + "\n" })
	check(exitInputChanged, "source osm of region us-port-hollis: input changed", ingest...) // is declared
	changeCode(t, "ingest/stage.go")
	check(exitInputChanged, "another program made the plan: it is ", "run", "verify.files", "--release", release, "--work", whole)
}

// TestDamagedWorkPlace damages and removes objects. Damage is found by who reads them, and what was lost is made again.
func TestDamagedWorkPlace(t *testing.T) {
	whole, release := steppedDir(t), filepath.Join(townsDir(t), "sources", "release.yaml")
	work := without(t, whole, "write.schools")
	object := ""
	for _, name := range namesBelow(t, work) {
		if path := filepath.Join(work, filepath.FromSlash(name)); strings.HasPrefix(name, "objects/") &&
			readText(t, path) == readText(t, filepath.Join(whole, "release", "geographies.sqlite")) {
			object = path
		}
	}
	text := readText(t, object)
	if err := os.Remove(object); err != nil { // not what it is linked to
		t.Fatal(err)
	}
	if err := os.WriteFile(object, []byte(text[:5000]+"x"+text[5001:]), 0o644); err != nil {
		t.Fatal(err)
	}
	run := []string{"step", "run", "write.schools", "--release", release, "--work", work}
	if code, _, errs := quartier(run...); code != exitFailure || !strings.Contains(errs, "fetch geographies.sqlite: the bytes are not those") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	if err := os.Remove(object); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := quartier(run...); code != exitFailure || !strings.Contains(errs, "fetch geographies.sqlite: no such object") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	mustRun(t, "step", "run", "write.geographies", "--release", release, "--work", work)
	mustRun(t, run...)
	if readText(t, object) != text {
		t.Error("the object is another one")
	}
}

// TestStepsInABucket runs all steps with a bucket as work place. The release that they push is that of a build.
func TestStepsInABucket(t *testing.T) {
	dir, s := townsDir(t), placeInBucket(t)
	if err := runSteps(filepath.Join(dir, "sources", "release.yaml"), s.String()); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, filepath.Join(dir, "first"), fetchOnly(t, s)[schemas.Places])
	if left := namesBelow(t, os.TempDir()); len(left) > 0 {
		t.Errorf("attempts left %v", left)
	}
}

// placeInBucket is an empty place in a bucket. Temporary files are in a folder of the test.
func placeInBucket(t *testing.T) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), bucket(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	return s
}

// fetchOnly fetches the only release of a store, and returns the folders of its components.
func fetchOnly(t *testing.T, s store.Store) map[string]string {
	t.Helper()
	digests, err := releases.List(t.Context(), s)
	if err != nil || len(digests) != 1 {
		t.Fatalf("releases %v, %v", digests, err)
	}
	to := filepath.Join(filepath.Dir(os.TempDir()), "fetched")
	r, _, err := releases.Fetch(t.Context(), s, digests[0], to)
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{}
	for _, c := range r.Components {
		folders[c.Name] = filepath.Join(to, c.Folder)
	}
	return folders
}
