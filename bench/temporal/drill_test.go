package temporal

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	enums "go.temporal.io/api/enums/v1"
	histories "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/server/temporaltest"
	"google.golang.org/protobuf/encoding/protojson"
)

var (
	fleet   = flag.String("fleet", "../../bin/quartier-fleet", "the program `PATH` that is tried")
	regions = flag.Int("regions", 16, "`N` regions of three steps each, and as many steps of the release")
	workers = flag.Int("workers", 4, "`N` workers")
	killing = flag.Duration("kill", 3*time.Second, "`TIME` between two kills; 0: none")
	takes   = flag.Duration("takes", 2*time.Second, "`TIME` that a step takes")
	seed    = flag.Uint64("seed", 1, "`N`: which worker is killed when")
	history = flag.String("history", "", "`DIR` for the histories of the release and of a region, to be replayed by tests of package flow")
)

// TestMain is quartier where a worker or coordinate starts it as that.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == "step" {
		os.Exit(quartier(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

type step struct {
	ID      string   `json:"id"`
	Region  string   `json:"region,omitempty"`
	Needs   []string `json:"needs"`
	Minutes float64  `json:"minutes"`
	Class   string   `json:"class"`
	NoRetry []int    `json:"no_retry"`
}

func steps(regions int) (all []step) {
	add := func(region, id, class string, needs ...string) {
		s := step{ID: id, Region: region, Needs: append([]string{}, needs...), Minutes: .1, Class: class, NoRetry: []int{2, 3, 4, 6}}
		all = append(all, s)
	}
	name := func(stage string, i int) string { return fmt.Sprintf("%s.r%02d", stage, (i+regions)%regions) }
	for i := range regions {
		add(name("", i)[1:], name("ingest", i), "small")
	}
	for i := range regions {
		add(name("", i)[1:], name("lend", i), "small", name("ingest", i-1), name("ingest", i), name("ingest", i+1))
		add(name("", i)[1:], name("transform", i), "large", name("lend", i))
	}
	for i := range regions {
		needs := []string{name("transform", i)}
		if i == regions-1 {
			needs = nil
			for j := range regions - 1 {
				needs = append(needs, name("transform", j), name("shard", j))
			}
			needs = append(needs, name("transform", i))
		}
		add("", name("shard", i), "large", needs...)
	}
	return all
}

// quartier is the program that workers start: it sleeps, and records a step once, with a line in a file for each record and attempt.
func quartier(command string, args []string) int {
	release, work := argument(args, "--release"), argument(args, "--work")
	if command == "plan" {
		var count int
		if _, err := fmt.Sscan(strings.TrimSuffix(filepath.Base(release), ".yaml"), &count); err != nil {
			return 2
		}
		for _, s := range steps(count) {
			line, _ := json.Marshal(s)
			fmt.Println(string(line))
		}
		return 0
	}
	id := args[0]
	note(work, "attempts", id+" "+argument(args, "--attempt"))
	record := filepath.Join(work, id+".json")
	if _, err := os.Stat(record); err == nil {
		return 0
	}
	takes, err := time.ParseDuration(os.Getenv("DRILL_TAKES"))
	if err != nil {
		return 2
	}
	for i := range 10 {
		time.Sleep(takes / 10)
		fmt.Fprintf(os.Stderr, `{"level":"INFO","msg":"reading","rows":%d}`+"\n", 1000*(i+1))
	}
	file, err := os.OpenFile(record, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0 // another attempt was first
	}
	note(work, "records", id)
	file.Close()
	return 0
}

func argument(args []string, name string) string {
	for i := range len(args) - 1 {
		if args[i] == name {
			return args[i+1]
		}
	}
	return ""
}

func note(work, name, line string) {
	file, err := os.OpenFile(filepath.Join(work, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(file, line)
	file.Close()
}

// TestWorkersAreKilled: every step is done and recorded once, however often a worker is killed.
func TestWorkersAreKilled(t *testing.T) {
	begun := time.Now()
	temporal := temporaltest.NewServer()
	t.Cleanup(temporal.Stop)
	t.Logf("the server is up after %.2f s", time.Since(begun).Seconds())
	address, namespace := temporal.GetFrontendHostPort(), temporal.GetDefaultNamespace()
	work := t.TempDir()
	random := rand.New(rand.NewPCG(*seed, 0))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pool := make([]*machine, *workers)
	for i := range pool {
		pool[i] = worker(t, address, namespace, self)
	}
	begun = time.Now()
	coordinate := exec.Command(*fleet, "coordinate", "--address", address, "--namespace", namespace, "--quartier", self,
		"--release", fmt.Sprintf("%d.yaml", *regions), "--work", work, "--id", "drill", "--tries", "20", "--lost-after", "5s")
	coordinate.Stdout, coordinate.Stderr = os.Stdout, os.Stderr
	if err := coordinate.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- coordinate.Wait() }()
	killed := 0
	for running := true; running; {
		var kill <-chan time.Time
		if *killing > 0 {
			kill = time.After(*killing)
		}
		select {
		case err := <-ended:
			if running = false; err != nil {
				t.Error(err)
			}
		case <-kill:
			i := random.IntN(len(pool))
			pool[i].kill()
			pool[i].start()
			killed++
		}
	}
	took := time.Since(begun)
	attempts, records := lines(t, work, "attempts"), lines(t, work, "records")
	once := map[string]bool{}
	for _, id := range records {
		if once[id] {
			t.Errorf("%s is recorded twice", id)
		}
		once[id] = true
	}
	if want := 4 * *regions; len(once) != want {
		t.Errorf("%d of %d steps are recorded", len(once), want)
	}
	again := map[string]bool{}
	for _, attempt := range attempts {
		if again[attempt] {
			t.Errorf("two attempts have the number %s", attempt)
		}
		again[attempt] = true
	}
	t.Logf("%d of %d steps in %.1f s by %d workers, %d attempts, %d kills", len(once), 4**regions, took.Seconds(), *workers,
		len(attempts), killed)
	if *history != "" {
		region := write(t, temporal.GetDefaultClient(), "drill", "release")
		write(t, temporal.GetDefaultClient(), region, "region")
	}
}

// write writes the history of a workflow and returns the id of its first child.
func write(t *testing.T, from client.Client, id, name string) (child string) {
	var all histories.History
	for events := from.GetWorkflowHistory(t.Context(), id, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT); events.HasNext(); {
		event, err := events.Next()
		if err != nil {
			t.Fatal(err)
		}
		if started := event.GetChildWorkflowExecutionStartedEventAttributes(); started != nil && child == "" {
			child = started.WorkflowExecution.WorkflowId
		}
		all.Events = append(all.Events, event)
	}
	t.Logf("%s: %d events", name, len(all.Events))
	text, err := protojson.Marshal(&all)
	if err == nil {
		err = os.WriteFile(filepath.Join(*history, name+".json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return child
}

// worker starts a worker that runs a quartier, which ends with the test.
func worker(t *testing.T, address, namespace, quartier string) *machine {
	folder := t.TempDir()
	return launch(t, "worker", nil, func() *exec.Cmd {
		w := exec.Command(*fleet, "worker", "--address", address, "--namespace", namespace, "--quartier", quartier, "--work-root", folder)
		w.Env = append(os.Environ(), "DRILL_TAKES="+takes.String())
		return w
	})
}

func lines(t *testing.T, work, name string) []string {
	text, err := os.ReadFile(filepath.Join(work, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
