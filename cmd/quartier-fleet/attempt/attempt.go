// Package attempt runs steps of a plan for Temporal: an attempt is quartier step run as a process, whose progress is passed on.
package attempt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"quartier/cmd/quartier-fleet/flow"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
)

const (
	Every = 5 * time.Second // says an attempt that it runs, at the least
	grace = 5 * time.Second // has a process after SIGTERM

	longestPause = time.Minute // after a failure

	exitGate  = 6 // of quartier step run
	exitAlarm = 8
)

// Runner runs attempts on one machine.
type Runner struct {
	Program string          // quartier
	Folder  string          // in which it is started, so that relative paths of an order begin here
	Name    string          // of this worker
	Stop    context.Context // done: what runs is ended, to be run by another worker
	Log     *slog.Logger

	failed atomic.Int32 // attempts one after the other that another machine may end better
}

// Run runs quartier step run until it ends, or ends it with all that it started when the attempt is cancelled or was taken for
// lost. The types of errors are phases; errors of exit codes that promise nothing else are not retried.
func (r *Runner) Run(ctx context.Context, order flow.Order) (flow.Report, error) {
	info, begun := activity.GetInfo(ctx), time.Now()
	said := &words{log: r.Log.With("step", order.Step.ID, "attempt", info.Attempt)}
	said.log.Info("begins")
	running, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(r.Stop, end)()
	child := r.command(running, order, info.StartedTime)
	child.Stderr = said
	ended, every := make(chan error, 1), Every
	if info.HeartbeatTimeout > 0 {
		every = min(every, info.HeartbeatTimeout/6)
	}
	go func() {
		select {
		case <-time.After(pause(r.failed.Load())):
			ended <- run(child)
		case <-running.Done():
			ended <- running.Err()
		}
	}()
	var err error
	for tick, ends := time.NewTicker(every), false; !ends; {
		activity.RecordHeartbeat(ctx, said.report(info.Attempt, r.Name))
		select {
		case <-tick.C:
		case err = <-ended:
			tick.Stop()
			ends = true
		}
	}
	report := said.report(info.Attempt, r.Name)
	report.Seconds = time.Since(begun).Seconds()
	switch {
	case err == nil:
		r.failed.Store(0)
		said.log.Info("done", "seconds", report.Seconds)
		return report, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case running.Err() != nil:
		err = temporal.NewApplicationError("the worker was ended", string(flow.Failed), report)
	default:
		err = r.outcome(err, strings.Join(said.plain, "; "), order.Step.NoRetry, report)
	}
	said.log.Warn("not done", "error", err)
	return report, err
}

// command is quartier step run, with a number of the attempt that no other attempt of the step has, in whichever workflow: when
// the server started it, in milliseconds.
func (r *Runner) command(ctx context.Context, order flow.Order, started time.Time) *exec.Cmd {
	args := []string{"step", "run", order.Step.ID, "--attempt", strconv.FormatInt(started.UnixMilli(), 10),
		"--release", order.Command.Release, "--work", order.Command.Work}
	args = append(args, order.Command.Flags...)
	for _, a := range order.Accept {
		args = append(args, "--accept", a.Gate+"="+a.Reason)
	}
	child := exec.CommandContext(ctx, r.Program, args...)
	child.Dir = r.Folder
	child.Env = append(child.Environ(), "QUARTIER_LOG=json")
	return child
}

// run runs a process with a group of its own, which gets SIGTERM when the context of the process ends, and then SIGKILL. On Linux
// the process also ends with this one, in whichever way; elsewhere it goes on, and its result counts if it is the first.
func run(child *exec.Cmd) error {
	runtime.LockOSThread() // the process would end with the thread that started it
	defer runtime.UnlockOSThread()
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if dies := reflect.ValueOf(child.SysProcAttr).Elem().FieldByName("Pdeathsig"); dies.IsValid() {
		dies.SetInt(int64(syscall.SIGKILL))
	}
	child.WaitDelay = grace
	child.Cancel = func() error { return syscall.Kill(-child.Process.Pid, syscall.SIGTERM) }
	if err := child.Start(); err != nil {
		return err
	}
	err := child.Wait()
	if err != nil {
		_ = syscall.Kill(-child.Process.Pid, syscall.SIGKILL) // what it started and left
	}
	return err
}

// pause is the time that a step waits after failures, in which others go to other machines: a full disk ends attempts at once, and would
// take those of all steps.
func pause(failures int32) time.Duration {
	if failures == 0 {
		return 0
	}
	return min(time.Second<<min(failures, 16), longestPause)
}

// outcome is the error of an attempt that ended by itself.
func (r *Runner) outcome(err error, last string, noRetry []int, report flow.Report) error {
	kind, final := flow.Failed, false
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		switch code := exit.ExitCode(); {
		case code == exitAlarm:
			kind, final = flow.Alarm, true
		case code == exitGate:
			kind, final = flow.Gated, true
		case slices.Contains(noRetry, code):
			final = true
		}
	}
	if !final {
		r.failed.Add(1)
	}
	return temporal.NewApplicationErrorWithOptions(err.Error()+": "+last, string(kind),
		temporal.ApplicationErrorOptions{NonRetryable: final, Details: []any{report}})
}

// words takes what quartier says on standard error: lines of JSON of its log, from which it learns how many rows were read, and
// others, such as that of an error at the end. It is an io.Writer, for one writer; lines end.
type words struct {
	log  *slog.Logger
	part []byte // of a line that has not ended

	mu    sync.Mutex
	read  int64 // rows of the sources that were read
	rows  int64 // of the one that is read
	doing string
	plain []string // the last lines that are not of the log
}

const (
	longest = 1 << 16 // bytes of a line
	kept    = 4       // plain lines
)

func (w *words) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := bytes.Split(append(w.part, text...), []byte("\n"))
	for _, line := range lines[:len(lines)-1] {
		w.line(bytes.TrimSpace(line))
	}
	if w.part = bytes.Clone(lines[len(lines)-1]); len(w.part) > longest { // no line of quartier
		w.part = nil
	}
	return len(text), nil
}

func (w *words) line(line []byte) {
	var said struct {
		Level, Msg string
		Rows, Read *int64
	}
	switch {
	case len(line) == 0:
		return
	case json.Unmarshal(line, &said) != nil || said.Msg == "":
		w.plain = append(w.plain, string(line))
		w.plain = w.plain[max(0, len(w.plain)-kept):]
		w.log.Info(string(line))
		return
	case said.Read != nil:
		w.read, w.rows = w.read+*said.Read, 0
	case said.Rows != nil && said.Msg == "reading":
		w.rows = *said.Rows
	case said.Level == slog.LevelWarn.String():
		w.log.Warn(string(line))
	}
	w.doing = said.Msg
}

// report is what was said so far.
func (w *words) report(attempt int32, worker string) flow.Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	return flow.Report{Attempt: attempt, Worker: worker, Doing: w.doing, Rows: w.read + w.rows}
}
