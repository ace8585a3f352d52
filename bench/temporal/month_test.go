package temporal

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestMonth is the update of a month on real programs: four workers build it in a bucket of versitygw, by Temporal's server on
// PostgreSQL, while every ten seconds a worker, the server, its database or the store is killed. Three servers that followed the release
// before follow it. No request fails, every step is recorded once, and the release is that of one machine.
func TestMonth(t *testing.T) {
	gateway, err := exec.LookPath("versitygw")
	if err != nil {
		t.Skip("versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	}
	quartier, err := filepath.Abs(*program)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	run := func(args ...string) string { t.Helper(); return output(t, exec.Command(quartier, args...)) }
	store := bucket(t, gateway, at("buckets"))
	run("fixtures", "--out", at("one"), "--scale", "21", "--regions", "4")
	next := at("one/month.yaml")
	changed(t, next)
	run("build", "--release", at("one/release.yaml"), "--out", at("before"))
	month := []string{"--previous", at("before"), "--accept", "retired_ids.10=boundaries of the year", "--accept",
		"replaced_ids.10=boundaries of the year"}
	run(append([]string{"build", "--release", next, "--out", at("after")}, month...)...)
	digest := regexp.MustCompile(`[0-9a-f]{64}`).FindString(run("push", at("after"), at("alone")))
	run("push", at("before"), "s3://quartier/served", "--publish")
	servers, ask := serveStore(t, quartier, dir)

	temporal := startCluster(t)
	kinds := map[string][]*machine{"server": {temporal.server}, "database": {temporal.database}, "store": {store}}
	for range *workers {
		kinds["worker"] = append(kinds["worker"], worker(t, temporal.address, "default", quartier))
	}
	work := []string{"--release", next, "--work", "s3://quartier/steps"}
	begun, ended := time.Now(), make(chan string, 1)
	go func() {
		out, err := exec.Command(*fleet, slices.Concat([]string{"coordinate", "--address", temporal.address, "--quartier", quartier,
			"--tries", "20", "--lost-after", "5s"}, work, []string{"--"}, month)...).CombinedOutput()
		if err == nil {
			out = nil
		}
		ended <- string(out)
	}()
	killed := killAll(t, kinds, ended)
	built := time.Since(begun)
	for _, s := range planned(t, run(slices.Concat([]string{"step", "plan", "--json"}, work, month)...)) {
		if records, _ := filepath.Glob(at("buckets/quartier/steps/steps/" + s.ID + "/*")); len(records) != 1 {
			t.Errorf("%s has the records %q", s.ID, records)
		}
	}
	run("pull", "s3://quartier/steps", at("pulled"), "--release", digest) // fails unless the workers' release is that of one machine
	found, err := filepath.Glob(at("pulled/places-*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	run("push", found[0], "s3://quartier/served", "--publish")
	published := time.Now()
	for _, server := range servers {
		for !strings.Contains(get(server+"/readyz"), `"served":"`+digest+`"`) {
			if time.Since(published) > patience {
				t.Fatalf("%s does not serve the update: %s", server, get(server+"/readyz"))
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	asked, failed := ask()
	t.Logf("built in %.1f s with %v killed, served by all after %.1f s; %d of %d requests failed", built.Seconds(), killed,
		time.Since(published).Seconds(), failed, asked)
	if failed > 0 || asked < 100 {
		t.Errorf("%d of %d requests failed", failed, asked)
	}
	if len(killed) < len(kinds) {
		t.Error("the update ended before each of them was killed")
	}
}

// changed writes the release file of the next month: the regions of the border changed, those of the extra towns did not.
func changed(t *testing.T, path string) {
	t.Helper()
	text := "release: fixture\nregions:\n"
	for _, pattern := range []string{"next/regions/*.yaml", "regions/*-towns-*.yaml"} {
		found, err := filepath.Glob(filepath.Join(filepath.Dir(path), pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range found {
			text += "  - " + name + "\n"
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// killAll kills something of each kind in turn, in an order of the seed, until the coordinator has ended, and returns how many of each.
func killAll(t *testing.T, kinds map[string][]*machine, ended <-chan string) map[string]int {
	random, killed, names := rand.New(rand.NewPCG(*seed, 1)), map[string]int{}, slices.Sorted(maps.Keys(kinds))
	for i := 0; ; i++ {
		if i%len(names) == 0 {
			random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		}
		select {
		case failed := <-ended:
			if failed != "" {
				t.Fatal(failed)
			}
			return killed
		case <-time.After(10 * time.Second):
		}
		name := names[i%len(names)]
		one := kinds[name][random.IntN(len(kinds[name]))]
		if one.kill(); name == "store" {
			time.Sleep(time.Duration(1+random.IntN(5)) * time.Second)
		}
		one.start()
		killed[name]++
	}
}

// planned reads the steps that quartier step plan prints.
func planned(t *testing.T, printed string) (all []step) {
	for lines := json.NewDecoder(strings.NewReader(printed)); lines.More(); {
		var s step
		if err := lines.Decode(&s); err != nil {
			t.Fatalf("%v in\n%s", err, printed)
		}
		all = append(all, s)
	}
	return all
}

// bucket serves the bucket quartier, whose endpoint and credentials are in the environment of the test.
func bucket(t *testing.T, gateway, root string) *machine {
	if err := os.MkdirAll(filepath.Join(root, "quartier"), 0o755); err != nil {
		t.Fatal(err)
	}
	address := free(t)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": "http://" + address, "AWS_ACCESS_KEY_ID": "theKeyId",
		"AWS_SECRET_ACCESS_KEY": "theSecret", "AWS_REGION": "us-east-1"} {
		t.Setenv(name, value)
	}
	return launch(t, "versitygw", func() bool { return get("http://"+address) != "" }, func() *exec.Cmd {
		return exec.Command(gateway, "--port", address, "--access", "theKeyId", "--secret", "theSecret", "--quiet", "posix", root)
	})
}

// serveStore starts three servers of the store and asks them for scores all the time; ask ends that, and returns how many requests there
// were and how many were not answered.
func serveStore(t *testing.T, quartier, dir string) (servers []string, ask func() (asked, failed int64)) {
	state := "sqlite:" + filepath.Join(dir, "state.sqlite")
	out, err := exec.Command(quartier, "account", "create", "--state", state, "--customer", "drill", "--rate", "100000").Output()
	var account struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	if err == nil {
		err = json.Unmarshal(out, &account)
	}
	if err != nil {
		t.Fatalf("account create: %v\n%s", err, out)
	}
	for i := range 3 {
		address := free(t)
		servers = append(servers, "http://"+address)
		ready := func() bool { return strings.Contains(get(servers[i]+"/readyz"), `"status":"ready"`) }
		launch(t, "quartierd", ready, func() *exec.Cmd {
			return exec.Command(filepath.Join(filepath.Dir(quartier), "quartierd"), "--releases", "s3://quartier/served", "--cache",
				filepath.Join(dir, fmt.Sprint("cache", i)), "--roll", "3s", "--state", state, "--addr", address, "--access-log=false")
		})
	}
	var token struct {
		Access string `json:"access_token"`
	}
	answer, err := http.Post(servers[0]+"/oauth/token", "application/json", strings.NewReader(string(out)))
	if err == nil {
		err = json.NewDecoder(answer.Body).Decode(&token)
	}
	if err != nil || token.Access == "" {
		t.Fatalf("no token: %v", err)
	}
	var asked, failed atomic.Int64
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			request, _ := http.NewRequest(http.MethodGet, servers[i%len(servers)]+"/v3/scores?lat=45.0341&lng=-72.6168", nil)
			request.Header.Set("Authorization", "Bearer "+token.Access)
			answer, err := http.DefaultClient.Do(request)
			asked.Add(1)
			if err != nil || answer.StatusCode != http.StatusOK {
				failed.Add(1)
			}
			if err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}
	}()
	return servers, func() (int64, int64) {
		close(stop)
		<-stopped
		return asked.Load(), failed.Load()
	}
}

// free is an address of loopback that nobody listens at.
func free(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// get is the body of an answer; "" where there is none.
func get(url string) string {
	answer, err := http.Get(url)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return string(body)
}
