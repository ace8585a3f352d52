package processes

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"quartier/internal/drill"
	"quartier/serve/account"
	"quartier/serve/servetest"
)

// What a server takes is flat where the median of the last quarter of the time is at most that of the third quarter and this much
// more: a tenth, and what a garbage collector or a burst of connections makes of it.
const (
	flatShare       = 0.10
	flatMB          = 16
	flatGoroutines  = 20
	flatDescriptors = 20
)

// Curves are what a server took by time.
type Curves struct{ samples []sample }

// quantities are those that must be flat.
var quantities = []struct {
	name, unit string
	more       float64
	of         func(sample) float64
}{
	{"resident memory", " MB", flatMB, func(s sample) float64 { return s.resident }},
	{"anonymous memory", " MB", flatMB, func(s sample) float64 { return s.anonymous }},
	{"goroutines", "", flatGoroutines, func(s sample) float64 { return float64(s.goroutines) }},
	{"descriptors", "", flatDescriptors, func(s sample) float64 { return float64(s.descriptors) }},
}

// median is that of a quantity over a part of the samples, from and to in shares of their number.
func (c *Curves) median(of func(sample) float64, from, to float64) float64 {
	n := float64(len(c.samples))
	var values []float64
	for _, s := range c.samples[int(from*n):int(to*n)] {
		values = append(values, of(s))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// growth says what is not flat in the second half; "" if all is.
func (c *Curves) growth() string {
	if len(c.samples) < 8 {
		return fmt.Sprintf("only %d samples", len(c.samples))
	}
	var found []string
	for _, q := range quantities {
		before, after := c.median(q.of, 0.5, 0.75), c.median(q.of, 0.75, 1)
		if most := before*(1+flatShare) + q.more; after > most {
			found = append(found, fmt.Sprintf("%s grew from %.0f to %.0f%s, at most %.0f", q.name, before, after, q.unit, most))
		}
	}
	return strings.Join(found, "; ")
}

// Summary has the medians of the third and the last quarter.
func (c *Curves) Summary() string {
	var list []string
	for _, q := range quantities {
		list = append(list, fmt.Sprintf("%s %.0f → %.0f%s", q.name, c.median(q.of, 0.5, 0.75), c.median(q.of, 0.75, 1), q.unit))
	}
	return strings.Join(list, ", ")
}

// Served is what Serving did.
type Served struct {
	Requests, Swaps int64
	Curves
}

// Serving sends requests of all kinds to a server whose releases are swapped every second: none is answered with a 5xx, and memory,
// goroutines and descriptors are flat over the second half of the time.
func Serving(r *drill.Run, p Programs, faulty bool) (done *Served) {
	done = new(Served)
	root := r.TempDir()
	r.Must(drill.WriteSwapped(root))
	r.Must(servetest.Publish(root, 1, drill.Swapped[0]...))
	contract := drill.NewContract(r, []byte(r.StartWorld(nil).Get("", "/openapi.json").Body))
	d := p.start(r, faulty, map[string]account.Agreement{"full": {CustomGeographies: true, Rate: 10_000_000}}, "--releases", root)
	ctx, stop := context.WithTimeout(r.Context(), r.Span)
	defer stop()
	var running sync.WaitGroup
	defer running.Wait()
	for range 3 {
		drawer := drill.NewDrawer(contract, rand.New(rand.NewPCG(r.Random.Uint64(), 1)))
		running.Go(func() { ask(r, ctx, d, drawer, &done.Requests) })
	}
	begun := time.Now()
	tick := time.NewTicker(max(50*time.Millisecond, r.Span/500))
	defer tick.Stop()
	next := begun.Add(time.Second)
	for ctx.Err() == nil && !r.Failed() {
		select {
		case <-ctx.Done():
			continue
		case <-tick.C:
		}
		s, err := d.sample(begun)
		r.Must(err)
		done.samples = append(done.samples, s)
		if time.Now().After(next) && !faulty {
			next = time.Now().Add(time.Second)
			swap(r, d, root, done)
		}
	}
	stop()
	running.Wait()
	if grown := done.growth(); grown != "" && !r.Failed() {
		r.Fatalf("%s", grown)
	}
	return done
}

// swap publishes a drawn release and waits until it is served.
func swap(r *drill.Run, d *daemon, root string, done *Served) {
	generation := done.Swaps + 2
	r.Must(servetest.Publish(root, generation, drill.Pick(r.Random, drill.Swapped)...))
	r.Must(d.Command.Process.Signal(syscall.SIGHUP))
	for begun := time.Now(); d.generation() != generation; time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			r.Fatalf("generation %d is not served after a minute", generation)
		}
	}
	done.Swaps++
}

// ask sends requests until ctx ends, with a pause after each, so that the machine is not full.
func ask(r *drill.Run, ctx context.Context, d *daemon, drawer *drill.Drawer, asked *int64) {
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		drawn := drawer.Draw(false)
		request, err := http.NewRequest(drawn.Method, "http://"+d.addr+drawn.Target, strings.NewReader(drawn.Body))
		if err != nil {
			continue // not to be sent by a client
		}
		request.Header.Set("Authorization", "Bearer "+d.tokens["full"])
		request.Header.Set("Accept-Encoding", drill.Pick(drawer.Random, []string{"gzip", "zstd", "identity"}))
		if drawn.Body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		answer, err := client.Do(request)
		if err != nil {
			r.Errorf("%s %.200s: %v", drawn.Method, drawn.Target, err)
			return
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		atomic.AddInt64(asked, 1)
		// Without a component of market or private geographies their requests are answered with 503.
		absent := answer.StatusCode == http.StatusServiceUnavailable &&
			(strings.Contains(drawn.Target, "/market-stats/") || strings.Contains(drawn.Target, "/data?"))
		if answer.StatusCode >= 500 && !absent {
			r.Errorf("%s %.200s: %d", drawn.Method, drawn.Target, answer.StatusCode)
			return
		}
		time.Sleep(time.Millisecond)
	}
}
