package temporal

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.temporal.io/server/temporaltest"
)

var program = flag.String("quartier", "../../bin/quartier", "the `PATH` of quartier, whose steps are run")

// TestRelease builds the synthetic world by two workers, each of which is killed once: the release is that of quartier build.
func TestRelease(t *testing.T) {
	quartier, err := filepath.Abs(*program)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) {
		t.Helper()
		if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	release := filepath.Join(dir, "world", "release.yaml")
	run(quartier, "fixtures", "--out", filepath.Dir(release))
	run(quartier, "build", "--release", release, "--out", filepath.Join(dir, "whole"))

	temporal := temporaltest.NewServer()
	t.Cleanup(temporal.Stop)
	address, namespace := temporal.GetFrontendHostPort(), temporal.GetDefaultNamespace()
	workers := []*machine{worker(t, address, namespace, quartier), worker(t, address, namespace, quartier)}
	begun := time.Now()
	coordinate := exec.Command(*fleet, "coordinate", "--address", address, "--namespace", namespace, "--quartier", quartier,
		"--release", release, "--work", filepath.Join(dir, "work"), "--tries", "20", "--lost-after", "5s")
	var said bytes.Buffer
	coordinate.Stdout, coordinate.Stderr = &said, &said
	if err := coordinate.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- coordinate.Wait() }()
	for killed := 0; ; {
		var kill <-chan time.Time
		if killed < len(workers) {
			kill = time.After(10 * time.Second)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v\n%s", err, said.Bytes())
			}
			t.Logf("%.1f s, %d kills", time.Since(begun).Seconds(), killed)
			manifest := func(folder string) string {
				data, err := os.ReadFile(filepath.Join(dir, folder, "manifest.json"))
				if err != nil {
					t.Fatal(err)
				}
				return string(data)
			}
			if manifest("whole") != manifest("work/release") {
				t.Error("the release is another one than that of quartier build")
			}
			return
		case <-kill:
			workers[killed].kill()
			workers[killed].start()
			killed++
		case <-time.After(4 * time.Minute):
			_ = coordinate.Process.Kill()
			<-ended
			t.Fatalf("it does not end\n%s", said.Bytes())
		}
	}
}
