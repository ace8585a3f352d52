// Package processes has drills of servers that run as processes of their own: under slow and huge clients, under overload, and for
// long, with what they take of the machine.
package processes

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"quartier/bench/attack"
	"quartier/bench/fail"
	"quartier/bench/programs"
	"quartier/internal/drill"
	"quartier/serve/account"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// Programs are those that drills start: quartier and quartierd in a folder, and the program of the drill itself, which attacks
// ("attack NAME ADDR TOKEN") and has faults ("faulty ADDR").
type Programs struct {
	Bin  string
	Self string
}

// daemon is a running server.
type daemon struct {
	*programs.Process
	addr, admin string
	tokens      map[string]string // by customer
}

// start starts quartierd, with the accounts, or the program with faults, until the end of the run.
func (p Programs) start(r *drill.Run, faulty bool, accounts map[string]account.Agreement, args ...string) *daemon {
	r.Helper()
	d := &daemon{addr: programs.FreeAddress(), admin: programs.FreeAddress(), tokens: map[string]string{}}
	path := "sqlite:" + filepath.Join(r.TempDir(), "state.sqlite")
	store, err := state.Open(path)
	r.Must(err)
	defer store.Close()
	grants := map[string]account.Credentials{}
	for name, agreement := range accounts {
		_, grants[name], err = store.Create(name, agreement)
		r.Must(err)
	}
	r.Must(fail.Try(func() {
		if faulty {
			d.Process = programs.Start(context.Background(), nil, p.Self, "faulty", d.addr)
			d.admin = d.addr
		} else {
			d.Process = programs.Start(context.Background(), nil, filepath.Join(p.Bin, "quartierd"),
				append([]string{"--state", path, "--addr", d.addr, "--admin", d.admin,
					"--access-log=false", "--drain", "0s", "--grace", "1s"}, args...)...)
		}
		r.Cleanup(d.Stop)
		d.Await(r.Context(), func() bool { return d.status("/readyz") == http.StatusOK })
		for name, grant := range grants {
			if d.tokens[name] = "a.b.c"; !faulty {
				d.tokens[name] = attack.Token(d.addr, grant)
			}
		}
	}))
	return d
}

func (d *daemon) status(path string) int {
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + d.admin + path)
	if err != nil {
		return 0
	}
	answer.Body.Close()
	return answer.StatusCode
}

// sample is what a server takes at a moment.
type sample struct {
	seconds             float64
	resident, anonymous float64 // MB
	goroutines          int
	descriptors         int
}

// sample reads /proc and the metrics.
func (d *daemon) sample(begun time.Time) (s sample, err error) {
	err = fail.Try(func() {
		s = sample{seconds: time.Since(begun).Seconds(), resident: d.MemoryMB("VmRSS"), anonymous: d.MemoryMB("RssAnon")}
		entries := fail.Must(os.ReadDir(fmt.Sprintf("/proc/%d/fd", d.Command.Process.Pid)))
		s.descriptors = len(entries)
		answer := fail.Must(http.Get("http://" + d.admin + "/metrics"))
		defer answer.Body.Close()
		text := string(fail.Must(io.ReadAll(answer.Body)))
		_, rest, _ := strings.Cut(text, "\ngo_goroutines ")
		value, _, _ := strings.Cut(rest, "\n")
		s.goroutines = int(fail.Must(strconv.ParseFloat(value, 64)))
	})
	return s, err
}

// generation is that of the release that is served.
func (d *daemon) generation() int64 {
	answer, err := http.Get("http://" + d.admin + "/readyz")
	if err != nil {
		return -1
	}
	defer answer.Body.Close()
	var ready struct{ Generation int64 }
	json.NewDecoder(answer.Body).Decode(&ready)
	return ready.Generation
}

// Clients lets one customer attack a server by slow and huge clients: what another one asks for is answered, and memory stays
// bounded. It returns how many attacks there were, how many requests of the other customer, and the most memory.
func Clients(r *drill.Run, p Programs, faulty bool) (attacks, answered int, peak float64) {
	dir := filepath.Join(r.TempDir(), "release")
	_, err := servetest.Write(dir, servetest.Release{POIs: 20_000, Outline: 170_000})
	r.Must(err)
	d := p.start(r, faulty, map[string]account.Agreement{"mallory": {CustomGeographies: true}, "alice": {Rate: 100_000}}, "--release", dir)
	kinds := append([]attack.Attack(nil), attack.Huge...)
	for _, a := range attack.All {
		switch a.Name {
		case "never reading", "reading 1 kB a second", "many connections", "unfinished headers", "unfinished headers of 250 kB", "slow bodies":
			kinds = append(kinds, a)
		}
	}
	for ; attacks == 0 || r.More(attacks); attacks++ {
		if attacks%len(kinds) == 0 {
			r.Random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		}
		a := kinds[attacks%len(kinds)]
		if faulty {
			a = attack.All[6]
		}
		during, most := beside(r, p, d, a)
		if answered, peak = answered+len(during.Took), max(peak, most); during.Failed > 0 {
			r.Fatalf("%s: %d of %d requests of another customer failed: %s", a.Name, during.Failed, during.Failed+len(during.Took), during.First)
		}
		if most > memoryLimit {
			r.Fatalf("%s: %.0f MB of anonymous memory, at most %d", a.Name, most, memoryLimit)
		}
	}
	return attacks, answered, peak
}

// memoryLimit is the default of quartierd, in MB.
const memoryLimit = 512

// beside asks as one customer while another one attacks.
func beside(r *drill.Run, p Programs, d *daemon, a attack.Attack) (during attack.Experience, peak float64) {
	r.Must(fail.Try(func() {
		attacker := programs.Start(context.Background(), nil, "nice", "-n", "10", p.Self, "attack", a.Name, d.addr, d.tokens["mallory"])
		defer attacker.Stop()
		time.Sleep(min(a.Lead, r.Span/8))
		during = attack.Ask(d.addr, d.tokens["alice"], time.Second)
		peak = d.MemoryMB("RssAnon")
	}))
	return during, peak
}
