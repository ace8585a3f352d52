package attempt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/cmd/quartier-fleet/flow"
	"quartier/internal/plan"
	"quartier/internal/testenv"
	"quartier/schemas"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
)

// TestMain is quartier itself where a test starts it as that: the id of the step says what it does.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == "step" && os.Args[2] == "run" {
		os.Exit(pretend(os.Args[3], os.Args[4:]))
	}
	os.Exit(m.Run())
}

func pretend(id string, flags []string) int {
	what, value, _ := strings.Cut(id, "-")
	switch what {
	case "args":
		fmt.Fprintln(os.Stderr, strings.Join(flags, " "), os.Getenv("QUARTIER_LOG"))
		folder, _ := os.Getwd()
		fmt.Fprintln(os.Stderr, "in", folder)
		return 1
	case "exit":
		fmt.Fprintln(os.Stderr, "quartier: error: digests 0a1b and 2c3d differ\nquartier: hint: none")
		code, _ := strconv.Atoi(value)
		return code
	case "log":
		for _, line := range []string{
			`{"level":"INFO","msg":"reading","source":"osm","file":"a.pbf","bytes":7}`,
			`{"level":"INFO","msg":"reading","source":"osm","rows":20000,"per_s":1}`,
			`{"level":"INFO","msg":"staged","source":"osm","read":25000,"staged":24000,"rejected":1000}`,
			`{"level":"INFO","msg":"reading","source":"overture","rows":10000,"per_s":1}`,
		} {
			fmt.Fprintln(os.Stderr, line)
		}
		return 0
	case "killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "family": // with a child, both of which mind no SIGTERM
		child := exec.Command("sh", "-c", "trap '' TERM; echo $$ >"+id+".pid; while :; do sleep 1; done")
		if err := child.Start(); err != nil {
			return 1
		}
	}
	select {} // until it is killed
}

type fixture struct {
	*testsuite.TestActivityEnvironment
	runner *Runner
	stop   context.CancelFunc
}

func setUp(t *testing.T) fixture {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet{})
	env := suite.NewTestActivityEnvironment()
	stopped, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	r := &Runner{Program: program, Folder: t.TempDir(), Name: "w1", Stop: stopped, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	env.RegisterActivityWithOptions(r.Run, activity.RegisterOptions{Name: flow.ActivityAttempt})
	return fixture{env, r, stop}
}

type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}

func (f fixture) attempt(id string, accept ...schemas.Acceptance) (done flow.Report, err error) {
	value, err := f.ExecuteActivity(flow.ActivityAttempt, flow.Order{
		Command: flow.Command{Release: "r.yaml", Work: "s3://b/p", Flags: []string{"--data", "d"}},
		Step:    plan.Step{ID: id, NoRetry: []int{2, 3, 4, 6}}, Accept: accept,
	})
	if err == nil {
		err = value.Get(&done)
	}
	return done, err
}

func TestArguments(t *testing.T) {
	f := setUp(t)
	_, err := f.attempt("args", schemas.Acceptance{Gate: "pois", Reason: "a publisher left"})
	var exit *temporal.ApplicationError
	if !errors.As(err, &exit) {
		t.Fatal(err)
	}
	text := exit.Message()
	number, rest, _ := strings.Cut(strings.TrimPrefix(text, "exit status 1: --attempt "), " ")
	if n, err := strconv.ParseInt(number, 10, 64); err != nil || time.Since(time.UnixMilli(n)).Abs() > time.Hour {
		t.Errorf("number of the attempt: %q", number)
	}
	folder, err := filepath.EvalSymlinks(f.runner.Folder)
	if want := "--release r.yaml --work s3://b/p --data d --accept pois=a publisher left json; in " + folder; rest != want || err != nil {
		t.Errorf("arguments %q, not %q", rest, want)
	}
}

func TestExitCodes(t *testing.T) {
	for code, want := range map[int]struct {
		kind  flow.Phase
		again bool
	}{
		1: {flow.Failed, true}, 2: {flow.Failed, false}, 3: {flow.Failed, false}, 4: {flow.Failed, false},
		5: {flow.Failed, true}, 6: {flow.Gated, false}, 7: {flow.Failed, true}, 8: {flow.Alarm, false},
	} {
		_, err := setUp(t).attempt("exit-" + strconv.Itoa(code))
		var exit *temporal.ApplicationError
		var report flow.Report
		if !errors.As(err, &exit) || exit.Type() != string(want.kind) || exit.NonRetryable() == want.again || exit.Details(&report) != nil ||
			report.Attempt != 1 || report.Worker != "w1" {
			t.Errorf("code %d: %v, %+v", code, err, report)
		} else if text := exit.Message(); !strings.Contains(text, "digests 0a1b and 2c3d differ") {
			t.Errorf("code %d: %s", code, text)
		}
	}
}

func TestRowsAreThoseOfTheLog(t *testing.T) {
	f := setUp(t)
	var beats []flow.Report
	f.SetOnActivityHeartbeatListener(func(_ *activity.Info, details converter.EncodedValues) {
		var beat flow.Report
		if err := details.Get(&beat); err != nil {
			t.Error(err)
		}
		beats = append(beats, beat)
	})
	done, err := f.attempt("log")
	if err != nil || done.Rows != 35000 || done.Attempt != 1 || done.Worker != "w1" {
		t.Errorf("%+v, %v", done, err)
	}
	if len(beats) == 0 || beats[0].Worker != "w1" {
		t.Errorf("beats: %+v", beats)
	}
}

func TestOthersMayTryWhatASignalEnded(t *testing.T) {
	_, err := setUp(t).attempt("killed")
	var exit *temporal.ApplicationError
	if !errors.As(err, &exit) || exit.NonRetryable() || !strings.Contains(exit.Message(), "signal: killed") {
		t.Error(err)
	}
}

// TestTheWholeGroupEnds: when the attempt is cancelled or the worker ended, nothing of it runs on.
func TestTheWholeGroupEnds(t *testing.T) {
	for name, end := range map[string]struct {
		how  func(f fixture, cancel context.CancelFunc)
		says string
	}{
		"cancelled": {func(_ fixture, cancel context.CancelFunc) { cancel() }, "context canceled"},
		"stopped":   {func(f fixture, _ context.CancelFunc) { f.stop() }, "the worker was ended"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setUp(t)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			f.SetWorkerOptions(worker.Options{BackgroundActivityContext: ctx})
			ended := make(chan error)
			go func() {
				_, err := f.attempt("family")
				ended <- err
			}()
			var pid int
			testenv.Eventually(t, "the child of the step runs", func() bool {
				text, _ := os.ReadFile(filepath.Join(f.runner.Folder, "family.pid"))
				pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
				return pid > 0
			})
			end.how(f, cancel)
			err := <-ended
			var exit *temporal.ApplicationError
			if !errors.As(err, &exit) || exit.Message() != end.says || exit.NonRetryable() {
				t.Errorf("error: %v", err)
			}
			testenv.Eventually(t, "the child of the step has ended", func() bool { return !runs(pid) })
		})
	}
}

// runs says whether a process runs: one that ended may wait for a parent that never asks.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(status), ") Z ")
}

func TestAMissingProgramIsTriedElsewhere(t *testing.T) {
	f := setUp(t)
	f.runner.Program = filepath.Join(t.TempDir(), "quartier")
	_, err := f.attempt("log")
	var exit *temporal.ApplicationError
	if !errors.As(err, &exit) || exit.NonRetryable() {
		t.Error(err)
	}
}

func TestWordsOfAnyKind(t *testing.T) {
	w := &words{log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	for _, part := range []string{"{\"msg\":\"rea", "ding\",\"rows\":5}\r\n\n", "plain\n{}\n", strings.Repeat("x", 2*longest), "\nend\n"} {
		if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := strings.Join(w.plain, "; "); got != "plain; {}; end" || w.report(1, "").Rows != 5 {
		t.Errorf("%q, %+v", got, w.report(1, ""))
	}
}

// TestAMachineThatFailsWaits: a full disk, or a clock that a store refuses, ends attempts at once.
func TestAMachineThatFailsWaits(t *testing.T) {
	f := setUp(t)
	for _, c := range []struct {
		step   string
		failed int32 // attempts one after the other
	}{{"exit-4", 0}, {"exit-6", 0}, {"exit-1", 1}, {"log", 0}} {
		if _, err := f.attempt(c.step); (err == nil) != (c.step == "log") || f.runner.failed.Load() != c.failed {
			t.Errorf("after %s: %d failures, not %d (%v)", c.step, f.runner.failed.Load(), c.failed, err)
		}
	}
	for failures, want := range map[int32]time.Duration{0: 0, 1: 2 * time.Second, 5: 32 * time.Second, 6: time.Minute, 1 << 30: time.Minute} {
		if got := pause(failures); got != want {
			t.Errorf("%d failures: %s", failures, got)
		}
	}
	f.runner.failed.Store(9)
	f.stop() // ends the pause
	if _, err := f.attempt("log"); err == nil || !strings.Contains(err.Error(), "the worker was ended") {
		t.Errorf("error: %v", err)
	}
}
