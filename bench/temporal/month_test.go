package temporal

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.temporal.io/server/temporaltest"
)

// TestMonth is the update of a month: four workers build it in a bucket of versitygw, one of them is killed every ten seconds, and three
// servers that followed the release before follow it. No request fails, and the release is that of one machine.
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
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(quartier, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("quartier %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	bucket(t, gateway, at("buckets"))
	run("fixtures", "--out", at("one"))
	run("build", "--release", at("one/release.yaml"), "--out", at("before"))
	month := []string{"--previous", at("before"), "--accept", "retired_ids.10=boundaries of the year", "--accept",
		"replaced_ids.10=boundaries of the year"}
	run(append([]string{"build", "--release", at("one/next/release.yaml"), "--out", at("after")}, month...)...)
	digest := regexp.MustCompile(`[0-9a-f]{64}`).FindString(run("push", at("after"), at("alone")))
	run("push", at("before"), "s3://quartier/served", "--publish")
	servers, ask := serveStore(t, quartier, dir)

	temporal := temporaltest.NewServer()
	t.Cleanup(temporal.Stop)
	address, namespace := temporal.GetFrontendHostPort(), temporal.GetDefaultNamespace()
	workers := make([]*exec.Cmd, 4)
	for i := range workers {
		workers[i] = worker(t, address, namespace, quartier)
	}
	begun, killed, ended := time.Now(), 0, make(chan string, 1)
	go func() {
		out, err := exec.Command(*fleet, append([]string{"coordinate", "--address", address, "--namespace", namespace, "--quartier",
			quartier, "--release", at("one/next/release.yaml"), "--work", "s3://quartier/work", "--tries", "20", "--lost-after", "5s", "--"},
			month...)...).CombinedOutput()
		if err == nil {
			out = nil
		}
		ended <- string(out)
	}()
	for running := true; running; {
		select {
		case failed := <-ended:
			if running = false; failed != "" {
				t.Fatal(failed)
			}
		case <-time.After(10 * time.Second):
			i := rand.IntN(len(workers))
			_ = workers[i].Process.Kill()
			_ = workers[i].Wait()
			workers[i] = worker(t, address, namespace, quartier)
			killed++
		}
	}
	built := time.Since(begun)
	run("pull", "s3://quartier/work", at("pulled"), "--release", digest) // fails unless the workers' release is that of one machine
	found, err := filepath.Glob(at("pulled/places-*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	run("push", found[0], "s3://quartier/served", "--publish")
	published := time.Now()
	for _, server := range servers {
		for !strings.Contains(get(server+"/readyz"), `"served":"`+digest+`"`) {
			if time.Since(published) > 2*time.Minute {
				t.Fatalf("%s does not serve the update: %s", server, get(server+"/readyz"))
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	asked, failed := ask()
	t.Logf("built in %.1f s with %d kills, served by all after %.1f s; %d of %d requests failed", built.Seconds(), killed,
		time.Since(published).Seconds(), failed, asked)
	if failed > 0 || asked < 100 {
		t.Errorf("%d of %d requests failed", failed, asked)
	}
}

// bucket serves the bucket quartier, whose endpoint and credentials are in the environment of the test.
func bucket(t *testing.T, gateway, root string) {
	if err := os.MkdirAll(filepath.Join(root, "quartier"), 0o755); err != nil {
		t.Fatal(err)
	}
	address := free(t)
	start(t, exec.Command(gateway, "--port", address, "--access", "theKeyId", "--secret", "theSecret", "--quiet", "posix", root))
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": "http://" + address, "AWS_ACCESS_KEY_ID": "theKeyId",
		"AWS_SECRET_ACCESS_KEY": "theSecret", "AWS_REGION": "us-east-1"} {
		t.Setenv(name, value)
	}
	for get("http://"+address) == "" {
		time.Sleep(50 * time.Millisecond)
	}
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
		start(t, exec.Command(filepath.Join(filepath.Dir(quartier), "quartierd"), "--releases", "s3://quartier/served", "--cache",
			filepath.Join(dir, fmt.Sprint("cache", i)), "--roll", "3s", "--state", state, "--addr", address, "--access-log=false"))
		servers = append(servers, "http://"+address)
	}
	var token struct {
		Access string `json:"access_token"`
	}
	for _, server := range servers {
		for !strings.Contains(get(server+"/readyz"), `"status":"ready"`) {
			time.Sleep(100 * time.Millisecond)
		}
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

// start starts a program, which ends with the test.
func start(t *testing.T, command *exec.Cmd) {
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
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
