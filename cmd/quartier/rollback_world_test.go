package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas"
)

// TestRollbackUnderLoad publishes the next release of the towns while a server answers, and rolls it back, several times:
// no request fails, and each answer is that of one of the two releases.
func TestRollbackUnderLoad(t *testing.T) {
	towns, root := townsDir(t), t.TempDir()
	for name, target := range map[string]string{"first": filepath.Join(towns, "first"), "next": filepath.Join(towns, "next"),
		"market": filepath.Join(publishedTowns(t), "market")} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, "publish", "--releases", root, "--market", filepath.Join(root, "market"), "first")
	s := startServer(t, root)
	_, token := s.account(t, "--rate", "1000000")
	targets := rollbackTargets(t, filepath.Join(towns, "first"))
	valid := map[string]map[string]bool{}
	learn := func() {
		for _, target := range targets {
			if valid[target] == nil {
				valid[target] = map[string]bool{}
			}
			valid[target][s.whole(t, token, target)] = true
		}
	}
	learn()
	mustRun(t, append([]string{"publish", "--releases", root}, append(trippedGates(t, root, "next"), "next")...)...)
	s.awaitGeneration(t, 2)
	learn()
	different := 0
	for _, target := range targets {
		different += len(valid[target]) - 1
	}
	if different < len(targets)/2 {
		t.Fatalf("%d of %d answers differ between the releases", different, len(targets))
	}
	var asked atomic.Int64
	stop := make(chan struct{})
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			for i := caller; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				target := targets[i%len(targets)]
				if got := s.whole(t, token, target); !valid[target][got] {
					t.Errorf("%s: the answer of no release: %.300s", target, got)
					return
				}
				asked.Add(1)
			}
		})
	}
	for generation := int64(3); generation <= 6; generation++ { // after a rollback to one, a rollback to the other
		mustRun(t, "rollback", "--releases", root, "--to", fmt.Sprint(generation-2))
		s.awaitGeneration(t, generation)
		before := asked.Load()
		testenv.Eventually(t, "requests run after the swap", func() bool { return asked.Load() >= before+100 || t.Failed() })
	}
	close(stop)
	callers.Wait()
	t.Logf("%d requests, none failed", asked.Load())
}

// trippedGates are the arguments that accept the gates which hold back a release.
func trippedGates(t *testing.T, root, name string) (args []string) {
	t.Helper()
	code, _, errs := quartier("publish", "--releases", root, name)
	if code != exitGate {
		t.Fatalf("exit code %d\n%s", code, errs)
	}
	for _, part := range strings.Split(errs, "--accept '")[1:] {
		gate, _, _ := strings.Cut(part, "=")
		args = append(args, "--accept", gate+"=a test")
	}
	return args
}

// rollbackTargets are requests about geographies, places and the market of the first release.
func rollbackTargets(t *testing.T, release string) (targets []string) {
	t.Helper()
	for _, row := range rows(t, filepath.Join(release, schemas.GeographiesFile),
		"SELECT geog_id, centroid_lat, centroid_lng FROM geography WHERE level IN (10, 20, 30) ORDER BY geog_id LIMIT 12") {
		at := fmt.Sprintf("lat=%s&lng=%s", row[1], row[2])
		targets = append(targets, "/v3/geographies/"+row[0], "/v3/geographies?"+at, "/v3/enhanced-pois?radius=500&"+at,
			"/v3/enhanced-pois/"+row[0], "/v3/scores?"+at, "/v3/market-stats/"+row[0])
	}
	return targets
}

// whole is the status and the body of an answer.
func (s *server) whole(t *testing.T, token, target string) string {
	request, err := http.NewRequest(http.MethodGet, s.base+target, nil)
	if err != nil {
		t.Error(err)
		return ""
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	if answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests {
		t.Errorf("%s: %d %s", target, answer.StatusCode, body)
	}
	return fmt.Sprintf("%d %s %s", answer.StatusCode, answer.Header.Get("ETag"), body)
}

// awaitGeneration waits until the server serves a generation.
func (s *server) awaitGeneration(t *testing.T, generation int64) {
	t.Helper()
	var ready struct{ Generation int64 }
	testenv.Eventually(t, fmt.Sprintf("generation %d is served", generation), func() bool {
		answer, err := http.Get(s.base + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&ready); err != nil {
			t.Fatal(err)
		}
		return ready.Generation == generation
	})
}
