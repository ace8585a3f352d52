package serve_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve"
	"quartier/serve/servetest"
)

var swaps = flag.Int("swaps", 100, "`number` of releases that are swapped under load")

// swapped are the components of the publications that are swapped: other market alone, other places with all beside them,
// other private geographies, places with other positions of geographies, and places alone.
var swapped = [][]string{{"a", "ap", "a1"}, {"a", "ap", "a2"}, {"b", "bp", "b1"}, {"b", "bq", "b1"}, {"c", "c1"}, {"b"}}

// writeSwapped writes the components in a folder.
func writeSwapped(t *testing.T, root string) {
	t.Helper()
	for name, content := range map[string]servetest.Release{"a": {POIs: 400}, "b": {POIs: 500, AsOf: "2024-03-01"}, "c": {Sparse: true}} {
		_, err := servetest.Write(filepath.Join(root, name), content)
		must(t, err)
	}
	for name, day := range map[string]string{"a1": "2024-01-15", "a2": "2024-01-16", "b1": "2024-03-02", "c1": "2024-01-17"} {
		_, err := servetest.WriteMarket(filepath.Join(root, name), filepath.Join(root, name[:1]), servetest.Market{AsOf: day, Sparse: name == "c1"})
		must(t, err)
	}
}

// writeSwappedPrivate writes private geographies of the customer of the requests.
func writeSwappedPrivate(t *testing.T, root string) {
	t.Helper()
	for name, count := range map[string]int{"ap": 0, "bp": 1, "bq": 3} {
		all := servetest.PrivatePlaces("full", "a")
		_, err := servetest.WritePrivate(filepath.Join(root, name), filepath.Join(root, name[:1]), all[count:])
		must(t, err)
	}
}

// swapURLs are requests whose answers depend on one component or on several.
var swapURLs = []string{
	"/v3/geographies?" + north, "/v3/geographies?" + south, "/v3/geographies/" + servetest.NorthCity, "/v3/enhanced-pois?" + north + "&radius=25000",
	"/v3/scores?" + north, "/v3/demographics?" + north, "/v3/schools?" + north + "&radius=15000", "/v3/profiles/" + servetest.Borough,
	southStats, southStats + "?property_types=single_family&intervals=30d,60d,2023-12", "/v3/market-stats/status",
	"/v3/geographies?name=secret", "/v3/geographies/" + servetest.PrivatePlaces("full", "a")[1].ID, "/v3/scores/" + servetest.PrivatePlaces("full", "a")[2].ID,
}

// reply is all of an answer that depends on the release.
type reply struct {
	status    int
	tag, body string
}

func (a *api) reply(url string) reply {
	got := a.get("full", url)
	return reply{got.status, got.header.Get("ETag"), got.body}
}

// TestSwapUnderLoad swaps releases under requests: each answer is, byte for byte, one that a single publication gives, with
// its ETag, and what is not served any more is closed.
func TestSwapUnderLoad(t *testing.T) {
	a := &api{t: t, state: "sqlite:" + filepath.Join(t.TempDir(), "state.sqlite"), root: t.TempDir()}
	writeSwapped(t, a.root)
	writeSwappedPrivate(t, a.root)
	must(t, servetest.Publish(a.root, 1, swapped[0]...))
	a.serve(a.root)
	generation := int64(1)
	publish := func(components []string) {
		generation++
		must(t, servetest.Publish(a.root, generation, components...))
		must(t, a.releases.Reload(t.Context()))
	}
	valid, tags := map[string]map[reply]bool{}, map[string]reply{}
	for _, components := range swapped {
		publish(components)
		for _, url := range swapURLs {
			got := a.reply(url)
			if valid[url] == nil {
				valid[url] = map[reply]bool{}
			}
			if known, ok := tags[url+got.tag]; ok && got.tag != "" && known != got {
				t.Fatalf("%s: one ETag for two answers", url)
			}
			valid[url][got], tags[url+got.tag] = true, got
		}
	}
	for _, url := range swapURLs {
		if len(valid[url]) < 2 {
			t.Fatalf("%s has the same answer from all releases", url)
		}
	}
	var asked atomic.Int64
	stop := make(chan struct{})
	var callers sync.WaitGroup
	for worker := range 3 {
		callers.Go(func() {
			for i := worker; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				url := swapURLs[i%len(swapURLs)]
				if got := a.reply(url); !valid[url][got] {
					t.Errorf("%s: %d %s %.200s is the answer of no release", url, got.status, got.tag, got.body)
					return
				}
				asked.Add(1)
			}
		})
	}
	for i := range *swaps {
		before := asked.Load()
		publish(swapped[i%len(swapped)])
		a.wantServed(generation, swapped[i%len(swapped)])
		testenv.Eventually(t, "requests run beside the swap", func() bool { return asked.Load() > before || t.Failed() })
	}
	close(stop)
	callers.Wait()
	last := swapped[(*swaps-1)%len(swapped)]
	packs := map[int]int{1: 7, 2: 8, 3: 13}[len(last)]
	a.wantHeld(held{packs, packs})
	a.releases.Close()
	a.wantHeld(held{})
}

// wantServed compares /readyz with what is published.
func (a *api) wantServed(generation int64, components []string) {
	a.t.Helper()
	got := a.get("", "/readyz")
	ready := decode[serve.Readiness](a.t, got.body)
	if got.status != 200 || ready.Generation != generation || len(ready.Components) != len(components) || !*ready.Verified {
		a.t.Fatalf("generation %d of %v: %d %s", generation, components, got.status, got.body)
	}
	p, err := schemas.ReadPointer(a.root)
	must(a.t, err)
	for i, c := range ready.Components {
		if c.Name != p.Components[i].Name || c.Digest != p.Components[i].Digest || c.AsOf != p.Components[i].AsOf || c.Status != "served" {
			a.t.Fatalf("%+v is served, %+v published", c, p.Components[i])
		}
	}
}

// wantHeld waits until the process has so much of the folder.
func (a *api) wantHeld(want held) {
	a.t.Helper()
	var got held
	defer func() {
		if got != want {
			a.t.Logf("%d mappings and %d descriptors are open, want %d and %d", got.maps, got.files, want.maps, want.files)
		}
	}()
	testenv.Eventually(a.t, "what is not served is closed", func() bool {
		got = openUnder(a.t, a.root)
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
	must(t, err)
	for _, e := range entries {
		if target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%s", e.Name())); err == nil && strings.HasPrefix(target, root+"/") {
			h.files++
		}
	}
	return h
}
