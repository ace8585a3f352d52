package attack_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quartier/bench/attack"
	"quartier/internal/drill"
	"quartier/serve/servetest"
)

// TestAttacksAreWhatTheySay sends the requests of attacks over one connection: those of a customer are not refused before they
// cost something.
func TestAttacksAreWhatTheySay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "release")
	if _, err := servetest.Write(dir, servetest.Release{POIs: 1000, Outline: 20_000}); err != nil {
		t.Fatal(err)
	}
	s := drill.Start(t, "sqlite:"+filepath.Join(t.TempDir(), "state.sqlite"), dir, slog.New(slog.DiscardHandler), drill.Agreements)
	statuses := make(chan int, 1000)
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		noted := &noting{ResponseWriter: w}
		s.Handler.ServeHTTP(noted, r)
		select {
		case statuses <- noted.status:
		default:
		}
	}))
	web.Config.MaxHeaderBytes = 32 << 10
	web.Start()
	t.Cleanup(web.Close)
	addr := strings.TrimPrefix(web.URL, "http://")
	for _, want := range []struct {
		status int
		names  []string
	}{
		{200, []string{"edits of one request", "edits of the largest boundaries", "pipelined requests", "1,000 ranges", "conditions of 4 kB",
			"fields of 30 kB without a limit",
			"4,000 header fields", "lists by a part of names", "last pages of lists", "events from the first",
			"statuses with boundaries of 100,000 characters",
			"pages of 1,000 addresses", "the document of 1,000 addresses", "pipelined requests of 1,000 addresses",
			"twelve that edit", "twelve with lists", "twelve with polygons of their own", "twelve with everything within 25 km",
			"twelve with people within 28 km", "twelve with snapshots",
			"names like many others", "names of letters that become eighteen", "names of marks", "twelve with names"}},
		{201, []string{"largest boundaries that are accepted", "requests that are made and removed", "one idempotency key",
			"twelve with the largest boundaries"}},
		{400, []string{"bodies in chunks of a byte"}},
		{401, []string{"token requests of 1,000 addresses"}},
		{403, []string{"tokens of 30 kB", "forged tokens of 1,000 addresses", "OPTIONS of 1,000 addresses"}},
		{404, []string{"paths that are not there of 1,000 addresses"}},
	} {
		for _, name := range want.names {
			all := slices.Concat(attack.All, attack.Scattered, attack.Together)
			a := all[slices.IndexFunc(all, func(a attack.Attack) bool { return a.Name == name })]
			for len(statuses) > 0 {
				<-statuses
			}
			go a.Connect(addr, s.Tokens["full"])
			var seen []int
			for timeout := time.After(5 * time.Second); !slices.Contains(seen, want.status); {
				select {
				case status := <-statuses:
					if len(seen) < 8 {
						seen = append(seen, status)
					}
					continue
				case <-timeout:
					t.Errorf("%s is answered %v, want %d", name, seen, want.status)
				}
				break
			}
			web.CloseClientConnections()
		}
	}
}

// noting notes the status of an answer.
type noting struct {
	http.ResponseWriter
	status int
}

func (n *noting) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}

// TestNamed: an unknown name is of no attack, so that nothing is measured over none.
func TestNamed(t *testing.T) {
	all := len(attack.All) + len(attack.Scattered) + len(attack.Together)
	for part, want := range map[string]int{"": all, "deep polygons": 0, "slow bodies": 1} {
		if got := attack.Named(part); len(got) != want {
			t.Errorf("%d attacks of %q, want %d", len(got), part, want)
		}
	}
}
