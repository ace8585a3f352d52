package drill

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/monitor"
	"quartier/serve/servetest"
)

// Swapped are the components of the publications that are swapped: other market alone, other places with all beside them,
// other private geographies, places with other positions of geographies, and places alone.
var Swapped = [][]string{{"a", "ap", "a1"}, {"a", "ap", "a2"}, {"b", "bp", "b1"}, {"b", "bq", "b1"}, {"c", "c1"}, {"b"}}

// WriteSwapped writes the components of Swapped in a folder.
func WriteSwapped(root string) error {
	for name, content := range map[string]servetest.Release{"a": {POIs: 400}, "b": {POIs: 500, AsOf: "2024-03-01"}, "c": {Sparse: true}} {
		if _, err := servetest.Write(filepath.Join(root, name), content); err != nil {
			return err
		}
	}
	for name, day := range map[string]string{"a1": "2024-01-15", "a2": "2024-01-16", "b1": "2024-03-02", "c1": "2024-01-17"} {
		if _, err := servetest.WriteMarket(filepath.Join(root, name), filepath.Join(root, name[:1]),
			servetest.Market{AsOf: day, Sparse: name == "c1"}); err != nil {
			return err
		}
	}
	for name, count := range map[string]int{"ap": 0, "bp": 1, "bq": 3} { // of the customer of the requests
		all := servetest.PrivatePlaces("full", "a")
		if _, err := servetest.WritePrivate(filepath.Join(root, name), filepath.Join(root, name[:1]), all[count:]); err != nil {
			return err
		}
	}
	return nil
}

const (
	north = "lat=45.2&lng=-72.8"
	south = "lat=44.8&lng=-72.8"
)

// swapURLs are requests whose answers depend on one component or on several.
var swapURLs = []string{
	"/v3/geographies?" + north, "/v3/geographies?" + south, "/v3/geographies/" + servetest.NorthCity,
	"/v3/enhanced-pois?" + north + "&radius=25000",
	"/v3/scores?" + north, "/v3/demographics?" + north, "/v3/schools?" + north + "&radius=15000", "/v3/profiles/" + servetest.Borough,
	"/v3/market-stats/" + servetest.SouthOld,
	"/v3/market-stats/" + servetest.SouthOld + "?property_types=single_family&intervals=30d,60d,2023-12", "/v3/market-stats/status",
	"/v3/geographies?name=secret", "/v3/geographies/" + servetest.PrivatePlaces("full", "a")[1].ID,
	"/v3/scores/" + servetest.PrivatePlaces("full", "a")[2].ID,
}

// reply is all of an answer that depends on the release.
type reply struct {
	status    int
	tag, body string
}

// swap is a server whose releases are swapped.
type swap struct {
	*Run
	*Server
	root       string
	generation int64
	valid      map[string]map[reply]bool // answers by request
}

func (s *swap) reply(url string) reply {
	got := s.Get("full", url)
	return reply{got.Status, got.Header.Get("ETag"), got.Body}
}

func (s *swap) publish(components []string) {
	s.generation++
	s.Must(servetest.Publish(s.root, s.generation, components...))
	s.Must(s.Releases.Reload(s.Context()))
}

// learn records the answers of each publication.
func (s *swap) learn() {
	tags := map[string]reply{}
	for _, components := range Swapped {
		s.publish(components)
		for _, url := range swapURLs {
			got := s.reply(url)
			if s.valid[url] == nil {
				s.valid[url] = map[reply]bool{}
			}
			if known, ok := tags[url+got.tag]; ok && got.tag != "" && known != got {
				s.Fatalf("%s: one ETag for two answers", url)
			}
			s.valid[url][got], tags[url+got.tag] = true, got
		}
	}
	for _, url := range swapURLs {
		if len(s.valid[url]) < 2 {
			s.Fatalf("%s has the same answer from all releases", url)
		}
	}
}

// Swaps swaps releases under requests: each answer is, byte for byte, one that a single publication gives, with its ETag, and what
// is not served any more is closed. It returns how many swaps and requests there were.
func Swaps(r *Run, wrap Wrap) (swaps int, requests int64) {
	s := &swap{Run: r, root: r.TempDir(), valid: map[string]map[reply]bool{}}
	r.Must(WriteSwapped(s.root))
	s.Must(servetest.Publish(s.root, 1, Swapped[0]...))
	s.Server, s.generation = Start(r, "sqlite:"+filepath.Join(r.TempDir(), "state.sqlite"), s.root, slog.New(slog.DiscardHandler), Agreements),
		1
	s.learn()
	s.Handler = wrap.around(s.Handler)
	var asked atomic.Int64
	stop := make(chan struct{})
	var callers sync.WaitGroup
	for worker := range 3 {
		callers.Go(func() { s.call(worker, &asked, stop) })
	}
	end := sync.OnceFunc(func() {
		close(stop)
		callers.Wait()
	})
	defer end()
	last := 0
	for ; (swaps == 0 || r.More(swaps)) && !r.Failed(); swaps++ {
		before := asked.Load()
		last = (last + 1 + r.Random.IntN(len(Swapped)-1)) % len(Swapped)
		s.publish(Swapped[last])
		s.wantServed(Swapped[last])
		testenv.Eventually(r, "requests run beside the swap", func() bool { return asked.Load() > before || r.Failed() })
	}
	end()
	if r.Failed() {
		return swaps, asked.Load()
	}
	packs := 0
	for _, name := range Swapped[last] {
		files, err := filepath.Glob(filepath.Join(s.root, name, "*.pack"))
		r.Must(err)
		packs += len(files)
	}
	s.wantHeld(held{packs, packs})
	s.Releases.Close()
	s.wantHeld(held{})
	return swaps, asked.Load()
}

// call sends requests until it is stopped.
func (s *swap) call(worker int, asked *atomic.Int64, stop chan struct{}) {
	for i := worker; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		url := swapURLs[i%len(swapURLs)]
		if got := s.reply(url); !s.valid[url][got] {
			s.Errorf("%s: %d %s %.200s is the answer of no release", url, got.status, got.tag, got.body)
			return
		}
		asked.Add(1)
	}
}

// wantServed compares /readyz with what is published.
func (s *swap) wantServed(components []string) {
	s.Helper()
	got := s.Get("", "/readyz")
	var ready monitor.Readiness
	s.Must(json.Unmarshal([]byte(got.Body), &ready))
	if got.Status != 200 || ready.Generation != s.generation || len(ready.Components) != len(components) || !*ready.Verified {
		s.Fatalf("generation %d of %v: %d %s", s.generation, components, got.Status, got.Body)
	}
	p, err := schemas.ReadPointer(s.root)
	s.Must(err)
	for i, c := range ready.Components {
		if c.Name != p.Components[i].Name || c.Digest != p.Components[i].Digest || c.AsOf != p.Components[i].AsOf || c.Status != "served" {
			s.Fatalf("%+v is served, %+v published", c, p.Components[i])
		}
	}
}

// wantHeld waits until the process has so much of the folder.
func (s *swap) wantHeld(want held) {
	s.Helper()
	var got held
	defer func() {
		if got != want {
			s.Logf("%d mappings and %d descriptors are open, want %d and %d", got.maps, got.files, want.maps, want.files)
		}
	}()
	testenv.Eventually(s, "what is not served is closed", func() bool {
		got = openUnder(s, s.root)
		return got == want
	})
}

// held is what a process has of a folder.
type held struct{ maps, files int }

// openUnder counts the mappings and descriptors of files below a folder.
func openUnder(t testing.TB, root string) held {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("/proc is absent")
	}
	h := held{maps: strings.Count(string(maps), root+"/")}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%s", e.Name())); err == nil && strings.HasPrefix(target, root+"/") {
			h.files++
		}
	}
	return h
}

// Mixed is a planted fault: one of two hundred answers has the ETag of the one before it.
func Mixed(right http.Handler) http.Handler {
	n, before := 0, ""
	return altering(right, func(a *Answer) {
		tag := a.Header.Get("ETag")
		if n++; n%200 == 0 {
			a.Header.Set("ETag", before)
		}
		before = tag
	})
}
