package processes

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"quartier/internal/drill"
	"quartier/serve/account"
	"quartier/serve/servetest"
)

const (
	overloadRate  = 200 // requests a second of the customer
	overloadSpan  = 2 * time.Second
	recoveredIn   = 5 * time.Second
	overloadSlots = 4 // requests at once of the server

	at = "lat=45.2&lng=-72.8" // in the north of the small world
)

// tally counts answers by status.
type tally struct {
	mu       sync.Mutex
	statuses map[int]int
	first    string // wrong answer
	took     time.Duration
}

func (t *tally) add(client *http.Client, d *daemon, token, target string) (status int) {
	status, wrong := 0, ""
	request, _ := http.NewRequest(http.MethodGet, "http://"+d.addr+target, nil)
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := client.Do(request)
	switch {
	case err != nil:
		wrong = err.Error()
	default:
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		status = answer.StatusCode
		shed := status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
		if status != http.StatusOK && !shed || shed && answer.Header.Get("Retry-After") == "" {
			wrong = fmt.Sprintf("%d, Retry-After %q", status, answer.Header.Get("Retry-After"))
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.statuses[status]++
	if wrong != "" && t.first == "" {
		t.first = wrong
	}
	return status
}

// Overload asks a server for two and for ten times what it gives: by rate, and by requests at once. It sheds with 429 or 503 and
// Retry-After, goes on to answer what it can, and is as before within five seconds. It returns how often, and how many requests were
// answered and shed.
func Overload(r *drill.Run, p Programs, faulty bool) (times, answered, shed int) {
	dir := filepath.Join(r.TempDir(), "release")
	_, err := servetest.Write(dir, servetest.Release{POIs: 20_000})
	r.Must(err)
	d := p.start(r, faulty, map[string]account.Agreement{"metered": {Rate: overloadRate}, "busy": {Rate: 10_000_000}}, "--release", dir,
		"--in-flight", fmt.Sprint(overloadSlots))
	for ; times < 4 || r.More(times); times++ {
		factor, byRate := []int{2, 10}[times%2], times/2%2 == 0
		o := load{customer: "metered", callers: 4 * factor, every: time.Second * 4 / overloadRate}
		if !byRate {
			o = load{customer: "busy", callers: overloadSlots * factor}
		}
		got := overload(r, d, o)
		answered, shed = answered+got.statuses[200], shed+got.statuses[429]+got.statuses[503]
		what := fmt.Sprintf("%d times the capacity by rate (%v)", factor, byRate)
		if got.first != "" {
			r.Fatalf("%s: %s; by status %v", what, got.first, got.statuses)
		}
		if got.statuses[200] == 0 {
			r.Fatalf("%s: nothing was answered: by status %v", what, got.statuses)
		}
		if byRate {
			limited(r, what, got)
		}
		recovers(r, d, what)
	}
	return times, answered, shed
}

// limited checks that no more was answered than the rate and a burst, and that the rest was refused: a machine that is busy with
// other work may not have sent more than that.
func limited(r *drill.Run, what string, got *tally) {
	most := overloadRate + int(1.1*overloadRate*got.took.Seconds())
	if got.statuses[200] > most {
		r.Fatalf("%s: %d requests were answered within %v, at most %d: by status %v", what, got.statuses[200], got.took, most, got.statuses)
	}
	sent := 0
	for _, n := range got.statuses {
		sent += n
	}
	if sent > most+got.statuses[503] && got.statuses[429] == 0 {
		r.Fatalf("%s: none of %d requests was refused by 429: by status %v", what, sent, got.statuses)
	}
}

// load is what callers of a customer ask for.
type load struct {
	customer string
	callers  int
	every    time.Duration // between requests of one caller; 0: none
}

// overload asks for a time.
func overload(r *drill.Run, d *daemon, o load) *tally {
	got := &tally{statuses: map[int]int{}}
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: o.callers}}
	defer client.CloseIdleConnections()
	begun := time.Now()
	end := begun.Add(min(overloadSpan, max(overloadSpan/2, r.Span/8)))
	var callers sync.WaitGroup
	for range o.callers {
		callers.Go(func() {
			for due := time.Now(); due.Before(end) && time.Now().Before(end); {
				got.add(client, d, d.tokens[o.customer], "/v3/enhanced-pois?limit=500&radius=25000&"+at)
				if o.every > 0 {
					due = due.Add(o.every)
					time.Sleep(time.Until(due))
				}
			}
		})
	}
	callers.Wait()
	got.took = time.Since(begun)
	return got
}

// recovers waits until twenty requests one after the other are answered.
func recovers(r *drill.Run, d *daemon, what string) {
	begun, row := time.Now(), 0
	got := &tally{statuses: map[int]int{}}
	for row < 20 {
		if row++; got.add(http.DefaultClient, d, d.tokens["metered"], "/v3/geographies?"+at) != http.StatusOK {
			row = 0
		}
		if time.Since(begun) > recoveredIn+time.Second {
			r.Fatalf("%s: not as before after %v: by status %v", what, recoveredIn, got.statuses)
		}
		time.Sleep(2 * time.Second / overloadRate)
	}
}
