package temporal

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var (
	towns  = flag.Int("towns", 64, "`N` regions of TestRegions, a town each, at most 100")
	places = flag.Int("places", 200, "`N` places of each town")
)

// regionsOf is a release of small regions, and what quartier build makes of it.
type regionsOf struct {
	quartier, dir, release string
	whole                  figure
	cluster                *cluster
}

func newRegions(t *testing.T) *regionsOf {
	quartier, err := filepath.Abs(*program)
	if err != nil {
		t.Fatal(err)
	}
	r := &regionsOf{quartier: quartier, dir: t.TempDir()}
	r.release = townsOf(t, quartier, filepath.Join(r.dir, "sources"))
	r.whole = measure(t, "quartier build", func() {
		output(t, exec.Command(quartier, "build", "--release", r.release, "--out", filepath.Join(r.dir, "whole")))
	})
	return r
}

// plan plans the release in a work place.
func (r *regionsOf) plan(t *testing.T, work string) []step {
	return planned(t, output(t, exec.Command(r.quartier, "step", "plan", "--json", "--release", r.release, "--work", work)))
}

// check fails unless a work place has the release of quartier build and one record of each step.
func (r *regionsOf) check(t *testing.T, work string) (steps int) {
	t.Helper()
	if manifest(t, filepath.Join(r.dir, "whole")) != manifest(t, filepath.Join(work, "release")) {
		t.Error("the release is another one than that of quartier build")
	}
	all := r.plan(t, work)
	for _, s := range all {
		if records, _ := filepath.Glob(filepath.Join(work, "steps", s.ID, "*")); len(records) != 1 {
			t.Errorf("%s has the records %q", s.ID, records)
		}
	}
	return len(all)
}

// TestRegions builds a release of 64 small regions: by quartier build, by its steps one after another or several at once without an
// engine, and by Temporal with 1, 2 and 4 workers, which run a step of each class at a time. The release is always the same, and no step
// is run twice. It prints how long each took.
func TestRegions(t *testing.T) {
	r, numbers, loops := newRegions(t), []int{1, 2, 4}, map[int]figure{}
	for _, n := range numbers {
		work := filepath.Join(r.dir, fmt.Sprint("loop", n))
		loops[n] = measure(t, fmt.Sprintf("%d steps at once, no engine", n), func() {
			runSteps(t, r.quartier, r.release, work, r.plan(t, work), n)
		})
		r.check(t, work)
	}
	r.cluster = startCluster(t) // now, since it takes some of the processors while it waits
	var alone figure
	for _, n := range numbers {
		work, attempts, loop := filepath.Join(r.dir, fmt.Sprint("fleet", n)), 0, loops[n]
		fleet := measure(t, fmt.Sprintf("Temporal, %d workers", n), func() { attempts, _ = r.runFleet(t, work, n, 0) })
		steps := r.check(t, work)
		if attempts != steps {
			t.Errorf("%d attempts of %d steps", attempts, steps)
		}
		if n == 1 {
			alone = fleet
		}
		t.Logf("%d steps. Of the time without the engine: %.3f, and %.3f of the processor time, %.3f s a step; of quartier build: "+
			"%.2f and %.2f; of one worker: %.2f", steps, fleet.seconds/loop.seconds, fleet.processor/loop.processor,
			(fleet.processor-loop.processor)/float64(steps), fleet.seconds/r.whole.seconds, fleet.processor/r.whole.processor,
			fleet.seconds/alone.seconds)
	}
}

// TestRegionsWithKills builds that release by four workers, one of which, by the seed, is killed every three seconds.
func TestRegionsWithKills(t *testing.T) {
	r := newRegions(t)
	r.cluster = startCluster(t)
	work := filepath.Join(r.dir, "work")
	var attempts, kills int
	measure(t, "Temporal, 4 workers that are killed", func() { attempts, kills = r.runFleet(t, work, 4, *killing) })
	t.Logf("%d steps, %d attempts, %d kills", r.check(t, work), attempts, kills)
}

// figure is how long something took: seconds, and those of processors.
type figure struct{ seconds, processor float64 }

func measure(t *testing.T, name string, do func()) figure {
	t.Helper()
	begun, before := time.Now(), spent()
	do()
	f := figure{time.Since(begun).Seconds(), spent() - before}
	t.Logf("%-36s %6.1f s, %6.1f s of processors", name, f.seconds, f.processor)
	return f
}

// spent is the processor time of all processes that this one has begun, and theirs: those that have ended and those that run, such as
// the server and its database, as Linux says it.
func spent() float64 {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used)
	sum := float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
	running, ours := map[int][]string{}, map[int]bool{os.Getpid(): true}
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		text, _ := os.ReadFile(path)
		if _, after, ok := bytes.Cut(text, []byte(") ")); ok {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			running[pid] = strings.Fields(string(after)) // state, parent, …
		}
	}
	for found := true; found; {
		found = false
		for pid, fields := range running {
			if parent, _ := strconv.Atoi(fields[1]); ours[parent] && !ours[pid] {
				ours[pid], found = true, true
				for _, field := range fields[11:15] { // user and system, its own and of its children
					ticks, _ := strconv.ParseFloat(field, 64)
					sum += ticks / 100
				}
			}
		}
	}
	return sum
}

// runSteps runs the steps of a plan, n at once, each as soon as those that it needs are done.
func runSteps(t *testing.T, quartier, release, work string, all []step, n int) {
	done, places := map[string]chan struct{}{}, make(chan struct{}, n)
	for _, s := range all {
		done[s.ID] = make(chan struct{})
	}
	var group sync.WaitGroup
	for _, s := range all {
		group.Go(func() {
			defer close(done[s.ID])
			for _, id := range s.Needs {
				<-done[id]
			}
			places <- struct{}{}
			defer func() { <-places }()
			if t.Failed() {
				return
			}
			out, err := exec.Command(quartier, "step", "run", s.ID, "--attempt", "1", "--release", release, "--work", work).CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v\n%s", s.ID, err, out)
			}
		})
	}
	group.Wait()
}

// runFleet runs a release by n workers, of which one is killed now and then, and returns the attempts and kills.
func (r *regionsOf) runFleet(t *testing.T, work string, n int, every time.Duration) (attempts, kills int) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("DRILL_LOG", log)
	var pool []*machine
	for range n {
		pool = append(pool, worker(t, r.cluster.address, "default", r.quartier))
	}
	coordinate := exec.Command(*fleet, "coordinate", "--address", r.cluster.address, "--quartier", r.quartier, "--release", r.release,
		"--work", work, "--tries", "20", "--lost-after", "5s")
	var said bytes.Buffer
	coordinate.Stdout, coordinate.Stderr = &said, &said
	if err := coordinate.Start(); err != nil {
		t.Fatal(err)
	}
	ended, random := make(chan error, 1), rand.New(rand.NewPCG(*seed, 2))
	go func() { ended <- coordinate.Wait() }()
	for {
		var kill <-chan time.Time
		if every > 0 {
			kill = time.After(every)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v\n%s", err, said.Bytes())
			}
			for _, m := range pool {
				m.kill()
			}
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			return bytes.Count(text, []byte("msg=begins ")), kills
		case <-kill:
			// Not in turn: a step that waits goes to the worker that waited longest, which would be the next to be killed each time.
			m := pool[random.IntN(n)]
			m.kill()
			m.start()
			kills++
		}
	}
}

func manifest(t *testing.T, folder string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// townsOf writes a release of regions with a town each, in the state of the synthetic world, and returns its file.
func townsOf(t *testing.T, quartier, dir string) string {
	t.Helper()
	output(t, exec.Command(quartier, "fixtures", "--out", dir))
	digest := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", sha256.Sum256(data))
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	template, err := os.ReadFile("testdata/region.yaml")
	if err != nil {
		t.Fatal(err)
	}
	release := "release: towns\nregions:\n"
	for i := range *towns {
		name := fmt.Sprintf("town-%02d", i)
		west, south := -76+.3*float64(i%10), 42.5+.2*float64(i/10) // farther apart than what regions lend each other
		box := func(w, s, e, n float64) string {
			return fmt.Sprintf("[[[%.3f,%.3f],[%.3f,%.3f],[%.3f,%.3f],[%.3f,%.3f],[%.3f,%.3f]]]", w, s, e, s, e, n, w, n, w, s)
		}
		var features []string
		outline := func(level, part int, ring string) {
			features = append(features, fmt.Sprintf(`{"type":"Feature","properties":{"id":"%s-%d-%d","level":%d,"name":"Town %d-%d","state":"NY"},`+
				`"geometry":{"type":"Polygon","coordinates":%s}}`, name, level, part, level, i, part, ring))
		}
		outline(30, 0, box(west, south, west+.02, south+.02))
		outline(10, 1, box(west, south, west+.01, south+.02))
		outline(10, 2, box(west+.01, south, west+.02, south+.02))
		write(name+".geojson", `{"type":"FeatureCollection","features":[`+strings.Join(features, ",\n")+"]}\n")
		var rows strings.Builder
		rows.WriteString("KEY,NAME,TYPE,LATITUDE,LONGITUDE\n")
		for j := range *places {
			kind := []string{"daycares", "parks", "libraries", "cafes"}[j%4]
			fmt.Fprintf(&rows, "%s-%d,%s %d of %s,%s,%.6f,%.6f\n", name, j, kind, j, name, kind,
				south+.001+.018*float64(j%17)/17, west+.001+.018*float64(j%23)/23)
		}
		write(name+".csv", rows.String())
		write("regions/"+name+".yaml", strings.NewReplacer("TOWN", name, "COUNTRIES", digest("naturalearth/ne_10m_admin_0_countries.zip"),
			"STATES", digest("tiger/tl_2023_us_state.zip"), "OUTLINES", digest(name+".geojson"), "PLACES", digest(name+".csv"),
			"BOX", fmt.Sprintf("[%.3f, %.3f, %.3f, %.3f]", west-.005, south-.005, west+.025, south+.025), "NUMBER", strconv.Itoa(i),
		).Replace(string(template)))
		release += "  - regions/" + name + ".yaml\n"
	}
	write("towns.yaml", release)
	return filepath.Join(dir, "towns.yaml")
}
