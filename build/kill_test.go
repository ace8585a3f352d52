package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/build/assembly"
	"quartier/build/verify"
)

// Builds that are killed or run out of disk space run in another process: this binary, with the options in childOptions
// and the maximum file size in childLimit.
const (
	childOptions = "QUARTIER_BUILD_OPTIONS"
	childLimit   = "QUARTIER_BUILD_LIMIT"
)

// job is the options for the other process.
type job struct {
	Name                       string
	Regions                    []assembly.Region
	Previous, Out, ToolVersion string
	Force                      bool
}

func TestMain(m *testing.M) {
	options := os.Getenv(childOptions)
	if options == "" {
		os.Exit(m.Run())
	}
	var j job
	if err := json.Unmarshal([]byte(options), &j); err != nil {
		panic(err)
	}
	if limit, err := strconv.ParseUint(os.Getenv(childLimit), 10, 64); err == nil {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			panic(err)
		}
	}
	o := Options{Name: j.Name, Regions: j.Regions, Previous: j.Previous, Out: j.Out, Force: j.Force, ToolVersion: j.ToolVersion}
	if _, err := Release(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child returns a process that builds a release.
func child(t *testing.T, o Options, limit string) *exec.Cmd {
	t.Helper()
	data, err := json.Marshal(job{o.Name, o.Regions, o.Previous, o.Out, o.ToolVersion, o.Force})
	must(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childOptions+"="+string(data), childLimit+"="+limit)
	return cmd
}

func TestOldReleaseStaysIfTheBuildIsKilled(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force, o2.Previous = o1.Out, true, o1.Out
	kept := 0
	for i := range 12 {
		cmd := child(t, o2, "")
		must(t, cmd.Start())
		time.Sleep(time.Duration(i*i) * 4 * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		report, err := verify.Release(context.Background(), o1.Out, "")
		must(t, err)
		if report.Digest != m1.Digest { // it finished before it was killed
			break
		}
		kept++
	}
	if kept == 0 {
		t.Error("no build was killed in time")
	}
	m2, err := Release(context.Background(), o2)
	must(t, err)
	checkRelease(t, o1.Out, m2.Digest)
}

func TestOldReleaseStaysIfTheDiskIsFull(t *testing.T) {
	m1, o1 := built(t, "", delaware())
	o2 := options(t, grown())
	o2.Out, o2.Force = o1.Out, true
	for _, limit := range []string{"0", "4096", "20000", "200000", "400000"} {
		out, err := child(t, o2, limit).CombinedOutput()
		if err == nil {
			t.Errorf("a build within files of %s bytes succeeded", limit)
		}
		if !strings.Contains(string(out), "build release test: ") {
			t.Errorf("files of %s bytes: no cause in %s", limit, out)
		}
		t.Logf("%s: %.200s", limit, out)
		checkRelease(t, o1.Out, m1.Digest)
	}
}
